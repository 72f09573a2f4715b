/** Which sessions and documents a search is about, as a condition in SQL. */
import { momentOf } from './time-spec.ts'
import { BadQuery } from './query.ts'

export type Filters = {
  /** `owner/name`, or the name alone. */
  readonly repo?: string
  readonly branch?: string
  /** `24h`, `7d`, `2w`, or a date. */
  readonly since?: string
  readonly until?: string
  /** A part of the program, client or model that answered. */
  readonly agent?: string
  /** A part of the path of a file that the session changed. */
  readonly file?: string
  /** `12`, `#12`, `pr:12`, a commit, a branch. */
  readonly ref?: string
  readonly role?: Role
  readonly session?: string
}

export const roles = ['user', 'assistant', 'tool', 'checkpoint', 'file', 'name'] as const
export type Role = (typeof roles)[number]

export type Condition = { readonly sql: string; readonly values: readonly (string | number)[] }

/** On `d`, a row of reprise_documents. Always true when nothing is asked for. */
export function conditionOf(filters: Filters, nowMs: number): Condition {
  const sql: string[] = []
  const values: (string | number)[] = []
  const add = (condition: string, ...given: (string | number)[]) => {
    sql.push(condition)
    values.push(...given)
  }
  const ofSession = (condition: string, ...given: string[]) =>
    add(`d.session_key IN (SELECT c.key FROM reprise_cursors c ${condition})`, ...given)

  const { repo, branch, since, until, agent, file, ref, role, session } = filters
  if (repo !== undefined) {
    ofSession(
      `JOIN sessions s ON s.id = c.session_id
       WHERE s.repository = ? COLLATE NOCASE OR s.repository LIKE ? ESCAPE '\\'`,
      repo,
      `%/${escaped(repo)}`,
    )
  }
  if (branch !== undefined) {
    ofSession('JOIN sessions s ON s.id = c.session_id WHERE s.branch = ?', branch)
  }
  if (agent !== undefined) {
    const part = `%${escaped(agent)}%`
    ofSession(
      `JOIN reprise_sessions o USING (session_id) WHERE o.client_name LIKE ? ESCAPE '\\'
       OR o.producer LIKE ? ESCAPE '\\' OR o.model LIKE ? ESCAPE '\\'`,
      part,
      part,
      part,
    )
  }
  if (file !== undefined) {
    const part = `%${escaped(file)}%`
    ofSession(`JOIN session_files f USING (session_id) WHERE f.file_path LIKE ? ESCAPE '\\'`, part)
  }
  if (ref !== undefined) {
    const [, type, value = ''] = /^(?:(pr|issue|commit|branch):)?#?(.*)$/s.exec(ref) ?? []
    const ofType = type === undefined ? '' : `AND f.ref_type = '${type}'`
    ofSession(
      `JOIN session_refs f USING (session_id) WHERE (f.ref_value = ? OR (f.ref_type = 'commit'
       AND f.ref_value LIKE ? ESCAPE '\\')) ${ofType}`,
      value,
      value.length >= 7 ? `${escaped(value)}%` : value,
    )
  }
  if (session !== undefined)
    ofSession(`WHERE c.session_id LIKE ? ESCAPE '\\'`, `${escaped(session)}%`)
  if (since !== undefined) add('d.at_ms >= ?', timeOf('since', since, nowMs))
  if (until !== undefined) add('d.at_ms < ?', timeOf('until', until, nowMs))
  if (role !== undefined) addRole(role, add)
  return { sql: sql.length === 0 ? '1' : sql.join(' AND '), values }
}

/** Who of the two speaks in a turn is seen where the match stands. */
function addRole(role: Role, add: (condition: string) => void): void {
  if (role === 'user') add("d.source = 'turn'")
  else if (role === 'assistant')
    add("(d.source = 'turn' OR d.source GLOB 'thinking:*' OR d.source GLOB 'unfinished:*')")
  else if (role === 'name') add("d.source = 'name'")
  else add(`d.source GLOB '${role}:*'`)
}

const escaped = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

function timeOf(name: string, value: string, nowMs: number): number {
  const ms = momentOf(value, nowMs)
  if (ms !== undefined) return ms
  throw new BadQuery(`--${name} wants 24h, 7d, 2w or a date such as 2026-03-01, not "${value}".`)
}

export function roleOf(source: string): Role {
  const [kind = ''] = source.split(':', 1)
  return (roles as readonly string[]).includes(kind) ? (kind as Role) : 'assistant'
}
