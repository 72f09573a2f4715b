/** What charts are drawn from: turns of each day, what models used, the files that most sessions touched. */
import type { Sql } from '../sql.ts'
import { readCost } from './cost-evidence.ts'
import { sumBy, withDollars, type CostOptions } from './cost.ts'
import { inScope } from './in-scope.ts'
import { localDay } from './local-day.ts'
import { ownWork } from './own-work.ts'
import type { Scope } from './report.ts'

export type Activity = {
  readonly days: readonly { readonly day: string; readonly turns: number }[]
  /** Dollars are null where nothing has a price. */
  readonly uses: readonly {
    readonly day: string
    readonly model: string
    readonly tokens: number
    readonly dollars: number | null
  }[]
  readonly files: readonly { readonly path: string; readonly sessions: number }[]
}

const MOST_FILES = 15

export function readActivity(sql: Sql, scope: Scope, options: CostOptions): Activity {
  const { since, until } = scope
  const { sql: condition, values } = inScope(scope)
  const days = sql(
    `SELECT ${localDay('t.timestamp', scope)} AS day, count(*) AS turns
     FROM turns t JOIN sessions s ON s.id = t.session_id
     WHERE t.timestamp >= ? AND t.timestamp < ? AND ${condition}
       AND ${ownWork('t.timestamp', 't.turn_index')} GROUP BY 1 ORDER BY 1`,
  ).all(since, until, ...values) as { day: string; turns: number }[]
  const files = sql(
    `SELECT f.file_path AS path, count(DISTINCT f.session_id) AS sessions
     FROM session_files f JOIN sessions s ON s.id = f.session_id
     WHERE f.first_seen_at >= ? AND f.first_seen_at < ? AND ${condition}
       AND ${ownWork('f.first_seen_at', 'f.turn_index')}
     GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${MOST_FILES}`,
  ).all(since, until, ...values) as { path: string; sessions: number }[]
  const uses = Array.from(
    Map.groupBy(withDollars(readCost(sql, scope).uses, options), ({ day }) => day),
    ([day, all]) =>
      sumBy(all, ({ model }) => model).map(({ name, tokens, dollars }) => ({
        day,
        model: name,
        tokens,
        dollars,
      })),
  ).flat()
  return { days, uses, files }
}
