/** The copies of a home's sessions in Mission Control: which are wanted, how far each is, and what is done from afar. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Change } from '../engine/sessions/home-changes.ts'
import type { Engine } from '../engine/engine.ts'
import { EngineError } from '../engine/errors.ts'
import { asEngineErrors } from './engine-errors.ts'
import type { RemoteControl, RemoteMode, RemoteStatus } from '../engine/remote-control.ts'
import type { SessionId } from '../format/ids.ts'
import type { Notice } from '../format/notice.ts'
import { sessionDir } from '../format/paths.ts'
import { inLanes } from '../lib/map-concurrent.ts'
import { createExporter } from './exporter.ts'
import { copyStatus, farStatus, lastStatus } from './status.ts'
import type { Redaction } from './lines.ts'
import { aboutSession } from './session-descriptor.ts'
import { allCopies } from './replicas.ts'
import { createConnections } from './client/connections.ts'
import { taskControl } from './task-control.ts'
import { farLists } from './far-list.ts'
import { lastLink, readLink, writeLink } from './link.ts'
import type { Server } from './control-client.ts'
import { isLookDue, LOOK_MS, removedAgain } from './removed.ts'
import { setMode } from './set-mode.ts'
import { createSteering } from './steering.ts'

export type RemoteParts = {
  readonly engine: Engine
  readonly server: Server
  readonly redaction: Redaction
  cleanNotices(): (notice: Notice) => readonly Notice[]
  /** Of sessions for which nothing was said; by their repository. */
  readonly modeFor: (repository: string | undefined) => RemoteMode
  /** False: no copy is kept of any session, whatever was said of it. */
  readonly isKeeping: boolean
  /** No session of this process has more than this, whatever was said of it: `off` keeps what is said in it here for good. */
  readonly most: RemoteMode
  readonly mayWiden: boolean
}

type Known = { readonly repository?: string | undefined }

export type Remote = RemoteControl & {
  changed(change: Change): Promise<void>
  opened(id: SessionId): Promise<void>
  /** The log of these was rewritten, or is gone: the copies must not keep what it had. */
  erased(ids: readonly SessionId[]): Promise<void>
  /** How long what is under way is waited for at the end. */
  patienceMs(): number
  stop(): Promise<void>
}

const SWEEP_LANES = 2
const SWEEP_MS = 60_000

