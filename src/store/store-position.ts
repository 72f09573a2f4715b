/** Where a session is in the store: read it, go back from it, forget it. */
import type { SessionId } from '../format/ids.ts'
import { START, printCarried, type Carried, type StoreCursor, type Turn } from './store-changes.ts'
import { removeAllDocuments, removeDocumentsFrom, type Owner } from './documents.ts'
import type { Sql } from './sql.ts'

type Stored = { readonly owner: Owner; readonly place: StoreCursor }

export function readPlace(sql: Sql, id: SessionId): Stored | undefined {
  const row = sql(
    `SELECT key, offset, last_event_id AS lastEventId, last_event_start AS lastEventStart,
       last_event_at AS lastEventAt, turn_count AS turnCount, carried
     FROM reprise_cursors WHERE session_id = ?`,
  ).get(id) as CursorRow | undefined
  if (row === undefined) return undefined
  const { key, carried, ...cursor } = row
  return {
    owner: { id, key },
    place: {
      ...cursor,
      carried: JSON.parse(carried) as Carried,
      turn: readTurn(sql, id, cursor.turnCount - 1),
      turnCarried: carriedAt(sql, id, cursor.turnCount - 1),
    },
  }
}

/** As much of it as tells whether another process moved it. */
export function readCursor(
  sql: Sql,
  id: SessionId,
): (Pick<StoreCursor, 'offset' | 'lastEventId'> & { readonly owner: Owner }) | undefined {
  const row = sql(
    'SELECT key, offset, last_event_id AS lastEventId FROM reprise_cursors WHERE session_id = ?',
  ).get(id) as Pick<CursorRow, 'key' | 'offset' | 'lastEventId'> | undefined
  return row && { owner: { id, key: row.key }, offset: row.offset, lastEventId: row.lastEventId }
}

type CursorRow = Pick<
  StoreCursor,
  'offset' | 'lastEventId' | 'lastEventStart' | 'lastEventAt' | 'turnCount'
> & { readonly key: number; readonly carried: string }

function readTurn(sql: Sql, id: SessionId, index: number): Turn | undefined {
  if (index < 0) return undefined
  return sql(
    `SELECT t.turn_index AS "index", r.start, r.event_id AS eventId, t.timestamp AS at,
       t.user_message AS user, t.assistant_response AS assistant
     FROM turns t JOIN reprise_turns r USING (session_id, turn_index)
     WHERE t.session_id = ? AND t.turn_index = ?`,
  ).get(id, index) as Turn | undefined
}

/** What was carried when a turn began. Kept only with turns at which it changed. */
function carriedAt(sql: Sql, id: SessionId, index: number): string | undefined {
  const row = sql(
    `SELECT carried FROM reprise_turns WHERE session_id = ? AND turn_index <= ? AND carried IS NOT NULL
     ORDER BY turn_index DESC LIMIT 1`,
  ).get(id, index)
  return row === undefined ? undefined : String(row.carried)
}

type TurnStart = { readonly start: number; readonly eventId: string }

export const turnStart = (sql: Sql, id: SessionId, index: number): TurnStart | undefined =>
  sql(
    'SELECT start, event_id AS eventId FROM reprise_turns WHERE session_id = ? AND turn_index = ?',
  ).get(id, index) as TurnStart | undefined

/** The place at which a turn begins. The last event before it is not known any more. */
export function placeBefore(sql: Sql, id: SessionId, turn: number): StoreCursor {
  const begin = turn <= 0 ? undefined : turnStart(sql, id, turn)
  if (begin === undefined) return START
  return {
    ...START,
    offset: begin.start,
    lastEventStart: begin.start,
    turnCount: turn,
    carried: JSON.parse(carriedAt(sql, id, turn) ?? '{}') as Carried,
    turnCarried: carriedAt(sql, id, turn - 1),
  }
}

export function forget(sql: Sql, id: SessionId): void {
  const stored = readPlace(sql, id)
  if (stored !== undefined) {
    dropTurns(sql, stored.owner, -1)
    removeAllDocuments(sql, stored.owner)
    sql('DELETE FROM reprise_artifacts WHERE session_id = ?').run(id)
    sql('DELETE FROM assistant_usage_events WHERE session_id = ?').run(id)
    sql('DELETE FROM reprise_cursors WHERE session_id = ?').run(id)
    sql('DELETE FROM sessions WHERE id = ?').run(id)
  }
  sql('DELETE FROM reprise_stamps WHERE session_id = ?').run(id)
  sql('DELETE FROM reprise_vectors WHERE session_id = ?').run(id)
}

/**
 * Drops a turn and all after it, or everything that came from the log when it is -1. The plain tables
 * count what is before the first turn as NULL, ours as -1.
 */
export function dropTurns(sql: Sql, owner: Owner, turn: number): void {
  const { id } = owner
  const all = turn < 0
  removeDocumentsFrom(sql, owner, turn)
  // Without it the name is written again, with the time that the log then tells.
  if (all) sql('DELETE FROM reprise_sessions WHERE session_id = ?').run(id)
  for (const table of ['turns', 'reprise_turns', 'checkpoints', 'reprise_tool_calls']) {
    sql(`DELETE FROM ${table} WHERE session_id = ? AND turn_index >= ?`).run(id, turn)
  }
  const nulls = all ? ' OR turn_index IS NULL' : ''
  for (const table of ['session_files', 'session_refs', 'assistant_usage_events']) {
    // What was taken back has files of its own to tell it.
    const log = table === 'assistant_usage_events' ? ' AND taken_back IS NULL' : ''
    sql(`DELETE FROM ${table} WHERE session_id = ? AND (turn_index >= ?${nulls})${log}`).run(
      id,
      turn,
    )
  }
  sql(
    `UPDATE reprise_tool_calls
     SET output = NULL, success = NULL, completed_at = NULL, completed_turn = NULL
     WHERE session_id = ? AND completed_turn >= ?`,
  ).run(id, turn)
}

/** Undefined when the store knows the session already: nothing was written. */
export function beginPlace(sql: Sql, id: SessionId, place: StoreCursor): Owner | undefined {
  const row = sql(
    `INSERT INTO reprise_cursors
       (offset, last_event_id, last_event_start, last_event_at, turn_count, carried, session_id)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (session_id) DO NOTHING RETURNING key`,
  ).get(...valuesOf(place), id)
  return row && { id, key: Number(row.key) }
}

export function movePlace(sql: Sql, { key }: Owner, place: StoreCursor): void {
  sql(
    `UPDATE reprise_cursors SET offset = ?, last_event_id = ?, last_event_start = ?,
       last_event_at = ?, turn_count = ?, carried = ? WHERE key = ?`,
  ).run(...valuesOf(place), key)
}

const valuesOf = (place: StoreCursor) => {
  const { offset, lastEventId, lastEventStart, lastEventAt, turnCount, carried } = place
  return [offset, lastEventId, lastEventStart, lastEventAt, turnCount, printCarried(carried)]
}
