/** How a person works with sessions, as rows: what tips and improvements are found in. Bounded, the newest first. */
import { layout } from '../../format/layout.ts'
import type { CallRow } from '../call-outcome.ts'
import type { Sql } from '../sql.ts'
import { inScope } from './in-scope.ts'
import { ownWork } from './own-work.ts'
import type { Scope } from './report.ts'

export type SessionHabits = {
  readonly id: string
  readonly named: boolean
  readonly turns: number
  readonly files: number
  readonly checkpoints: number
  /** The length of everything that was said in it. */
  readonly chars: number
  readonly hasPlan: boolean
}

export type Prompt = {
  readonly sessionId: string
  readonly turn: number
  /** The beginning. */
  readonly text: string
  readonly length: number
  readonly isAnswered: boolean
}

export type HabitsEvidence = {
  readonly sessions: readonly SessionHabits[]
  /** In the order in which they were given. */
  readonly prompts: readonly Prompt[]
  /** In the order in which they were made. */
  readonly calls: readonly CallRow[]
  /** There was more than what was looked at. */
  readonly isCut: boolean
}

const MOST_SESSIONS = 2000
const MOST_PROMPTS = 5000
const MOST_CALLS = 5000

export function readHabits(sql: Sql, scope: Scope): HabitsEvidence {
  const { since, until } = scope
  const { sql: condition, values } = inScope(scope)
  const within = [since, until, ...values]
  const sessions = sql(
    `SELECT s.id, coalesce(o.user_named, 0) AS named, count(*) AS turns,
       (SELECT count(*) FROM session_files f WHERE f.session_id = s.id
         AND ${ownWork('f.first_seen_at', 'f.turn_index')}) AS files,
       (SELECT count(*) FROM checkpoints c WHERE c.session_id = s.id) AS checkpoints,
       sum(length(t.user_message) + length(t.assistant_response)) AS chars,
       EXISTS (SELECT 1 FROM reprise_artifacts a WHERE a.session_id = s.id AND a.path = '${layout.session.plan.path}') AS hasPlan
     FROM turns t JOIN sessions s ON s.id = t.session_id
     LEFT JOIN reprise_sessions o ON o.session_id = s.id
     WHERE t.timestamp >= ? AND t.timestamp < ? AND ${condition}
       AND ${ownWork('t.timestamp', 't.turn_index')}
     GROUP BY s.id ORDER BY max(t.timestamp) DESC, s.id LIMIT ${MOST_SESSIONS}`,
  ).all(...within) as Counts[]
  const prompts = sql(
    `SELECT t.session_id AS sessionId, t.turn_index AS turn, substr(t.user_message, 1, 2000) AS text,
       length(t.user_message) AS length, coalesce(t.assistant_response, '') <> '' AS isAnswered
     FROM turns t JOIN sessions s ON s.id = t.session_id
     WHERE t.timestamp >= ? AND t.timestamp < ? AND ${condition}
       AND ${ownWork('t.timestamp', 't.turn_index')}
     ORDER BY t.timestamp DESC, t.session_id, t.turn_index DESC LIMIT ${MOST_PROMPTS}`,
  ).all(...within) as (Omit<Prompt, 'isAnswered'> & { isAnswered: number })[]
  const calls = sql(
    `SELECT c.session_id AS sessionId, c.turn_index AS turn, coalesce(c.tool_name, '') AS tool,
       coalesce(c.arguments, '') AS args, coalesce(c.output, '') AS output, c.success
     FROM reprise_tool_calls c JOIN sessions s ON s.id = c.session_id
     WHERE c.started_at >= ? AND c.started_at < ? AND ${condition}
       AND ${ownWork('c.started_at', 'c.turn_index')}
     ORDER BY c.started_at DESC, c.rowid DESC LIMIT ${MOST_CALLS}`,
  ).all(...within) as CallRow[]
  return {
    sessions: sessions.map((row) => ({
      ...row,
      chars: row.chars ?? 0,
      named: row.named === 1,
      hasPlan: row.hasPlan === 1,
    })),
    prompts: prompts.map((row) => ({ ...row, isAnswered: row.isAnswered === 1 })).reverse(),
    calls: bySession(calls.reverse()),
    isCut: prompts.length === MOST_PROMPTS || calls.length === MOST_CALLS,
  }
}

type Counts = Omit<SessionHabits, 'named' | 'hasPlan' | 'chars'> & {
  readonly named: number
  readonly hasPlan: number
  readonly chars: number | null
}

/** Sessions that ran at the same time are told one after the other. */
function bySession(calls: readonly CallRow[]): CallRow[] {
  return [...Map.groupBy(calls, ({ sessionId }) => sessionId).values()].flat()
}
