/**
 * The rows of tool calls, the documents of what they gave, and the files that they changed. A call ends once:
 * what is told of it again changes nothing. One that begins and ends in the same stretch is written once.
 */
import { orNull, type Op } from './store-changes.ts'
import { addDocument, type Owner } from './documents.ts'
import type { Sql } from './sql.ts'
import { ends, head } from './text.ts'

type CallStart = Extract<Op, { kind: 'call-start' }>
type CallEnd = Extract<Op, { kind: 'call-end' }>

export interface CallWriter {
  start(op: CallStart): void
  end(op: CallEnd): void
}

type Call = {
  readonly tool: string | null
  readonly args: string | null
  readonly paths: readonly string[]
}

/** For the operations of one stretch, given in their order. */
export function createCallWriter(sql: Sql, owner: Owner, ops: readonly Op[]): CallWriter {
  const endOf = pairsIn(ops)
  const written = new Map<CallEnd, Call>()
  return {
    start(op) {
      const end = endOf.get(op)
      if (end === undefined) insertStart(sql, owner, op)
      else if (insertWhole(sql, owner, op, end)) written.set(end, op)
    },
    end(op) {
      const call = written.get(op) ?? completed(sql, owner, op)
      if (call !== undefined) writeOutcome(sql, owner, op, call)
    },
  }
}

/** The first start of a call and the first end behind it. */
function pairsIn(ops: readonly Op[]): Map<CallStart, CallEnd> {
  const open = new Map<string, CallStart>()
  const pairs = new Map<CallStart, CallEnd>()
  for (const op of ops) {
    if (op.kind === 'call-start') {
      if (!open.has(op.callId)) open.set(op.callId, op)
    } else if (op.kind === 'call-end') {
      const start = open.get(op.callId)
      if (start !== undefined) pairs.set(start, op)
      open.delete(op.callId)
    }
  }
  return pairs
}

const printed = (paths: readonly string[]): string | null =>
  paths.length === 0 ? null : JSON.stringify(paths)

function insertStart(sql: Sql, { id }: Owner, op: CallStart): void {
  sql(
    `INSERT OR IGNORE INTO reprise_tool_calls
       (session_id, tool_call_id, turn_index, tool_name, arguments, paths, started_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
  ).run(id, op.callId, op.turn, op.tool, op.args, printed(op.paths), op.at)
}

/** False when the call was told of before: then its end is a matter of its own. */
function insertWhole(sql: Sql, { id }: Owner, op: CallStart, end: CallEnd): boolean {
  const { changes } = sql(
    `INSERT OR IGNORE INTO reprise_tool_calls
       (session_id, tool_call_id, turn_index, tool_name, arguments, paths, started_at,
        output, success, completed_at, completed_turn)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  ).run(
    id,
    op.callId,
    op.turn,
    op.tool,
    op.args,
    printed(op.paths),
    op.at,
    end.output,
    end.success ? 1 : 0,
    end.at,
    end.turn,
  )
  return changes === 1
}

/** Undefined when it had ended already. */
function completed(sql: Sql, { id }: Owner, op: CallEnd): Call | undefined {
  const { callId, output, success, at, turn } = op
  sql(
    'INSERT OR IGNORE INTO reprise_tool_calls (session_id, tool_call_id, turn_index) VALUES (?, ?, ?)',
  ).run(id, callId, turn)
  const row = sql(
    `UPDATE reprise_tool_calls SET output = ?, success = ?, completed_at = ?, completed_turn = ?
     WHERE session_id = ? AND tool_call_id = ? AND completed_at IS NULL
     RETURNING tool_name AS tool, arguments AS args, paths`,
  ).get(output, success ? 1 : 0, at, turn, id, callId) as
    { tool: string | null; args: string | null; paths: string | null } | undefined
  return row && { ...row, paths: JSON.parse(row.paths ?? '[]') as string[] }
}

/** What search looks at: enough for a command, an error and a name. All that is kept can be queried. */
const INDEXED_ARGUMENTS = 200
const INDEXED_OUTPUT = 400

function writeOutcome(sql: Sql, owner: Owner, op: CallEnd, call: Call): void {
  const { callId, output, success, at, turn } = op
  const tool = call.tool ?? ''
  const content = `${tool} ${head(call.args ?? '', INDEXED_ARGUMENTS)}\n${ends(output, INDEXED_OUTPUT)}`
  if (content.trim() !== '')
    addDocument(sql, owner, { turn, source: `tool:${callId}`, at, content })
  if (!success) return
  for (const path of [...call.paths, ...op.paths]) {
    sql(
      `INSERT OR IGNORE INTO session_files (session_id, file_path, tool_name, turn_index, first_seen_at)
       VALUES (?, ?, ?, ?, ?)`,
    ).run(owner.id, path, tool, orNull(turn), at)
  }
}
