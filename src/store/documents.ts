/**
 * The rows that search finds. Each has a row of the same rowid in a plain table, so that it is replaced or
 * removed by its key: FTS itself would have to look through everything. FTS gets its rows at the end of the
 * transaction: every plain statement in between would make it write out what it has gathered so far.
 */
import type { SessionId } from '../format/ids.ts'
import { partsOf } from './identifiers.ts'
import { noteDeleted } from './merge.ts'
import type { Sql } from './sql.ts'

export type Owner = { readonly id: SessionId; readonly key: number }

type Document = {
  /** -1 when it belongs to no turn. */
  readonly turn: number
  /**
   * Unique within its turn: 'turn', 'tool:<call>', 'checkpoint:<n>:<section>', 'file:<path>', 'name',
   * 'thinking:<event>', 'handoff:<event>', 'unfinished:<path>'. */
  readonly source: string
  readonly at: string | null
  readonly content: string
  /** Where what the agent said begins, in UTF-16 units. */
  readonly border?: number
}

/** Only for a document that is surely not there yet. */
export function addDocument(sql: Sql, owner: Owner, document: Document): void {
  const { turn, source, at, border = 0 } = document
  const { lastInsertRowid } = sql(
    'INSERT INTO reprise_documents (session_key, turn_index, source, at_ms, border) VALUES (?, ?, ?, ?, ?)',
  ).run(owner.key, turn, source, timeOf(at), border)
  write(sql, owner, document, Number(lastInsertRowid))
}

export function putDocument(sql: Sql, owner: Owner, document: Document): void {
  const { turn, source, at, content, border = 0 } = document
  const known = sql(
    'SELECT id FROM reprise_documents WHERE session_key = ? AND turn_index = ? AND source = ?',
  ).get(owner.key, turn, source)
  if (known === undefined) {
    addDocument(sql, owner, document)
    return
  }
  const id = Number(known.id)
  // A turn that grows keeps its words; any other content leaves words behind that have to be merged away.
  if (!content.startsWith(contentOf(sql, id))) noteDeleted(sql)
  sql('UPDATE reprise_documents SET at_ms = ?, border = ? WHERE id = ?').run(timeOf(at), border, id)
  pendingOf(sql).push({ remove: id })
  write(sql, owner, document, id)
}

/** As it was last written, in this transaction or before it. */
function contentOf(sql: Sql, id: number): string {
  const row = pendingOf(sql).findLast((each) => 'rowid' in each && each.rowid === id)
  if (row !== undefined && 'content' in row) return row.content
  return String(sql('SELECT content FROM search_index WHERE rowid = ?').get(id)?.content ?? '')
}

/** Those of the source, in whatever turn they are; `except` that of one turn. */
export function removeDocument(sql: Sql, owner: Owner, source: string, except = NO_TURN): void {
  const known = sql(
    'DELETE FROM reprise_documents WHERE session_key = ? AND source = ? AND turn_index <> ? RETURNING id',
  ).all(owner.key, source, except)
  if (known.length > 0) noteDeleted(sql)
  for (const { id } of known) pendingOf(sql).push({ remove: Number(id) })
}
const NO_TURN = -2

/** What the log says in this turn and later ones; turn -1 means all of it. The folder's own files and name stay. */
export function removeDocumentsFrom(sql: Sql, owner: Owner, turn: number): void {
  const gone = sql(
    `DELETE FROM reprise_documents WHERE session_key = ? AND turn_index >= ?
     AND source <> 'name' AND source NOT GLOB 'file:*' AND source NOT GLOB 'unfinished:*' RETURNING id`,
  ).all(owner.key, turn)
  if (gone.length > 0) noteDeleted(sql)
  for (const { id } of gone) pendingOf(sql).push({ remove: Number(id) })
}

export function removeAllDocuments(sql: Sql, owner: Owner): void {
  const gone = sql('DELETE FROM reprise_documents WHERE session_key = ? RETURNING id').all(
    owner.key,
  )
  if (gone.length > 0) noteDeleted(sql)
  for (const { id } of gone) pendingOf(sql).push({ remove: Number(id) })
}

function write(sql: Sql, { id }: Owner, { turn, source, content }: Document, rowid: number): void {
  const sourceId = `${id}:${idOf(source, turn)}`
  pendingOf(sql).push({ rowid, content, sessionId: id, sourceType: typeOf(source), sourceId })
}

type Pending =
  | { readonly remove: number }
  | {
      readonly rowid: number
      readonly content: string
      readonly sessionId: string
      readonly sourceType: string
      readonly sourceId: string
    }

const pending = new WeakMap<Sql, Pending[]>()

function pendingOf(sql: Sql): Pending[] {
  let rows = pending.get(sql)
  if (rows === undefined) pending.set(sql, (rows = []))
  return rows
}

export function writePending(sql: Sql): void {
  for (const row of pendingOf(sql)) {
    if ('remove' in row)
      sql('DELETE FROM search_index WHERE rowid = CAST(? AS INTEGER)').run(row.remove)
    else insert(sql, row)
  }
  forgetPending(sql)
}

export const forgetPending = (sql: Sql): void => void pending.delete(sql)

function insert(sql: Sql, row: Exclude<Pending, { remove: number }>): void {
  const { rowid, content, sessionId, sourceType, sourceId } = row
  sql(
    'INSERT INTO search_index (rowid, content, session_id, source_type, source_id, parts) VALUES (?, ?, ?, ?, ?, ?)',
  ).run(rowid, content, sessionId, sourceType, sourceId, partsOf(content))
}

/** As the Copilot CLI names turns; sections of checkpoints have a type each. */
function typeOf(source: string): string {
  const [kind, , section] = source.split(':', 3)
  if (kind === 'checkpoint') return `checkpoint_${section}`
  if (kind === 'file') return 'workspace_artifact'
  return kind === 'name' ? 'session' : (kind ?? '')
}

const idOf = (source: string, turn: number): string => (source === 'turn' ? `turn:${turn}` : source)

const timeOf = (at: string | null): number => {
  const ms = at === null ? 0 : Date.parse(at)
  return Number.isFinite(ms) ? ms : 0
}
