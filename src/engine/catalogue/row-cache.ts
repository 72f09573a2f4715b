/**
 * Rows that this process has read lately: a program that lists sessions asks for some of them next. Each is believed as
 * long as its session has the size and times that it was read with.
 */
import type { SessionId } from '../../format/ids.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { isSettled } from './catalogue-staleness.ts'
import type { CatalogueRow } from './catalogue-row.ts'
import type { FoundSession } from './scan-sessions.ts'

/** About 10 MB of them; of a larger home the newest. */
const MOST = 10_000

const kept = new WeakMap<SessionFs, Map<SessionId, CatalogueRow>>()

/** Newest first, as they were after `sinceMs`; those that may have changed since with the same time on them are not kept. */
export function keepRows(fs: SessionFs, rows: readonly CatalogueRow[], sinceMs: number): void {
  const known = kept.get(fs) ?? new Map<SessionId, CatalogueRow>()
  if (known.size + rows.length > MOST) known.clear()
  kept.set(fs, known)
  for (const row of rows.slice(0, MOST))
    if (isSettled(Math.max(row.folderMtimeMs, row.logMtimeMs), sinceMs))
      known.set(row.session.id, row)
}

export function keptRow(fs: SessionFs, found: FoundSession): CatalogueRow | undefined {
  const row = kept.get(fs)?.get(found.id)
  return row !== undefined && stillHolds(row, found) ? row : undefined
}

const stillHolds = (row: CatalogueRow, found: FoundSession): boolean =>
  row.logMtimeMs === found.logMtimeMs &&
  row.folderMtimeMs === found.folderMtimeMs &&
  row.session.bytes === found.bytes
