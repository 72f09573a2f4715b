/** What models used, summed by model, day and repository. The database does the sums, whatever their number. */
import type { Sql } from '../sql.ts'
import { inScope } from './in-scope.ts'
import { localDay } from './local-day.ts'
import { ownUse, ownWork } from './own-work.ts'
import type { Tokens } from './prices.ts'
import type { Scope } from './report.ts'

export type Use = Tokens & {
  readonly model: string
  /** In the zone of the scope. */
  readonly day: string
  readonly repository: string
  readonly calls: number
  /** Dollars that were recorded with the calls. Null when none were. */
  readonly recorded: number | null
  /** How many of the calls have no record of their cost. */
  readonly unpriced: number
  /** Premium requests, which is what other programs record as cost. */
  readonly requests: number
  /** 1: in turns that were taken back since. */
  readonly takenBack: number
}

export type CostEvidence = {
  readonly uses: readonly Use[]
  readonly sessions: number
  /** Sessions in which something was answered and nothing is known of tokens. */
  readonly untold?: number
}

export function readCost(sql: Sql, scope: Scope): CostEvidence {
  const { since, until } = scope
  const { sql: condition, values } = inScope(scope)
  const from = `FROM assistant_usage_events u JOIN sessions s ON s.id = u.session_id
     WHERE u.created_at >= ? AND u.created_at < ? AND ${condition}
       AND ${ownUse('u')}`
  const uses = sql(
    `SELECT coalesce(u.model, 'unknown') AS model, ${localDay('u.created_at', scope)} AS day,
       coalesce(s.repository, s.cwd, 'no directory') AS repository, count(*) AS calls,
       sum(coalesce(u.input_tokens, 0)) AS input, sum(coalesce(u.output_tokens, 0)) AS output,
       sum(coalesce(u.cache_read_tokens, 0)) AS cacheRead,
       sum(coalesce(u.cache_write_tokens, 0)) AS cacheWrite,
       sum(u.dollars) AS recorded,
       sum(u.dollars IS NULL) AS unpriced,
       coalesce(sum(u.request_multiplier), 0) AS requests, u.taken_back IS NOT NULL AS takenBack
     ${from} GROUP BY 1, 2, 3, takenBack ORDER BY 2, 1, 3, takenBack`,
  ).all(since, until, ...values) as Use[]
  const count = sql(`SELECT count(DISTINCT u.session_id) AS sessions ${from}`).get(
    since,
    until,
    ...values,
  )
  const untold = sql(
    `SELECT count(DISTINCT t.session_id) AS sessions
     FROM turns t JOIN sessions s ON s.id = t.session_id
     WHERE t.timestamp >= ? AND t.timestamp < ? AND ${condition}
       AND coalesce(t.assistant_response, '') <> '' AND ${ownWork('t.timestamp', 't.turn_index')}
       AND NOT EXISTS (SELECT 1 FROM assistant_usage_events u WHERE u.session_id = t.session_id)`,
  ).get(since, until, ...values)
  return { uses, sessions: Number(count?.sessions ?? 0), untold: Number(untold?.sessions ?? 0) }
}
