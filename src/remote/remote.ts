/** The copies of a home's sessions in Mission Control: which are wanted, how far each is, and what is done from afar. */
import type { Change } from '../engine/home/changes.ts'
import type { Engine } from '../engine/engine.ts'
import type { RemoteControl, RemoteMode, RemoteStatus } from '../engine/remote-control.ts'
import type { SessionId } from '../format/ids.ts'
import type { Notice } from '../format/notice.ts'
import { sessionDir } from '../format/paths.ts'
import { createExporter } from './exporter.ts'
import type { CopyStatus } from './exporter.ts'
import type { RedactValue } from './lines.ts'
import { readLink, writeLink } from './link.ts'
import type { Server } from './server.ts'
import { createSteering } from './steering.ts'

export type RemoteParts = {
  readonly engine: Engine
  readonly server: Server
  readonly redact: RedactValue
  cleanNotices(): (notice: Notice) => readonly Notice[]
  /** Of sessions for which nothing was said; by their repository. */
  readonly modeFor: (repository: string | undefined) => RemoteMode
  readonly mayWiden: boolean
}

export type Remote = RemoteControl & {
  changed(change: Change): Promise<void>
  opened(id: SessionId): Promise<void>
  /** The log of these was rewritten, or is gone: the copies must not keep what it had. */
  erased(ids: readonly SessionId[]): Promise<void>
  stop(): Promise<void>
}

export function openRemote(parts: RemoteParts): Remote {
  const { engine, server, redact, cleanNotices, modeFor, mayWiden } = parts
  const { fs } = engine
  const exporter = createExporter({ fs, server, redact })
  const modes = new Map<SessionId, RemoteMode>()

  const modeOf = async (id: SessionId): Promise<RemoteMode> => {
    const known = modes.get(id)
    if (known !== undefined) return known
    const link = await readLink(fs, sessionDir(id))
    const isTheirs = link !== undefined && link.server !== server.url
    const mode = isTheirs ? 'off' : (link?.mode ?? modeFor(await repositoryOf(engine, id)))
    modes.set(id, mode)
    return mode
  }
  const steering = createSteering({
    engine,
    server,
    allowance: { mayWiden },
    cleanNotices,
    sync: (id) => exporter.sync(id),
    isSteerable: async (id) => (await modeOf(id)) === 'steer',
  })
  const statusOf = async (id: SessionId): Promise<RemoteStatus> =>
    told(await modeOf(id), exporter.status(id), `${server.url}/sessions/${id}`)

  return {
    url: server.url,
    status: statusOf,
    async set(id, mode) {
      const dir = sessionDir(id)
      const before = await modeOf(id)
      const link = await readLink(fs, dir)
      await writeLink(fs, dir, { version: 1, ...link, server: server.url, mode })
      modes.set(id, mode)
      if ((before === 'steer') !== (mode === 'steer'))
        await (await engine.open(id)).setSteerable(mode === 'steer')
      if (mode !== 'off') await exporter.anew(id, 'restore')
      if (mode === 'steer') steering.watch(id)
      return statusOf(id)
    },
    async sync() {
      const due = await exporter.due()
      const states = await Promise.all(due.map((id) => exporter.sync(id)))
      const done = states.filter(({ state }) => state === 'active').length
      return { done, failed: states.length - done }
    },
    sessions: async () =>
      (await server.sessions()).map(({ presence, ...session }) => ({
        ...session,
        state: presence.state,
        isStale: presence.isStale,
        staleAt: presence.staleAt,
      })),
    async changed({ id, kind }) {
      // The copy goes with the session; one that is restored is exported anew.
      if (kind === 'deleted') modes.delete(id)
      else if ((await modeOf(id)) === 'off') return
      if (kind === 'restored') await exporter.anew(id, 'restore')
      else exporter.changed(id)
      if (kind !== 'deleted') steering.watch(id)
    },
    async opened(id) {
      if ((await modeOf(id)) !== 'off') steering.watch(id)
    },
    async erased(ids) {
      for (const id of ids) {
        const link = await readLink(fs, sessionDir(id))
        if (link === undefined || link.server === server.url) await exporter.anew(id, 'renew')
      }
    },
    async stop() {
      steering.stop()
      await exporter.stop()
    },
  }
}

async function repositoryOf(engine: Engine, id: SessionId): Promise<string | undefined> {
  const { repository } = await (await engine.open(id)).metadata()
  return repository
}

function told(mode: RemoteMode, copy: CopyStatus | undefined, url: string): RemoteStatus {
  if (mode === 'off') return { mode, state: 'off' }
  if (copy === undefined || copy.state === 'connecting') return { mode, state: 'connecting', url }
  if (copy.state === 'active') return { mode, state: 'active', url, at: copy.at }
  return { mode, state: 'error', url, error: copy.error, at: copy.since }
}