export function openRemote(parts: RemoteParts): Remote {
  const { engine, server, redaction, cleanNotices, modeFor, isKeeping, most, mayWiden } = parts
  const { fs } = engine
  const modes = new Map<SessionId, RemoteMode>()
  const isMore = (mode: RemoteMode): boolean => RISING.indexOf(mode) > RISING.indexOf(most)

  /** `known`: what a list says of it, so that it need not be opened. */
  const modeOf = async (id: SessionId, known?: Known): Promise<RemoteMode> => {
    if (!isKeeping || most === 'off') return 'off'
    const said = modes.get(id) ?? (await saidOf(id, known))
    modes.set(id, said)
    return isMore(said) ? most : said
  }
  const saidOf = async (id: SessionId, known?: Known): Promise<RemoteMode> => {
    const link = await readLink(fs, sessionDir(id))
    const isTheirs = link !== undefined && link.server !== server.url
    return isTheirs ? 'off' : (link?.mode ?? modeFor(await repositoryOf(engine, id, known)))
  }
  /** Another process would send later what was said here: from now on a person has to turn it on again. */
  const keepHere = async (id: SessionId): Promise<void> => {
    if (modes.has(id)) return
    modes.set(id, 'off')
    if ((await saidOf(id)) === 'off') return
    const link = await readLink(fs, sessionDir(id))
    await writeLink(fs, sessionDir(id), { version: 1, ...link, server: server.url, mode: 'off' })
  }
  const far = createConnections(server)
  const exporter = createExporter({
    fs,
    server,
    redaction,
    isWanted: async (id) => (await modeOf(id)) !== 'off',
    isOpen: (id) => engine.isOpen(id),
    about: (id) => aboutSession(engine, redaction, id),
  })
  const steering = createSteering({
    engine,
    server,
    allowance: { mayWiden },
    redact: redaction.redact,
    cleanNotices,
    sync: (id) => exporter.sync(id),
    isSteerable: async (id) => (await modeOf(id)) === 'steer',
  })
  const hasCopy = async (id: SessionId): Promise<boolean> => {
    const link = await lastLink(fs, id)
    return link?.server === server.url && link.copy !== undefined
  }
  let nextSweep: NodeJS.Timeout | undefined
  /** Goes on with what other processes could not finish, a little at a time; while nobody answers, later. */
  async function sweep(): Promise<void> {
    let isAway = false
    const left = await exporter.due()
    await inLanes(left, SWEEP_LANES, async (id) => {
      if (isAway || exporter.isStopped()) return
      await exporter.takeUp(id)
      const status = exporter.status(id)
      isAway ||= status?.state === 'error' && !status.isFinal
    })
    if (!isAway) await lookForRemoved()
    const wait = isAway ? SWEEP_MS : LOOK_MS
    if (!exporter.isStopped()) nextSweep = setTimeout(beginSweep, wait).unref()
  }
  /** By one process of the home, now and then: a server that was restored does not say so. */
  async function lookForRemoved(): Promise<void> {
    if (exporter.isStopped() || !(await isLookDue(fs, Date.now()))) return
    for (const [id, back] of await removedAgain({ fs, now: Date.now }, server))
      await exporter.removeAgain(id, back)
  }
  let sweeping: Promise<void> | undefined
  const beginSweep = (): void => {
    sweeping = sweep().catch(() => {}) // the marks stay; the next process looks again
  }
  if (most !== 'off') beginSweep()
  const statusOf = async (id: SessionId): Promise<RemoteStatus> => {
    const url = `${server.url}/sessions/${id}`
    const session = far.connected(id)
    const heard = far.heard(id)
    return session === undefined || heard === undefined
      ? copyStatus(await modeOf(id), exporter.status(id) ?? (await lastStatus(fs, id)), url)
      : farStatus(heard, session.machine ?? 'another machine', url)
  }

  return {
    url: server.url,
    status: statusOf,
    async set(id, mode, wanted = {}) {
      if (isMore(mode)) throw keptHere(most)
      await setMode({ engine, server, exporter, steering, modes, modeOf }, id, mode, wanted)
      return statusOf(id)
    },
    ...allCopies({ engine, server, exporter, modes, modeOf }),
    ...(most === 'off' && { sync: () => Promise.reject(keptHere(most)) }),
    async push(id) {
      await exporter.sync(id)
      return statusOf(id)
    },
    sessions: async () =>
      (await asEngineErrors(() => server.sessions())).map(({ presence, ...session }) => ({
        ...session,
        state: presence.state,
        isStale: presence.isStale,
        staleAt: presence.staleAt,
      })),
    takeOver: async (id, options) =>
      (await import('./handoff/take-over.ts')).takeOver({ engine, server, id, ...options }),
    tasks: taskControl(server, redaction.redactText),
    ...farLists({ fs, server }),
    connect: far.connect,
    connected: far.connected,
    joined: far.joined,
    async approve(userCode, { isApproved }) {
      const { machine, name } = await asEngineErrors(() => server.approve(userCode, isApproved))
      return { machine: machine ?? name, isApproved }
    },
    async link() {
      const { code, ends } = await asEngineErrors(() => server.link())
      // Behind the #: it is in no log, and no page that is linked to learns it.
      return { link: `${server.url}/#code=${code}`, endsAt: new Date(ends) }
    },
    async changed({ id, kind }) {
      if (kind === 'closed') {
        modes.delete(id)
        steering.closed(id)
        return exporter.closed(id)
      }
      if (most === 'off' && kind === 'records') return keepHere(id)
      // The copy goes with the session; one that is restored is exported anew.
      if (kind === 'deleted') {
        modes.delete(id)
        if (!(await hasCopy(id))) return
      } else if ((await modeOf(id)) === 'off') return
      if (kind === 'restored') await exporter.anew(id, 'restore')
      else exporter.changed(id)
      if (kind !== 'deleted') steering.watch(id)
    },
    async opened(id) {
      if ((await modeOf(id)) !== 'off') steering.watch(id)
    },
    async erased(ids) {
      for (const id of ids) {
        if (await hasCopy(id)) await exporter.anewSoon(id, 'renew')
      }
    },
    patienceMs: server.patienceMs,
    async stop() {
      steering.stop()
      await far.close()
      clearTimeout(nextSweep)
      const patienceMs = server.patienceMs()
      const ended = exporter.stop(patienceMs)
      await Promise.race([sweeping, sleep(patienceMs, undefined, { ref: false })])
      await ended
    },
  }
}

const RISING: readonly RemoteMode[] = ['off', 'export', 'steer']

const keptHere = (most: RemoteMode): EngineError =>
  new EngineError(
    'invalid',
    most === 'off'
      ? 'This was started with --no-remote-export: nothing of its sessions leaves this machine. Nothing was changed. Start it without, or run reprise remote on.'
      : 'This was started with --no-remote: nobody acts in its sessions from afar. Nothing was changed. Start it without.',
  )

async function repositoryOf(
  engine: Engine,
  id: SessionId,
  known: Known | undefined,
): Promise<string | undefined> {
  const { repository } = known ?? (await (await engine.open(id)).metadata())
  return repository
}
