/**
 * What the file system said of a session when it was last indexed. As long as it says the same, nothing has
 * to be read. Never trusted within the tick of a clock in which it was taken.
 */
import type { SessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { statEach } from '../fs/stat-each.ts'
import { SESSIONS, logPath, sessionDir } from '../format/paths.ts'
import type { Sql } from './sql.ts'

type Stamp = {
  readonly logSize: number
  readonly logMtimeMs: number | null
  readonly folderMtimeMs: number | null
}

export type StampedSession = Stamp & { readonly id: SessionId }

/** All names of sessions, whatever stands there. */
export async function listSessions(fs: SessionFs): Promise<SessionId[]> {
  // Ids come with their schema; a search starts without it.
  const { isSessionId } = await import('../format/ids.ts')
  const ids: SessionId[] = []
  for (const { name } of await fs.list(SESSIONS)) if (isSessionId(name)) ids.push(name)
  return ids
}

/** Those that have a log, the one that was written longest ago first. */
export async function findSessions(
  fs: SessionFs,
  ids?: readonly SessionId[],
): Promise<StampedSession[]> {
  const listed = ids ?? (await listSessions(fs))
  const stats = await statEach(
    fs,
    listed.flatMap((id) => [sessionDir(id), logPath(sessionDir(id))]),
  )
  return listed
    .flatMap((id, index): StampedSession[] => {
      const [folder, log] = [stats[2 * index], stats[2 * index + 1]]
      if (folder?.kind !== 'folder' || log?.kind !== 'file' || log.size === 0) return []
      return [{ id, logSize: log.size, logMtimeMs: log.mtimeMs, folderMtimeMs: folder.mtimeMs }]
    })
    .sort((a, b) => (a.logMtimeMs ?? 0) - (b.logMtimeMs ?? 0))
}

type Compared = {
  /** As they were when they were last indexed. */
  readonly same: ReadonlySet<StampedSession>
  /** No longer there. */
  readonly gone: readonly SessionId[]
}

/** Some rows at a time, as bare lists: a home may hold very many, and each costs. */
const ROWS = 4000

export function compareStamps(sql: Sql, found: ReadonlyMap<string, StampedSession>): Compared {
  const same = new Set<StampedSession>()
  const gone: SessionId[] = []
  const page = sql(
    `SELECT session_id, log_size, log_mtime_ms, folder_mtime_ms, has_artifacts FROM reprise_stamps
     WHERE session_id > ? ORDER BY session_id LIMIT ${ROWS}`,
  )
  page.setReturnArrays(true)
  for (let last = ''; ;) {
    const rows = page.all(last) as unknown as readonly Row[]
    for (const [id, logSize, logMtimeMs, folderMtimeMs, hasArtifacts] of rows) {
      const session = found.get(id)
      if (session === undefined) gone.push(id)
      else if (hasArtifacts === 0 && stillHolds({ logSize, logMtimeMs, folderMtimeMs }, session))
        same.add(session)
    }
    const end = rows.at(-1)
    if (end === undefined) break
    last = end[0]
  }
  // What was indexed by the way, while it was written, has no stamp.
  for (const { id } of sql(
    'SELECT session_id AS id FROM reprise_cursors EXCEPT SELECT session_id FROM reprise_stamps',
  ).iterate())
    if (!found.has(String(id))) gone.push(id as SessionId)
  return { same, gone }
}

type Row = readonly [
  id: SessionId,
  logSize: number,
  logMtimeMs: number | null,
  folderMtimeMs: number | null,
  hasArtifacts: number,
]

/** Files in its own folder change without moving any stamp: a session that has some is always looked at. */
const stillHolds = (known: Stamp, found: Stamp): boolean =>
  known.logSize === found.logSize &&
  known.logMtimeMs === found.logMtimeMs &&
  known.folderMtimeMs === found.folderMtimeMs

/** `sinceMs` is a time before the stamp was taken. */
export function keepStamp(
  sql: Sql,
  { id, logSize, logMtimeMs, folderMtimeMs }: StampedSession,
  { hasArtifacts, sinceMs }: { hasArtifacts: boolean; sinceMs: number },
): void {
  const isSure = isSettled(Math.max(logMtimeMs ?? Infinity, folderMtimeMs ?? Infinity), sinceMs)
  sql('INSERT OR REPLACE INTO reprise_stamps VALUES (?, ?, ?, ?, ?)').run(
    id,
    logSize,
    isSure ? logMtimeMs : null,
    folderMtimeMs,
    hasArtifacts ? 1 : 0,
  )
}

/** File systems tick every few milliseconds, some every two seconds. */
const isSettled = (mtimeMs: number, sinceMs: number): boolean =>
  sinceMs - mtimeMs > (mtimeMs % 1000 === 0 ? 2000 : 20)

const FOLDER = 'sessions folder'

export async function keepHomeStamp(fs: SessionFs, sql: Sql, sinceMs: number): Promise<void> {
  const mtimeMs = (await fs.stat(SESSIONS))?.mtimeMs ?? null
  const isSure = mtimeMs === null || isSettled(mtimeMs, sinceMs)
  sql('INSERT OR REPLACE INTO reprise_home VALUES (?, ?)').run(FOLDER, isSure ? mtimeMs : -1)
}

/** The sessions most likely to have gone on without us. */
const RECENT = 64

/**
 * A cheap look, the same for ten sessions and for ten thousand: whether sessions came or went, and whether
 * one of those that changed last has changed again.
 */
export async function looksStale(fs: SessionFs, sql: Sql): Promise<boolean> {
  const known = sql('SELECT value FROM reprise_home WHERE name = ?').get(FOLDER)
  const mtimeMs = (await fs.stat(SESSIONS))?.mtimeMs ?? null
  if ((known?.value ?? null) !== mtimeMs) return true
  const rows = sql(
    `SELECT session_id AS id, log_size AS logSize FROM reprise_stamps
     WHERE log_mtime_ms IS NOT NULL ORDER BY log_mtime_ms DESC LIMIT ${RECENT}`,
  ).all() as { id: SessionId; logSize: number }[]
  const stats = await statEach(
    fs,
    rows.map(({ id }) => logPath(sessionDir(id))),
  )
  return rows.some(({ logSize }, index) => stats[index]?.size !== logSize)
}
