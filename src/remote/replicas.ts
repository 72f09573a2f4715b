/** What is asked of all copies of a home at once. */
import type { Engine } from '../engine/engine.ts'
import type { RemoteControl, RemoteMode } from '../engine/remote-control.ts'
import type { SessionId } from '../format/ids.ts'
import { sessionDir } from '../format/paths.ts'
import { inLanes } from '../lib/map-concurrent.ts'
import { compareCopies } from './compare.ts'
import type { Exporter } from './exporter.ts'
import { readLink, writeLink } from './link.ts'
import type { Server } from './control-client.ts'
import { syncAll, type SyncParts } from './sync-all.ts'
import { noteDismissed } from './workspace-link.ts'

type AllParts = {
  readonly engine: Engine
  readonly server: Server
  readonly exporter: Exporter
  /** Those that are known. */
  readonly modes: Map<SessionId, RemoteMode>
  readonly modeOf: SyncParts['modeOf']
}

const LANES = 4

type AllCopies = Pick<RemoteControl, 'sync' | 'compare' | 'dismissIn' | 'withoutCopy'>

export function allCopies({ engine, server, exporter, modes, modeOf }: AllParts): AllCopies {
  const { fs } = engine
  const adopt = async (id: SessionId): Promise<boolean> => {
    const dir = sessionDir(id)
    const link = await readLink(fs, dir)
    if (link?.mode === 'off' || (link !== undefined && link.server !== server.url)) return false
    await writeLink(fs, dir, { version: 1, ...link, server: server.url, mode: 'export' })
    modes.set(id, 'export')
    return true
  }
  return {
    sync: (wish = {}) => syncAll({ engine, server, exporter, modeOf, adopt }, wish),
    compare: (ids) => compareCopies({ engine, server, modeOf }, ids),
    dismissIn: (id) => noteDismissed(fs, id),
    async withoutCopy({ repository }) {
      const listed = await engine.list()
      const ofIt = listed.filter(
        (each) => repository === undefined || each.repository === repository,
      )
      const links = await inLanes(ofIt, LANES, ({ id }) => readLink(fs, sessionDir(id)))
      return links.filter((link) => link?.mode === undefined && link?.copy === undefined).length
    },
  }
}
