/**
 * The sessions of a home, newest first, without opening each: what was read before is believed where no process
 * can have changed it, checked where one may have, and only what did change is read again.
 */
import { setImmediate as nextRound } from 'node:timers/promises'
import { isSessionId } from '../../format/ids.ts'
import type { SessionId } from '../../format/ids.ts'
import type { FileStat, SessionFs } from '../../fs/session-fs.ts'
import { inLanes } from '../../lib/in-lanes.ts'
import { doubtsOf, keep } from './catalogue-doubts.ts'
import { readCatalogue, readLook } from './catalogue-file.ts'
import type { CatalogueRow, SessionSummary } from './catalogue-row.ts'
import { SESSIONS, logPath } from '../../format/paths.ts'
import { sessionDir } from '../session-dir.ts'

export async function listSessions(fs: SessionFs): Promise<SessionSummary[]> {
  // Taken before anything is looked at: what changes after it is looked at again next time.
  const sinceMs = Date.now()
  const known = await readCatalogue(fs)
  const doubts = await doubtsOf(fs, known?.look, sinceMs)
  const ids =
    known !== undefined && doubts?.areFoldersSame === true
      ? [...known.rows.keys(), ...known.look.unlisted].filter(isSessionId)
      : await findIds(fs)

  const rows: CatalogueRow[] = []
  const doubtful: SessionId[] = []
  for (const id of ids) {
    const row = known?.rows.get(id)
    if (row !== undefined && doubts !== undefined && !doubts.touched.has(id)) rows.push(row)
    else doubtful.push(id)
  }
  const stale: FoundSession[] = []
  for (const found of await findSessions(fs, doubtful)) {
    const row = known?.rows.get(found.id)
    if (row !== undefined && stillHolds(row, found)) rows.push(row)
    else stale.push(found)
  }
  rows.push(...(await readAgain(fs, stale)))
  rows.sort(newestFirst(({ session }) => session.id))
  const isNews =
    stale.length > 0 || doubts?.areFoldersSame !== true || known?.rows.size !== rows.length
  if (isNews && (ids.length > 0 || known !== undefined)) await keep(fs, rows, ids, sinceMs)
  return rows.map(({ session }) => session)
}

/** The session whose log was written last. */
export async function latestSessionId(fs: SessionFs): Promise<SessionId | undefined> {
  const open = await openQuestions(fs)
  if (open === undefined) return (await listSessions(fs))[0]?.id
  const found = await findSessions(fs, [...open.ids, ...(open.latest ? [open.latest] : [])])
  return found.sort(newestFirst(({ id }) => id))[0]?.id
}

/** Folders of sessions that have said nothing: no log, or an empty one. They cannot be resumed. */
export async function emptySessions(fs: SessionFs): Promise<SessionId[]> {
  const empty: SessionId[] = []
  const ids = (await openQuestions(fs))?.ids ?? (await findIds(fs))
  await eachSession(fs, ids, (id, [folder, log]) => {
    if (folder?.kind === 'folder' && !hasContent(log)) empty.push(id)
  })
  return [...new Set(empty)].sort()
}

/** Sessions of which the catalogue cannot tell; undefined when it cannot tell of any. */
async function openQuestions(fs: SessionFs) {
  const look = await readLook(fs)
  const doubts = await doubtsOf(fs, look, Date.now())
  if (look === undefined || doubts?.areFoldersSame !== true) return undefined
  return { ids: [...doubts.touched, ...look.unlisted], latest: look.latest }
}

/** Names of the flat files of an older format. They are told of and left alone. */
export const legacySessions = async (fs: SessionFs): Promise<string[]> =>
  (await fs.list(SESSIONS))
    .flatMap(({ name, kind }) => (kind === 'file' && name.endsWith('.jsonl') ? [name] : []))
    .sort()

/** Only whole ids count: a look-alike is another program's. */
async function findIds(fs: SessionFs): Promise<SessionId[]> {
  const ids: SessionId[] = []
  for (const { name, kind } of await fs.list(SESSIONS)) {
    if (kind === 'folder' && isSessionId(name)) ids.push(name)
  }
  return ids
}

/** Those that have said something. */
async function findSessions(fs: SessionFs, ids: readonly SessionId[]): Promise<FoundSession[]> {
  const found: FoundSession[] = []
  await eachSession(fs, ids, (id, [folder, log]) => {
    if (!hasContent(log)) return
    const { size: bytes, mtimeMs: logMtimeMs } = log
    found.push({ id, bytes, logMtimeMs, folderMtimeMs: folder?.mtimeMs ?? 0 })
  })
  return found
}

const folderAndLogOf = (id: SessionId): string[] => [
  `${SESSIONS}/${id}`,
  logPath(`${SESSIONS}/${id}`),
]

/** Many enough that `statMany` lets others run. */
const PORTION = 1000

/** Looks at the folder and the log of each. In portions: ten thousand looks at once are a heap to clean up. */
async function eachSession(
  fs: SessionFs,
  ids: readonly SessionId[],
  visit: (id: SessionId, stats: readonly (FileStat | undefined)[]) => void,
): Promise<void> {
  for (let at = 0; at < ids.length; at += PORTION) {
    const some = ids.slice(at, at + PORTION)
    const stats = await fs.statMany(some.flatMap(folderAndLogOf))
    some.forEach((id, index) => visit(id, stats.slice(index * 2, index * 2 + 2)))
  }
}

/** A session as the file system shows it. */
type FoundSession = {
  readonly id: SessionId
  /** The size of the log. */
  readonly bytes: number
  readonly logMtimeMs: number
  readonly folderMtimeMs: number
}

const stillHolds = (row: CatalogueRow, found: FoundSession): boolean =>
  row.logMtimeMs === found.logMtimeMs &&
  row.session.bytes === found.bytes &&
  row.folderMtimeMs === found.folderMtimeMs

const hasContent = (log: FileStat | undefined): log is FileStat =>
  log?.kind === 'file' && log.size > 0

// Enough to keep a remote file system busy, far from the limit of open files.
const LANES = 32
const BATCH = 256

async function readAgain(fs: SessionFs, stale: readonly FoundSession[]): Promise<CatalogueRow[]> {
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

/** Where logs were written at the same time the ids decide, so that every list and the latest agree. */
const newestFirst =
  <T extends { readonly logMtimeMs: number }>(idOf: (each: T) => SessionId) =>
  (a: T, b: T): number =>
    b.logMtimeMs - a.logMtimeMs || (idOf(a) < idOf(b) ? -1 : 1)
