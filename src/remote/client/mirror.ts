/**
 * What this process knows of a session on another machine: its log, as Mission Control has it, in memory, and how the
 * machine was when it was last heard of. It is kept up while it is looked at, comes back by itself after a break, and is
 * read through an engine of its own, so that everything is replayed as it is for a session of this machine.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { createEngine } from '../../engine/engine.ts'
import type { FeedItem } from '../../engine/live/feed.ts'
import type { FollowOptions } from '../../engine/live/follow.ts'
import { EngineError } from '../../engine/errors.ts'
import type { Session } from '../../engine/session.ts'
import { recognise, serialise, type EventOf } from '../../format/event.ts'
import { asEventId, type EventId, type SessionId } from '../../format/ids.ts'
import type { Notice } from '../../format/notice.ts'
import { logPath, sessionDir } from '../../format/paths.ts'
import { openMemory } from '../../fs/memory.ts'
import { encodeText } from '../../lib/bytes.ts'
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import type { LogRecord } from '../../log/record.ts'
import type { Frame } from '../frames.ts'
import { RemoteError } from '../remote-error.ts'
import { RemoteSession, type Head, type Server } from '../control-client.ts'
import { firstItems, tellTo } from './followers.ts'

export type Mirror = AsyncDisposable & {
  /** For reading; what is written there is written nowhere. */
  readonly session: Session
  /** As it was last told. */
  known(): RemoteSession | undefined
  follow(options?: FollowOptions): AsyncGenerator<FeedItem, void, undefined>
  listen(listener: (item: FeedItem) => void): Disposable
  /** Returns when all that the server has now is here; without a server, what is known has to do. */
  refresh(): Promise<void>
}

const RETRY_MS = 1000
const PATIENCE_MS = 10_000

/** Rejects when the session cannot be read at all: it is not there, or nobody answers. */
export async function openMirror(server: Server, id: SessionId): Promise<Mirror> {
  const fs = openMemory()
  const file = await fs.openAppend(logPath(sessionDir(id)))
  const records: LogRecord[] = []
  const listeners = new Set<(item: FeedItem) => void>()
  const stopped = new AbortController()
  const ready = deferred<void>()
  let isReady = false
  let known: RemoteSession | undefined
  /** Events of the server; one that was made here for want of a beginning does not count. */
  let made = 0
  let moved = deferred<void>()

  const size = (): number => records.at(-1)?.end ?? 0
  const tell = (item: FeedItem): void => {
    for (const listener of listeners) listener(item)
  }

  async function add(line: string): Promise<void> {
    const found = recognise(JSON.parse(line))
    if (found.kind === 'damage') return
    const isStart = found.event.type === 'session.start'
    // The one that was made here stood for it.
    if (isStart && made === 1 && records.length === 1) await cut(undefined)
    if (records.length === 0 && !isStart) await makeStart(found.event.timestamp)
    await write(line)
  }

  async function makeStart(timestamp: string): Promise<void> {
    made = 1
    await write(serialise(startFor(id, timestamp)))
  }

  async function write(line: string): Promise<void> {
    const found = recognise(JSON.parse(line))
    if (found.kind === 'damage') return
    const bytes = encodeText(`${line}\n`)
    const start = size()
    await file.write([bytes], start)
    const record = { event: found.event, start, end: start + bytes.length }
    records.push(record)
    tell({ kind: 'event', ...record })
  }

  async function cut(upToEventId: EventId | undefined): Promise<void> {
    const at = records.findIndex(({ event }) => event.id === upToEventId)
    const from = upToEventId === undefined ? 0 : at
    if (from === -1) return
    records.splice(from)
    if (records.length === 0) made = 0
    await file.truncate(size())
    tell({ kind: 'reset', end: size(), ...defined({ upToEventId }) })
  }

  async function take({ event, data }: Frame): Promise<void> {
    if (event === 'event') await add(data)
    const value = (): { readonly upToEventId?: string } => JSON.parse(data) as object
    if (event === 'reset') {
      const { upToEventId } = value()
      await cut(upToEventId === undefined ? undefined : asEventId(upToEventId))
    }
    if (event === 'notice') tell({ kind: 'notice', notice: value() as unknown as Notice })
    if (event === 'session') known = RemoteSession.safeParse(value()).data ?? known
    if (event === 'ready') {
      // A task whose worker has said nothing yet.
      if (records.length === 0) await makeStart(known?.startTime ?? new Date().toISOString())
      isReady = true
      ready.resolve()
    }
    if (event === 'gone') stopped.abort()
    moved.resolve()
    moved = deferred<void>()
  }

  async function keepUp(): Promise<void> {
    while (!stopped.signal.aborted) {
      const last = records.slice(made).at(-1)?.event.id
      try {
        for await (const frame of server.live(id, last, stopped.signal)) await take(frame)
      } catch (cause) {
        // Who asked first is told; later it is tried again, and what is shown says how old it is.
        if (!isReady) return ready.reject(cause)
        if (cause instanceof RemoteError && isOver(cause)) return
      }
      if (!isReady) return ready.reject(new RemoteError('unreachable', 'The answer broke off.'))
      const wait = { ref: false, signal: stopped.signal }
      await sleep(RETRY_MS, undefined, wait).catch(() => {}) // stopping ends the wait
    }
  }

  const has = ({ generation, events }: Head): boolean => {
    const at = known?.generation ?? -1
    return at > generation || (at === generation && records.length - made >= events)
  }

  void keepUp()
  await ready.promise
  const engine = createEngine({ fs, cwd: '/' })
  return {
    session: await engine.open(id),
    known: () => known,
    listen(listener) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    async *follow({ after, fromNow, signal } = {}) {
      const from = fromNow === true ? records.length : placeOf(id, records, after)
      yield* tellTo(listeners, firstItems(records.slice(from), size()), [
        stopped.signal,
        ...(signal === undefined ? [] : [signal]),
      ])
    },
    async refresh() {
      const head = await server.head(id).catch(() => undefined) // what is known has to do
      if (head === undefined) return
      const deadline = sleep(PATIENCE_MS, 'late', { ref: false })
      for (let how: unknown; how !== 'late' && !has(head);)
        how = await Promise.race([moved.promise, deadline])
    },
    async [Symbol.asyncDispose]() {
      stopped.abort()
      await engine.stop()
    },
  }
}

/** It is not there any more, or not for this token: asking again changes nothing. */
const isOver = ({ trouble }: RemoteError): boolean =>
  trouble === 'gone' || trouble === 'unauthorised'

/** A task of another program may have none; the replay wants one. */
const startFor = (id: SessionId, timestamp: string): EventOf<'session.start'> => ({
  type: 'session.start',
  data: {
    sessionId: id,
    version: 1,
    producer: 'reprise',
    copilotVersion: '0.0.0',
    startTime: timestamp,
  },
  id: asEventId(`${id}-start`),
  timestamp,
  parentId: null,
})

function placeOf(id: SessionId, records: readonly LogRecord[], after: EventId | undefined): number {
  if (after === undefined) return 0
  const at = records.findIndex(({ event }) => event.id === after)
  if (at !== -1) return at + 1
  throw new EngineError(
    'expired',
    `Event ${after} is not in session ${id} any more: it was rewound. Follow from the beginning.`,
    { details: { eventId: after } },
  )
}
