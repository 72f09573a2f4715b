/** Reads anew what a list tells of sessions: of one, or of many, some at a time. */
import { setImmediate as nextRound } from 'node:timers/promises'
import type { SessionId } from '../../format/ids.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { codeOf } from '../../fs/fs-error.ts'
import { inLanes } from '../../lib/map-concurrent.ts'
import { sessionDir } from '../session-dir.ts'
import type { CatalogueRow, SessionSummary } from './catalogue-row.ts'
import { findSessions, type FoundSession } from './scan-sessions.ts'
import { keptRow, keepRows } from './row-cache.ts'

// Enough to keep a remote file system busy, far from the limit of open files.
const LANES = 32
const BATCH = 256

/** In the order in which they are given. One that cannot be read is left out, and is in `unread` then. */
export async function* readSummaries(
  fs: SessionFs,
  sessions: readonly FoundSession[],
  unread: SessionId[] = [],
): AsyncGenerator<CatalogueRow[], void, void> {
  if (sessions.length === 0) return
  // Reading a log needs every schema; a list of unchanged sessions starts without them.
  const { readSummary } = await import('./session-summary.ts')
  for (let at = 0; at < sessions.length; at += BATCH) {
    const rows = await inLanes(sessions.slice(at, at + BATCH), LANES, async (found) => {
      const { id, bytes, logMtimeMs, folderMtimeMs } = found
      const place = { id, bytes, modifiedAt: new Date(logMtimeMs).toISOString() }
      try {
        const session = await readSummary(fs, sessionDir(id), place)
        return { logMtimeMs, folderMtimeMs, session }
      } catch (error) {
        if (codeOf(error) === undefined) throw error
        unread.push(id)
        return undefined
      }
    })
    yield rows.filter((row) => row !== undefined)
    await nextRound()
  }
}

/** Undefined when there is none, or it has said nothing. What others are there does not matter. */
export async function readOneSummary(
  fs: SessionFs,
  id: SessionId,
): Promise<SessionSummary | undefined> {
  const sinceMs = Date.now()
  const { found } = await findSessions(fs, [id])
  const kept = found[0] && keptRow(fs, found[0])
  if (kept !== undefined) return kept.session
  for await (const rows of readSummaries(fs, found)) {
    keepRows(fs, rows, sinceMs)
    return rows[0]?.session
  }
  return undefined
}
