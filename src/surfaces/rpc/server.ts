/**
 * What all connections share: the sessions that are open, who is connected, which session is in the foreground. Every
 * session is opened once, however many clients ask for it at a time.
 */
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { CloseOptions } from '../../engine/live/close.ts'
import type { Session } from '../../engine/session.ts'
import type { SessionId } from '../../format/ids.ts'
import { deferred } from '../../lib/deferred.ts'
import { inTurn } from '../../lib/keyed-mutex.ts'
import type { Streams } from '../../lib/json-rpc/peer.ts'
import type { Client } from './client.ts'
import { createHostedSession } from './create-hosted-session.ts'
import { closeIfUnused, closeNow, closeWithoutFiles, isUsed, letGo } from './close-hosted.ts'
import { awake, sleep } from './follow-session.ts'
import type { HostedSession } from './hosted-session.ts'
import { hostFor, mainHost, nothingHosted, oneAtATime } from './hosted.ts'
import { join, leave } from './join-session.ts'
import type { ServerParts } from './parts.ts'
import { sendScheduled } from './send-scheduled.ts'
import type { SessionConfig } from './session-config.ts'
import type { WireEvent } from './wire.ts'

type LifecycleType =
  | 'session.created'
  | 'session.updated'
  | 'session.deleted'
  | 'session.foreground'
  | 'session.background'

export interface Server {
  readonly parts: ServerParts
  readonly clients: Set<Client>
  readonly foreground: SessionId | undefined
  /** Those that are open here now. */
  open(): readonly HostedSession[]
  find(id: SessionId): HostedSession | undefined
  /** Refuses when it is not open, and wakes it when it sleeps. */
  require(id: SessionId): Promise<HostedSession>
  /** Opens it by `begin`, unless it is open already; the client is then one of its own. */
  host<T>(
    id: SessionId,
    client: Client | undefined,
    config: SessionConfig,
    begin: (session: HostedSession, wasActive: boolean) => Promise<T>,
  ): Promise<{ readonly session: HostedSession; readonly begun: T }>
  /** For what needs no session that is open here. */
  engine(): Promise<Engine>
  /** Speaks with one more client, which needs no token; set by who speaks with the first. */
  speakWith: (streams: Streams) => Client
  /** Which session can be steered from Mission Control. */
  readonly remoteControl: { attached: SessionId | undefined }
  /** The handle of a session that may be open here or not. */
  handle(id: SessionId): Promise<Session>
  /** Closes it for everybody. False when it was not open. */
  close(id: SessionId, options?: CloseOptions): Promise<boolean>
  detach(client: Client, id: SessionId): Promise<boolean>
  bringForward(id: SessionId | undefined): void
  tellLifecycle(type: LifecycleType, id: SessionId): void
  /** Lets sessions sleep that nobody used for long. */
  sweep(nowMs: number): Promise<void>
  disconnect(client: Client): void
  /** Closes everything, so that nothing queued is lost. */
  stop(): Promise<void>
  /** Resolves when the server was asked to end. */
  readonly stopped: Promise<void>
}

