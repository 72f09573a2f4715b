/** The sessions that a report is about, as a condition in SQL on `s`, a row of sessions. */
import type { Scope } from './report.ts'

type Condition = { readonly sql: string; readonly values: readonly string[] }

/** A project without a repository is known by its directory. */
export function inScope({ repository }: Pick<Scope, 'repository'>): Condition {
  if (repository === undefined) return { sql: '1', values: [] }
  return {
    sql: `(s.repository = ? COLLATE NOCASE OR s.repository LIKE ? ESCAPE '\\' OR s.cwd = ?
      OR s.id IN (SELECT session_id FROM reprise_sessions WHERE git_root = ?))`,
    values: [repository, `%/${repository.replace(/[\\%_]/g, '\\$&')}`, repository, repository],
  }
}
