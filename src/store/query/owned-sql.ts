/**
 * SQL in a database that the client runs that owns a session's files. What would leave that database is
 * refused here, by the words of the statement, before the owner sees it; what comes back is cut to the usual size.
 */
import { DatabaseRefused } from '../../fs/fs-error.ts'
import type { OwnedDatabase } from '../../fs/session-fs.ts'
import { errorText } from '../../lib/error-text.ts'
import {
  DEFAULT_LIMITS,
  QueryError,
  bytesOf,
  type Query,
  type QueryResult,
  type SqlValue,
} from './query.ts'

export async function runOwned(
  database: OwnedDatabase,
  { sql, params, maxRows = DEFAULT_LIMITS.maxRows, maxBytes = DEFAULT_LIMITS.maxBytes }: Query,
  { write }: { readonly write: boolean },
): Promise<QueryResult> {
  const { kind, isChange } = readStatement(sql)
  if (!write && isChange) throw refused('a change: here it can only be read')
  if (Array.isArray(params) && params.length > 0) throw refused('parameters without a name')
  const startedMs = performance.now()
  const named = Object.entries(params ?? {}) as [string, SqlValue][]
  const answer = await database
    .run(kind, sql, named.length === 0 ? undefined : Object.fromEntries(named.map(scalar)))
    .catch((cause: unknown) => {
      const message = errorText(cause)
      const isStatement = cause instanceof DatabaseRefused
      throw new QueryError(isStatement ? 'syntax' : 'unavailable', message, { cause })
    })
  const { rows, truncated } = cut(answer.rows, maxRows, maxBytes)
  return {
    columns: answer.columns,
    rows,
    truncated,
    elapsedMs: performance.now() - startedMs,
    ...(kind !== 'query' && { changes: answer.changes }),
  }
}

const QUERIES: ReadonlySet<string> = new Set(['SELECT', 'WITH', 'VALUES'])
const CHANGES: ReadonlySet<string> = new Set(['INSERT', 'REPLACE', 'UPDATE', 'DELETE'])
const MAKES: ReadonlySet<string> = new Set(['CREATE', 'DROP', 'ALTER', 'REINDEX'])
const MAKEABLE: ReadonlySet<string> = new Set(['TABLE', 'INDEX', 'UNIQUE', 'VIEW'])
/** They look at, or reach, what is outside of the tables. */
const OUTSIDE = /^(?:pragma_\w+|load_extension|readfile|writefile|edit|dbstat|sqlite_dbpage)$/i

/** How the statement is run, and whether it changes anything. Throws for one that is not allowed. */
function readStatement(sql: string): { kind: 'query' | 'run' | 'exec'; isChange: boolean } {
  const words = wordsOf(sql)
  const outside = words.find((word) => OUTSIDE.test(word))
  if (outside !== undefined) throw refused(outside)
  const keywords = words.map((word) => word.toUpperCase())
  const [first = '', second = ''] = keywords
  if (MAKES.has(first)) {
    if (first === 'CREATE' && !MAKEABLE.has(second)) throw refused(`${first} ${second}`)
    return { kind: 'exec', isChange: true }
  }
  if (!QUERIES.has(first) && !CHANGES.has(first)) throw refused(first || 'nothing')
  // A name may be spelled like a keyword: then a reader is refused what would have been harmless.
  const isChange = keywords.some((word) => CHANGES.has(word))
  return { kind: isChange && !keywords.includes('RETURNING') ? 'run' : 'query', isChange }
}

const PARTS =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|--[^\n]*|\/\*[^]*?(?:\*\/|$)|;|\w+(?:\s*\()?/g

/** Outside of quotes and comments. A second statement is refused. */
function wordsOf(sql: string): readonly string[] {
  const words: string[] = []
  let isOver = false
  for (const [part] of sql.matchAll(PARTS)) {
    if (part.startsWith('--') || part.startsWith('/*')) continue
    if (isOver && part !== ';') throw refused('a second statement')
    if (part === ';') isOver = true
    // replace(…) is a function.
    else if (/^\w/.test(part))
      words.push(/^replace\s*\(/i.test(part) ? '' : part.replace(/\W+$/, ''))
    // A quoted name is a name all the same.
    else if (OUTSIDE.test(part.slice(1, -1))) words.push(part.slice(1, -1))
  }
  return words
}

const refused = (what: string) =>
  new QueryError('refused', `Not allowed in the database of a session: ${what}. Nothing was run.`, {
    details: { what },
  })

const scalar = ([name, value]: [string, SqlValue]) =>
  [name, typeof value === 'bigint' || value instanceof Uint8Array ? String(value) : value] as const

function cut(
  rows: readonly (readonly SqlValue[])[],
  maxRows: number,
  maxBytes: number,
): { rows: readonly (readonly SqlValue[])[]; truncated: boolean } {
  let bytes = 0
  const kept = rows.slice(0, maxRows)
  const end = kept.findIndex((row) => {
    bytes += row.reduce((sum: number, value) => sum + bytesOf(value), 0)
    return bytes > maxBytes
  })
  const fitting = end === -1 ? kept : kept.slice(0, end)
  return { rows: fitting, truncated: fitting.length < rows.length }
}
