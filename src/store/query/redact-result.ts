/** What SQL found, without secrets: texts, bytes that are a text, and what a column's name says is one. */
import type { LoadedRedactor } from '../../lib/redact/redact.ts'
import type { QueryResult, SqlValue } from './query.ts'

export function redactResult(result: QueryResult, redactor: LoadedRedactor): QueryResult {
  const { columns } = result
  return {
    ...result,
    columns: columns.map((name) => redactor.redactText(name).text),
    rows: result.rows.map((row) =>
      row.map((value, at) => redactCell(value, columns[at] ?? '', redactor)),
    ),
  }
}

function redactCell(value: SqlValue, column: string, redactor: LoadedRedactor): SqlValue {
  if (typeof value === 'string') {
    const [redacted = value] = Object.values(redactor.redactJson({ [column]: value }).value)
    return redacted
  }
  if (!(value instanceof Uint8Array)) return value
  const text = Buffer.from(value).toString('utf8')
  const redacted = redactor.redactText(text).text
  return redacted === text ? value : redacted
}
