/**
 * Writes what a stretch of a log means, and the cursor that it leads to. Called inside a transaction: rows
 * and cursor move together or not at all.
 */
import { parseSummary, sections } from '../format/checkpoint-file.ts'
import { preview } from '../state/preview.ts'
import { orNull, type Changes, type Op, type Turn } from './store-changes.ts'
import { addDocument, putDocument, type Owner } from './documents.ts'
import { beginPlace, dropTurns, movePlace, readCursor } from './store-position.ts'
import { beginSession, goOnWithSession, writeFacts, type SessionFacts } from './session-row.ts'
import type { Sql } from './sql.ts'
import { createCallWriter, type CallWriter } from './tool-calls.ts'
import { usageValues } from './usage-row.ts'

/** False when another process moved the cursor meanwhile: nothing was written. */
export function applyChanges(sql: Sql, changes: Changes, facts: SessionFacts): boolean {
  const { base, drop } = changes
  if (base === undefined) return applyFirst(sql, changes, facts)
  const stored = readCursor(sql, changes.id)
  if (stored?.offset !== base.offset || stored.lastEventId !== base.lastEventId) return false
  if (drop !== undefined) dropTurns(sql, stored.owner, drop)
  movePlace(sql, stored.owner, changes.to)
  const oldTurns = drop === undefined ? base.turnCount : Math.max(0, drop)
  writeAll(sql, stored.owner, changes, oldTurns)
  goOnWithSession(sql, stored.owner, changes.to, facts)
  writeFacts(sql, stored.owner, changes.to, facts, { isNew: false })
  return true
}

/** Writes a session that the store does not know yet. */
function applyFirst(sql: Sql, changes: Changes, facts: SessionFacts): boolean {
  const { id, ops, to } = changes
  const owner = beginPlace(sql, id, to)
  if (owner === undefined) return false
  beginSession(sql, owner, to, facts, firstPromptIn(ops))
  writeAll(sql, owner, changes, 0)
  writeFacts(sql, owner, to, facts, { isNew: true })
  return true
}

function firstPromptIn(ops: readonly Op[]): string | null {
  const first = ops.findLast((op) => op.kind === 'turn' && op.turn.index === 0)
  return first?.kind === 'turn' ? preview(first.turn.user) : null
}

/** Turns below `oldTurns` may have a document already. */
function writeAll(sql: Sql, owner: Owner, { ops }: Changes, oldTurns: number): void {
  const stretch = { oldTurns, calls: createCallWriter(sql, owner, ops) }
  for (const op of ops) write(sql, owner, op, stretch)
}

type Stretch = {
  readonly oldTurns: number
  readonly calls: CallWriter
}

function write(sql: Sql, owner: Owner, op: Op, { oldTurns, calls }: Stretch): void {
  switch (op.kind) {
    case 'turn-start':
      return startTurn(sql, owner, op)
    case 'turn':
      return writeTurn(sql, owner, op.turn, op.turn.index >= oldTurns)
    case 'call-start':
      return calls.start(op)
    case 'call-end':
      return calls.end(op)
    case 'handoff':
      return putDocument(sql, owner, { ...op, source: `handoff:${op.eventId}` })
    case 'thinking':
      return putDocument(sql, owner, { ...op, source: `thinking:${op.eventId}` })
    case 'failure':
      return writeFailure(sql, owner, op)
    case 'stop':
      return writeStop(sql, owner, op)
    case 'ref':
      return writeRef(sql, owner, op)
    case 'usage':
      return writeUsage(sql, owner, op)
    case 'checkpoint':
      return writeCheckpoint(sql, owner, op)
  }
}

type Only<K extends Op['kind']> = Extract<Op, { kind: K }>

function startTurn(sql: Sql, { id }: Owner, { turn, carried }: Only<'turn-start'>): void {
  sql(
    'INSERT INTO reprise_turns (session_id, turn_index, start, event_id, carried) VALUES (?, ?, ?, ?, ?)',
  ).run(id, turn.index, turn.start, turn.eventId, carried)
}

function writeFailure(sql: Sql, { id }: Owner, { turn, reason }: Only<'failure'>): void {
  sql('UPDATE reprise_turns SET failure = ? WHERE session_id = ? AND turn_index = ?').run(
    reason,
    id,
    turn,
  )
}

function writeStop(sql: Sql, { id }: Owner, { turn }: Only<'stop'>): void {
  sql('UPDATE reprise_turns SET stopped = 1 WHERE session_id = ? AND turn_index = ?').run(id, turn)
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
