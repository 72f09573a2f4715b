/**
 * A row of the catalogue as it is stored: values in a fixed order, and what many sessions have in common once,
 * by its number. A third of the bytes that names and texts would take, and of the time to read them.
 */
import { isSessionId, type SessionId } from '../../format/ids.ts'

export type SessionSummary = {
  readonly id: SessionId
  readonly name?: string
  readonly userNamed: boolean
  /** The beginning of the first prompt, else of the first command that a person ran, on one line. */
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
  /** The session that this one was forked from. It may be gone. */
  readonly forkedFrom?: SessionId
  /** What people call the agent that it was imported from. */
  readonly importedFrom?: string
  /** Who answers, where the beginning of the log says it. */
  readonly agent?: string
  /** When the log was last written. */
  readonly modifiedAt: string
  /** The size of the log. */
  readonly bytes: number
}

export type CatalogueRow = {
  readonly logMtimeMs: number
  /** workspace.yaml is always replaced by a rename, which moves this. */
  readonly folderMtimeMs: number
  readonly session: SessionSummary
}

type StoredRows = { readonly texts: readonly unknown[]; readonly rows: readonly unknown[] }

type Field = keyof SessionSummary

/** A new field of a session gets its line here; an old catalogue then has rows of another length. */
const FIELDS: { readonly [K in Field]: 'own' | 'shared' | 'derived' } = {
  id: 'own',
  name: 'own',
  userNamed: 'own',
  summary: 'own',
  cwd: 'shared',
  gitRoot: 'shared',
  repository: 'shared',
  repositoryKey: 'shared',
  branch: 'shared',
  hostType: 'shared',
  clientName: 'shared',
  createdAt: 'own',
  turns: 'own',
  checkpoints: 'own',
  forkCount: 'own',
  forkedFrom: 'own',
  importedFrom: 'shared',
  agent: 'shared',
  modifiedAt: 'derived',
  bytes: 'own',
}
const named = Object.keys(FIELDS) as Field[]
const OWN = named.filter((field) => FIELDS[field] === 'own')
const SHARED = named.filter((field) => FIELDS[field] === 'shared')
const STAMPS = 2
const LENGTH = STAMPS + OWN.length + SHARED.length

export function encodeRows(rows: readonly CatalogueRow[]): StoredRows {
  const numbers = new Map<unknown, number>()
  const numberOf = (text: unknown): number | null => {
    if (text === undefined) return null
    if (!numbers.has(text)) numbers.set(text, numbers.size)
    return numbers.get(text) ?? null
  }
  return {
    rows: rows.map(({ logMtimeMs, folderMtimeMs, session }) => [
      logMtimeMs,
      folderMtimeMs,
      ...OWN.map((field) => session[field] ?? null),
      ...SHARED.map((field) => numberOf(session[field])),
    ]),
    texts: [...numbers.keys()],
  }
}

/** In the order in which they were given; undefined when something among them is no row. */
export function decodeRows(stored: unknown): CatalogueRow[] | undefined {
  const { texts, rows } = (stored ?? {}) as Partial<StoredRows>
  if (!Array.isArray(texts) || !Array.isArray(rows)) return undefined
  const found: CatalogueRow[] = []
  for (const row of rows) {
    const isLong = Array.isArray(row) && row.length === LENGTH
    const decoded = isLong ? decodeRow(row, texts) : undefined
    if (decoded === undefined) return undefined
    found.push(decoded)
  }
  return found
}

function decodeRow(row: readonly unknown[], texts: readonly unknown[]): CatalogueRow | undefined {
  const [logMtimeMs, folderMtimeMs] = row
  if (typeof logMtimeMs !== 'number' || typeof folderMtimeMs !== 'number') return undefined
  const session: Partial<Record<Field, unknown>> = {}
  let at = STAMPS
  for (const field of OWN) {
    const value = row[at++]
    if (value !== null) session[field] = value
  }
  for (const field of SHARED) {
    const number = row[at++]
    if (typeof number === 'number') session[field] = texts[number]
  }
  session.modifiedAt = new Date(logMtimeMs).toISOString()
  return isSummary(session) ? { logMtimeMs, folderMtimeMs, session } : undefined
}

/** The file is our own and told by its version; this only keeps a damaged one from being believed. */
const isSummary = (
  session: Partial<Record<Field, unknown>>,
): session is Partial<Record<Field, unknown>> & SessionSummary =>
  isSessionId(session.id) &&
  typeof session.createdAt === 'string' &&
  typeof session.summary === 'string' &&
  typeof session.bytes === 'number'

/** Of logs that were written at the same time the ids decide, so that every list and the latest agree. */
export const newestFirst = (a: CatalogueRow, b: CatalogueRow): number =>
  b.logMtimeMs - a.logMtimeMs || (a.session.id < b.session.id ? -1 : 1)
