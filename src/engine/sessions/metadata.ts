/** What is known of one session without replaying it. */
import type { SessionId } from '../../format/ids.ts'
import { readLease } from '../../log/lease.ts'
import { readableSize } from '../../log/redo.ts'
import { listRewound } from '../../log/undo-log.ts'
import { folderBytes } from '../../workspace/folder-bytes.ts'
import type { SessionSummary } from '../catalogue/catalogue-row.ts'
import type { EngineContext } from '../engine-context.ts'
import { explainMissing } from '../live/not-found-reason.ts'
import { logPath } from '../../format/paths.ts'
import { sessionDir } from '../session-dir.ts'
import { readSummary } from '../catalogue/session-summary.ts'

export type SessionMetadata = SessionSummary & {
  readonly path: string
  /** The size of everything in the session's folder. */
  readonly folderBytes: number
  /** Who has the session open for writing now. */
  readonly holder?: {
    readonly pid: number
    readonly host: string
    readonly label: string
    readonly since: string
  }
  /** How many rewinds can be looked at or redone. */
  readonly rewound: number
  /** Of a session on another machine: whose it is there. */
  readonly person?: string
}

export async function metadata(engine: EngineContext, id: SessionId): Promise<SessionMetadata> {
  const { fs } = engine
  const dir = sessionDir(id)
  const log = await fs.stat(logPath(dir))
  if (log === undefined || log.size === 0) throw await explainMissing(engine, id)
  const place = { id, bytes: log.size, modifiedAt: new Date(log.mtimeMs).toISOString() }
  const holder = await readLease(fs, dir)
  return {
    ...(await readSummary(fs, dir, place)),
    bytes: await readableSize(fs, dir),
    path: fs.nativePath(dir),
    folderBytes: await folderBytes(fs, dir),
    rewound: (await listRewound(fs, dir)).length,
    ...(holder?.alive === true && {
      holder: { pid: holder.pid, host: holder.host, label: holder.label, since: holder.since },
    }),
  }
}
