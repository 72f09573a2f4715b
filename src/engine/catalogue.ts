/**
 * The sessions of a home, newest first, without opening each: what was read before is believed as long
 * as the file system says that nothing changed, and only the rest is read again.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import { isSessionId } from '../format/ids.ts'
import type { SessionId } from '../format/ids.ts'
import type { FileStat, SessionFs } from '../fs/session-fs.ts'
import { inLanes } from '../lib/in-lanes.ts'
import { readCatalogue, stillHolds, writeCatalogue } from './catalogue-file.ts'
import type { CatalogueRow, Found } from './catalogue-file.ts'
import { SESSIONS, logPath, sessionDir } from './places.ts'

export type SessionSummary = {
  readonly id: SessionId
  readonly name?: string
  readonly userNamed: boolean
  /** The beginning of the first prompt, on one line. */
  readonly summary: string
  readonly cwd?: string
  readonly gitRoot?: string
  readonly repository?: string
  readonly repositoryKey?: string
  readonly branch?: string
  readonly hostType?: string
  readonly clientName?: string
  readonly createdAt: string
  /** Known when the log is short enough to be read whole. */
  readonly turns?: number
  readonly checkpoints: number
  readonly forkCount: number
  /** When the log was last written. */
  readonly modifiedAt: string
  /** Of the log. */
  readonly bytes: number
}

export async function listSessions(fs: SessionFs): Promise<SessionSummary[]> {
  // Taken before anything is looked at: what changes after it is read again next time.
  const sinceMs = Date.now()
  const [sessions, known] = await Promise.all([findSessions(fs), readCatalogue(fs)])
  const rows: CatalogueRow[] = []
  const stale: Found[] = []
  for (const found of sessions) {
    const row = known.get(found.id)
    if (row !== undefined && stillHolds(row, found)) rows.push(row)
    else stale.push(found)
  }
  rows.push(...(await readAgain(fs, stale)))
  if (stale.length > 0 || known.size > rows.length) await writeCatalogue(fs, rows, sinceMs)
  return rows.sort(newestFirst).map(({ session }) => session)
}

/** The session whose log was written last. */
export async function latestSessionId(fs: SessionFs): Promise<SessionId | undefined> {
  let latest: SessionId | undefined
  let latestMs = -Infinity
  await eachSession(fs, logOf, (id, [log]) => {
    if (!hasContent(log) || log.mtimeMs <= latestMs) return
    latest = id
    latestMs = log.mtimeMs
  })
  return latest
}

/** Folders of sessions that have said nothing: no log, or an empty one. They cannot be resumed. */
export async function emptySessions(fs: SessionFs): Promise<SessionId[]> {
  const empty: SessionId[] = []
  await eachSession(fs, logOf, (id, [log]) => {
    if (!hasContent(log)) empty.push(id)
  })
  return empty.sort()
}

/** Names of the flat files of an older format. They are told of and left alone. */
export const legacySessions = async (fs: SessionFs): Promise<string[]> =>
  (await fs.list(SESSIONS))
    .flatMap(({ name, kind }) => (kind === 'file' && name.endsWith('.jsonl') ? [name] : []))
    .sort()

/** Only whole ids count: a look-alike is somebody else's. */
async function findIds(fs: SessionFs): Promise<SessionId[]> {
  const ids: SessionId[] = []
  for (const { name, kind } of await fs.list(SESSIONS)) {
    if (kind === 'folder' && isSessionId(name)) ids.push(name)
  }
  return ids
}

async function findSessions(fs: SessionFs): Promise<Found[]> {
  const found: Found[] = []
  await eachSession(fs, folderAndLogOf, (id, [folder, log]) => {
    if (!hasContent(log)) return
    const { size: bytes, mtimeMs: logMtimeMs } = log
    found.push({ id, bytes, logMtimeMs, folderMtimeMs: folder?.mtimeMs ?? 0 })
  })
  return found
}

const folderOf = (id: SessionId): string => `${SESSIONS}/${id}`
const logOf = (id: SessionId): string[] => [logPath(folderOf(id))]
const folderAndLogOf = (id: SessionId): string[] => [folderOf(id), logPath(folderOf(id))]

/** Many enough that `statMany` lets others run. */
const PORTION = 1000

/** Looks at some files of every session. In portions: ten thousand looks at once are a heap to clean up. */
async function eachSession(
  fs: SessionFs,
  filesOf: (id: SessionId) => readonly string[],
  visit: (id: SessionId, stats: readonly (FileStat | undefined)[]) => void,
): Promise<void> {
  const ids = await findIds(fs)
  for (let at = 0; at < ids.length; at += PORTION) {
    const some = ids.slice(at, at + PORTION)
    const stats = await fs.statMany(some.flatMap(filesOf))
    const each = stats.length / some.length
    some.forEach((id, index) => visit(id, stats.slice(index * each, (index + 1) * each)))
  }
}

const hasContent = (log: FileStat | undefined): log is FileStat =>
  log?.kind === 'file' && log.size > 0

// Enough to keep a remote file system busy, far from the limit of open files.
const LANES = 32
const BATCH = 256

async function readAgain(fs: SessionFs, stale: readonly Found[]): Promise<CatalogueRow[]> {
  if (stale.length === 0) return []
  // Reading a log needs every schema; a list of unchanged sessions starts without them.
  const { readSummary } = await import('./session-summary.ts')
  const rows: CatalogueRow[] = []
  for (let at = 0; at < stale.length; at += BATCH) {
    const batch = await inLanes(stale.slice(at, at + BATCH), LANES, async (found) => ({
      logMtimeMs: found.logMtimeMs,
      folderMtimeMs: found.folderMtimeMs,
      session: await readSummary(fs, sessionDir(found.id), {
        id: found.id,
        bytes: found.bytes,
        modifiedAt: new Date(found.logMtimeMs).toISOString(),
      }),
    }))
    rows.push(...batch)
    await nextRound()
  }
  return rows
}

const newestFirst = (a: CatalogueRow, b: CatalogueRow): number =>
  b.logMtimeMs - a.logMtimeMs || (a.session.id < b.session.id ? -1 : 1)
