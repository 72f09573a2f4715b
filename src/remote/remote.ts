/** The copies of a home's sessions in Mission Control: which are wanted, how far each is, and what is done from afar. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Change } from '../engine/home/home-changes.ts'
import type { Engine } from '../engine/engine.ts'
import { asEngineErrors } from './engine-errors.ts'
import type { RemoteControl, RemoteMode, RemoteStatus } from '../engine/remote-control.ts'
import type { SessionId } from '../format/ids.ts'
import type { Notice } from '../format/notice.ts'
import { sessionDir } from '../format/paths.ts'
import { inLanes } from '../lib/in-lanes.ts'
import { createExporter } from './exporter.ts'
import { copyStatus, farStatus, lastStatus } from './status.ts'
import type { Redaction } from './lines.ts'
import { aboutSession } from './about-session.ts'
import { allCopies } from './all-copies.ts'
import { createConnections } from './far/connections.ts'
import { taskControl } from './task-control.ts'
import { farLists } from './far-list.ts'
import { lastLink, readLink } from './link.ts'
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
  const { engine, server, redaction, cleanNotices, modeFor, isKeeping, mayWiden } = parts
  const { fs } = engine
  const modes = new Map<SessionId, RemoteMode>()

  /** `known`: what a list says of it, so that it need not be opened. */
  const modeOf = async (id: SessionId, known?: Known): Promise<RemoteMode> => {
    if (!isKeeping) return 'off'
    const said = modes.get(id)
    if (said !== undefined) return said
    const link = await readLink(fs, sessionDir(id))
    const isTheirs = link !== undefined && link.server !== server.url
    const mode = isTheirs ? 'off' : (link?.mode ?? modeFor(await repositoryOf(engine, id, known)))
    modes.set(id, mode)
    return mode
  }
  const far = createConnections(server)
  const exporter = createExporter({
    fs,
    server,
    redaction,
    isWanted: async (id) => (await modeOf(id)) !== 'off',
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
  beginSweep()
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
      await setMode({ engine, server, exporter, steering, modes, modeOf }, id, mode, wanted)
      return statusOf(id)
    },
    ...allCopies({ engine, server, exporter, modes, modeOf }),
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

async function repositoryOf(
  engine: Engine,
  id: SessionId,
  known: Known | undefined,
): Promise<string | undefined> {
  const { repository } = known ?? (await (await engine.open(id)).metadata())
  return repository
}