export function createServer(parts: ServerParts): Server {
  const hosted = nothingHosted(parts)
  const { sessions, clientHosts } = hosted
  const clients = new Set<Client>()
  const { promise: stopped, resolve: onStopped } = deferred<void>()
  const key = {}
  let stopping: Promise<void> | undefined

  function onTold(session: HostedSession, { type, ephemeral }: WireEvent): void {
    if (ephemeral !== true || type === 'session.title_changed')
      server.tellLifecycle('session.updated', session.id)
    if (type === 'session.idle' && !isUsed(session))
      setImmediate(() => void closeIfUnused(hosted, session))
  }

  const server: Server = {
    parts,
    clients,
    stopped,
    get foreground() {
      return hosted.foreground
    },
    open: () => [...sessions.values()],
    find: (id) => sessions.get(id),
    async require(id) {
      const session = sessions.get(id)
      if (session === undefined) {
        throw new EngineError(
          'not_found',
          `Session not found: ${id}. It is not open here; resume it first.`,
          { details: { sessionId: id } },
        )
      }
      await awake(session)
      return session
    },
    host: (id, client, config, begin) =>
      oneAtATime(hosted, id, async () => {
        if (stopping !== undefined) throw new EngineError('conflict', 'The server is ending.')
        const before = sessions.get(id)
        const session =
          before ??
          (await createHostedSession(id, parts, await hostFor(hosted, id, client), {
            config,
            client,
            onTold,
            sendScheduled: (entry) => sendScheduled(server, id, entry),
            serve: (streams) => server.speakWith(streams),
          }))
        // What works in it from elsewhere goes on, whatever becomes of this.
        const isNew = before === undefined && !session.engine.isOpen(id)
        try {
          const begun = await begin(session, before !== undefined)
          sessions.set(id, session)
          await awake(session)
          if (client !== undefined) join(session, client, config)
          return { session, begun }
        } catch (error) {
          if (isNew) await letGo(hosted, session).catch(() => {}) // its caller is told why it did not begin
          throw error
        }
      }),
    engine: async () => (await mainHost(hosted)).engine,
    speakWith() {
      throw new Error('Nobody has spoken with this server yet.')
    },
    remoteControl: { attached: undefined },
    handle: async (id) => sessions.get(id)?.ops ?? (await mainHost(hosted)).engine.open(id),
    async close(id, options) {
      const session = sessions.get(id)
      if (session === undefined) return false
      await closeNow(hosted, session, options)
      return true
    },
    async detach(client, id) {
      const session = sessions.get(id)
      if (session?.members.of(client) === undefined) return false
      // The last one is there until the end, so that it is told of it and its hooks run.
      await closeIfUnused(hosted, session, client)
      for (const [handle, interest] of client.interests)
        if (interest.sessionId === id) client.interests.delete(handle)
      if (sessions.get(id) !== session) return true
      leave(session, client)
      await closeIfUnused(hosted, session)
      return true
    },
    bringForward(id) {
      if (hosted.foreground === id) return
      const before = hosted.foreground
      hosted.foreground = id
      if (before !== undefined) server.tellLifecycle('session.background', before)
      if (id !== undefined) server.tellLifecycle('session.foreground', id)
    },
    tellLifecycle(type, id) {
      const startedAt = sessions.get(id)?.startedAt ?? new Date()
      const metadata = {
        startTime: startedAt.toISOString(),
        modifiedTime: new Date().toISOString(),
      }
      for (const { peer, isTrusted } of clients)
        if (isTrusted)
          peer.notify('session.lifecycle', {
            type,
            sessionId: id,
            ...(type !== 'session.deleted' && { metadata }),
          })
    },
    async sweep(nowMs) {
      const { idleTimeoutMs } = parts
      if (idleTimeoutMs === undefined) return
      for (const session of sessions.values()) {
        const { ops, id, lastUsedMs } = session
        if (nowMs - lastUsedMs < idleTimeoutMs || ops.now?.isRunning === true) continue
        // One that cannot be put to sleep keeps no other awake; the next sweep tries again.
        await oneAtATime(hosted, id, () => sleep(session)).catch(() => {})
      }
    },
    disconnect(client) {
      clients.delete(client)
      for (const session of sessions.values()) {
        const isThere = leave(session, client)
        if (clientHosts.get(session.id)?.owner === client) closeWithoutFiles(hosted, session)
        else if (isThere) void closeIfUnused(hosted, session)
      }
    },
    stop: () =>
      (stopping ??= inTurn(key, async () => {
        await Promise.allSettled(
          [...sessions.values()].map((session) =>
            closeNow(hosted, session, { leavesQuestions: true }),
          ),
        )
        if (hosted.host !== undefined) await (await hosted.host).engine.stop()
        onStopped()
      })),
  }
  return server
}
