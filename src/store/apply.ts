/**
 * Writes what a stretch of a log means, and the cursor that it leads to. Called inside a transaction: rows
 * and cursor move together or not at all.
 */
import { parseSummary, sections } from '../format/checkpoint-file.ts'
import { preview } from '../state/preview.ts'
import type { Changes, Op, Turn } from './changes.ts'
import { addDocument, putDocument } from './documents.ts'
import type { Owner } from './documents.ts'
import { dropTurns, keepPlace, readPlace } from './places.ts'
import { writeSession } from './session-row.ts'
import type { SessionFacts } from './session-row.ts'
import type { Sql } from './sql.ts'
import { ends, head } from './text.ts'
import { usageValues } from './usage-row.ts'

/** False when somebody else moved the cursor meanwhile: nothing was written. */
export function applyChanges(sql: Sql, changes: Changes, facts: SessionFacts): boolean {
  const { id, base, drop, ops, to } = changes
  const stored = readPlace(sql, id)
  if (stored?.place.offset !== base?.offset || stored?.place.lastEventId !== base?.lastEventId) {
    return false
  }
  if (stored !== undefined && drop !== undefined) dropTurns(sql, stored.owner, drop)
  const owner = keepPlace(sql, id, to)
  // The plain tables refer to this row; what it says of the first turn is known only after them.
  if (stored === undefined) sql('INSERT INTO sessions (id) VALUES (?)').run(id)
  const oldTurns = base === undefined || drop === -1 ? 0 : base.turnCount
  for (const op of ops) write(sql, owner, op, drop === undefined ? oldTurns : Math.max(0, drop))
  writeSession(sql, owner, to, facts)
  return true
}

/** Turns below `oldTurns` may have a document already. */
function write(sql: Sql, owner: Owner, op: Op, oldTurns: number): void {
  switch (op.kind) {
    case 'turn-start':
      return startTurn(sql, owner, op)
    case 'turn':
      return writeTurn(sql, owner, op.turn, op.turn.index >= oldTurns)
    case 'call-start':
      return startCall(sql, owner, op)
    case 'call-end':
      return endCall(sql, owner, op)
    case 'file':
      return writeFile(sql, owner, op)
    case 'ref':
      return writeRef(sql, owner, op)
    case 'usage':
      return writeUsage(sql, owner, op)
    case 'checkpoint':
      return writeCheckpoint(sql, owner, op)
  }
}

type Only<K extends Op['kind']> = Extract<Op, { kind: K }>

const orNull = (turn: number): number | null => (turn < 0 ? null : turn)

function startTurn(sql: Sql, { id }: Owner, { turn, carried }: Only<'turn-start'>): void {
  sql('INSERT INTO reprise_turns VALUES (?, ?, ?, ?, ?)').run(
    id,
    turn.index,
    turn.start,
    turn.eventId,
    carried,
  )
}

function writeTurn(sql: Sql, owner: Owner, turn: Turn, isNew: boolean): void {
  const { index, user, assistant, at } = turn
  sql(
    `INSERT INTO turns (session_id, turn_index, user_message, assistant_response, timestamp)
     VALUES (?, ?, ?, ?, ?)
     ON CONFLICT (session_id, turn_index) DO UPDATE
     SET user_message = excluded.user_message, assistant_response = excluded.assistant_response`,
  ).run(owner.id, index, user, assistant, at)
  if (user === '' && assistant === '') return
  const content = assistant === '' ? user : `${user}\n${assistant}`
  const document = { turn: index, source: 'turn', at, content, border: user.length }
  if (isNew) addDocument(sql, owner, document)
  else putDocument(sql, owner, document)
}

