/** What the store knows of the sessions of a few days: enough to say how far each of them is. */
import { troubleOf, whatOf, type CallRow, type Trouble } from '../call-outcome.ts'
import type { Sql } from '../sql.ts'
import { inScope } from './in-scope.ts'
import { ownWork } from './own-work.ts'
import type { Scope } from './report.ts'

export type WorkedSession = {
  readonly id: string
  readonly title: string
  readonly repository: string | null
  readonly branch: string | null
  readonly cwd: string | null
  readonly updatedAt: string
  /** Within the period. */
  readonly turns: number
  /** The end of what the agent said last. */
  readonly lastAnswer: string
  /** Why the last turn could not be answered. */
  readonly failure?: string
  /** A person stopped the last turn. */
  readonly isStopped?: boolean
  /** What the last turn did last. */
  readonly lastCall: LastCall | undefined
  readonly files: readonly string[]
  readonly refs: readonly { readonly type: string; readonly value: string }[]
  readonly checkpoint: NewestCheckpoint | undefined
  /** Turns that began after the checkpoint. */
  readonly turnsSinceCheckpoint: number
}

export type LastCall = {
  readonly what: string
  readonly isOpen: boolean
  readonly trouble: Trouble | undefined
}

type NewestCheckpoint = { readonly number: number; readonly nextSteps: string }

export type StandupEvidence = {
  readonly sessions: readonly WorkedSession[]
  /** There were more sessions than are told of. */
  readonly isCut: boolean
  /** How many sessions the store has at all. */
  readonly known: number
}

const MOST_SESSIONS = 100

type SessionRow = Omit<
  WorkedSession,
  | 'lastAnswer'
  | 'failure'
  | 'isStopped'
  | 'lastCall'
  | 'files'
  | 'refs'
  | 'checkpoint'
  | 'turnsSinceCheckpoint'
> & { readonly lastTurn: number }

export function readStandup(sql: Sql, scope: Scope): StandupEvidence {
  const { since, until } = scope
  const { sql: condition, values } = inScope(scope)
  const rows = sql(
    `SELECT s.id, coalesce(o.name, s.summary, '') AS title, s.repository, s.branch, s.cwd,
       coalesce(s.updated_at, max(t.timestamp)) AS updatedAt, count(*) AS turns,
       max(t.turn_index) AS lastTurn
     FROM turns t JOIN sessions s ON s.id = t.session_id
     LEFT JOIN reprise_sessions o ON o.session_id = s.id
     WHERE t.timestamp >= ? AND t.timestamp < ? AND ${condition}
       AND ${ownWork('t.timestamp', 't.turn_index')}
     GROUP BY s.id ORDER BY updatedAt DESC, s.id LIMIT ${MOST_SESSIONS + 1}`,
  ).all(since, until, ...values) as SessionRow[]
  const known = sql('SELECT count(*) AS known FROM sessions').get()
  return {
    sessions: rows.slice(0, MOST_SESSIONS).map((row) => withDetails(sql, row, since)),
    isCut: rows.length > MOST_SESSIONS,
    known: Number(known?.known ?? 0),
  }
}

function withDetails(sql: Sql, { lastTurn, ...row }: SessionRow, since: string): WorkedSession {
  const { id } = row
  const answer = sql(
    'SELECT substr(assistant_response, -2000) AS text FROM turns WHERE session_id = ? AND turn_index = ?',
  ).get(id, lastTurn)
  const checkpoint = sql(
    `SELECT checkpoint_number AS number, next_steps AS nextSteps, turn_index AS turn FROM checkpoints
     WHERE session_id = ? ORDER BY turn_index DESC, checkpoint_number DESC LIMIT 1`,
  ).get(id) as { number: number; nextSteps: string | null; turn: number } | undefined
  return {
    ...row,
    lastAnswer: String(answer?.text ?? ''),
    ...endOf(sql, id, lastTurn),
    lastCall: lastCallOf(sql, id, lastTurn),
    files: sql(
      `SELECT f.file_path AS path FROM session_files f JOIN sessions s ON s.id = f.session_id
       WHERE s.id = ? AND f.first_seen_at >= ? AND ${ownWork('f.first_seen_at', 'f.turn_index')} ORDER BY f.id`,
    )
      .all(id, since)
      .map(({ path }) => String(path)),
    refs: sql(
      `SELECT r.ref_type AS type, r.ref_value AS value FROM session_refs r JOIN sessions s ON s.id = r.session_id
       WHERE s.id = ? AND r.created_at >= ? AND ${ownWork('r.created_at', 'r.turn_index')}
       ORDER BY r.id LIMIT 20`,
    ).all(id, since) as { type: string; value: string }[],
    checkpoint: checkpoint && { number: checkpoint.number, nextSteps: checkpoint.nextSteps ?? '' },
    turnsSinceCheckpoint: checkpoint === undefined ? 0 : lastTurn - checkpoint.turn,
  }
}

function endOf(sql: Sql, id: string, turn: number): { failure?: string; isStopped?: boolean } {
  const row = sql(
    'SELECT failure, stopped FROM reprise_turns WHERE session_id = ? AND turn_index = ?',
  ).get(id, turn)
  if (typeof row?.failure === 'string') return { failure: row.failure }
  return row?.stopped === 1 ? { isStopped: true } : {}
}

function lastCallOf(sql: Sql, id: string, turn: number): LastCall | undefined {
  const call = sql(
    `SELECT session_id AS sessionId, turn_index AS turn, coalesce(tool_name, '') AS tool,
       coalesce(arguments, '') AS args, coalesce(output, '') AS output, success
     FROM reprise_tool_calls WHERE session_id = ? AND turn_index = ? ORDER BY rowid DESC LIMIT 1`,
  ).get(id, turn) as CallRow | undefined
  if (call === undefined) return undefined
  return { what: whatOf(call), isOpen: call.success === null, trouble: troubleOf(call) }
}
