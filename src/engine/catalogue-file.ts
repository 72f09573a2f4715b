/**
 * The catalogue on disk: what was last read of every session, with the stamps that say whether it
 * still holds. Derived and disposable: a missing, damaged or foreign file is no catalogue, and a home
 * that cannot be written goes without one. Of several writers the last one wins.
 */
import type { SessionId } from '../format/ids.ts'
import { codeOf } from '../fs/fs-error.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import type { SessionSummary } from './catalogue.ts'

export const CATALOGUE = '.reprise/catalogue.json'

const VERSION = 1

/** A session as the file system shows it. */
export type Found = {
  readonly id: SessionId
  /** Of the log. */
  readonly bytes: number
  readonly logMtimeMs: number
  /** workspace.yaml is always replaced by a rename, which moves this. */
  readonly folderMtimeMs: number
}

export type CatalogueRow = {
  readonly logMtimeMs: number
  readonly folderMtimeMs: number
  readonly session: SessionSummary
}

export const stillHolds = (row: CatalogueRow, found: Found): boolean =>
  row.logMtimeMs === found.logMtimeMs &&
  row.session.bytes === found.bytes &&
  row.folderMtimeMs === found.folderMtimeMs

export async function readCatalogue(fs: SessionFs): Promise<Map<string, CatalogueRow>> {
  const rows = new Map<string, CatalogueRow>()
  for (const row of await storedRows(fs)) {
    if (isRow(row)) rows.set(row.session.id, row)
  }
  return rows
}

async function storedRows(fs: SessionFs): Promise<unknown[]> {
  try {
    const bytes = await fs.read(CATALOGUE)
    if (bytes === undefined) return []
    const stored: unknown = JSON.parse(decodeText(bytes))
    if (typeof stored !== 'object' || stored === null) return []
    const { version, sessions } = stored as { version?: unknown; sessions?: unknown }
    return version === VERSION && Array.isArray(sessions) ? sessions : []
  } catch (error) {
    if (error instanceof SyntaxError || codeOf(error) !== undefined) return []
    throw error
  }
}

function isRow(row: unknown): row is CatalogueRow {
  if (typeof row !== 'object' || row === null || !('session' in row)) return false
  const { session } = row as { session: Partial<SessionSummary> | null }
  return typeof session?.id === 'string' && typeof session.createdAt === 'string'
}

/** Keeps the rows that will still be true when their stamps are. */
export async function writeCatalogue(
  fs: SessionFs,
  rows: readonly CatalogueRow[],
  sinceMs: number,
): Promise<void> {
  const settled = rows.filter((row) => isSettled(row, sinceMs))
  const text = inAscii(JSON.stringify({ version: VERSION, sessions: settled }))
  try {
    await fs.writeAtomic(CATALOGUE, encodeText(text), { durable: false })
  } catch (error) {
    // A full or read-only disk costs the next listing some time and nothing else.
    if (codeOf(error) === undefined) throw error
  }
}

/** A text of other characters takes twice the room in memory, and longer to read. */
const inAscii = (json: string): string =>
  json.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/**
 * A folder that changed in the same tick in which it was read may have changed once more since, with
 * the same time on it. File systems tick every few milliseconds, some every two seconds.
 */
function isSettled({ folderMtimeMs, logMtimeMs }: CatalogueRow, sinceMs: number): boolean {
  const latest = Math.max(folderMtimeMs, logMtimeMs)
  return sinceMs - latest > (latest % 1000 === 0 ? 2000 : 20)
}