function startCall(sql: Sql, { id }: Owner, op: Only<'call-start'>): void {
  const paths = op.paths.length === 0 ? null : JSON.stringify(op.paths)
  sql(
    `INSERT OR IGNORE INTO reprise_tool_calls
       (session_id, tool_call_id, turn_index, tool_name, arguments, paths, started_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(id, op.callId, op.turn, op.tool, op.args, paths, op.at)
}

type CallRow = {
  readonly tool: string | null
  readonly args: string | null
  readonly paths: string | null
}

/** A call ends once: what is told of it again changes nothing. */
function endCall(sql: Sql, owner: Owner, op: Only<'call-end'>): void {
  const { callId, output, success, at, turn } = op
  sql(
    'INSERT OR IGNORE INTO reprise_tool_calls (session_id, tool_call_id, turn_index) VALUES (?, ?, ?)',
  ).run(owner.id, callId, turn)
  const call = sql(
    `UPDATE reprise_tool_calls SET output = ?, success = ?, completed_at = ?, completed_turn = ?
     WHERE session_id = ? AND tool_call_id = ? AND completed_at IS NULL
     RETURNING tool_name AS tool, arguments AS args, paths`,
  ).get(output, success ? 1 : 0, at, turn, owner.id, callId) as CallRow | undefined
  if (call === undefined) return
  const tool = call.tool ?? ''
  const content = `${tool} ${head(call.args ?? '', INDEXED_ARGUMENTS)}\n${ends(output, INDEXED_OUTPUT)}`
  if (content.trim() !== '')
    addDocument(sql, owner, { turn, source: `tool:${callId}`, at, content })
  if (!success) return
  const paths = [...((JSON.parse(call.paths ?? '[]') as string[]) ?? []), ...op.paths]
  for (const path of paths) writeFile(sql, owner, { kind: 'file', path, tool, turn, at })
}

/** What search looks at: enough for a command, an error and a name. All that is kept can be queried. */
const INDEXED_ARGUMENTS = 200
const INDEXED_OUTPUT = 400

function writeFile(sql: Sql, { id }: Owner, { path, tool, turn, at }: Only<'file'>): void {
  sql(
    `INSERT OR IGNORE INTO session_files (session_id, file_path, tool_name, turn_index, first_seen_at)
     VALUES (?, ?, ?, ?, ?)`,
  ).run(id, path, tool, orNull(turn), at)
}

function writeRef(sql: Sql, { id }: Owner, { type, value, turn, at }: Only<'ref'>): void {
  sql(
    `INSERT OR IGNORE INTO session_refs (session_id, ref_type, ref_value, turn_index, created_at)
     VALUES (?, ?, ?, ?, ?)`,
  ).run(id, type, value, orNull(turn), at)
}

function writeUsage(sql: Sql, { id }: Owner, op: Only<'usage'>): void {
  const values = usageValues(op.data)
  const names = Object.keys(values)
  sql(
    `INSERT INTO assistant_usage_events
       (session_id, turn_index, agent_id, created_at, ${names.join(', ')})
     VALUES (?, ?, ?, ?, ${names.map(() => '?').join(', ')})`,
  ).run(id, orNull(op.turn), op.agentId ?? null, op.at, ...Object.values(values))
}

/** Under its own number when that is free: a fork or another writer may have used it already. */
function writeCheckpoint(sql: Sql, owner: Owner, op: Only<'checkpoint'>): void {
  const { turn, at } = op
  const summary = parseSummary(op.summary)
  const title = preview(summary.overview ?? Object.values(summary)[0] ?? '')
  const isTaken = (number: number) =>
    sql('SELECT 1 FROM checkpoints WHERE session_id = ? AND checkpoint_number = ?').get(
      owner.id,
      number,
    ) !== undefined
  const last = sql(
    'SELECT coalesce(max(checkpoint_number), 0) AS last FROM checkpoints WHERE session_id = ?',
  ).get(owner.id)
  const next = Number(last?.last ?? 0) + 1
  const number = op.number === undefined || isTaken(op.number) ? next : op.number
  sql(
    `INSERT INTO checkpoints (session_id, checkpoint_number, title, ${sections.join(', ')}, created_at, turn_index)
     VALUES (?, ?, ?, ${sections.map(() => '?').join(', ')}, ?, ?)`,
  ).run(owner.id, number, title, ...sections.map((name) => summary[name] ?? null), at, turn)
  for (const name of sections) {
    const content = summary[name]
    if (content === undefined) continue
    addDocument(sql, owner, { turn, source: `checkpoint:${number}:${name}`, at, content })
  }
}
