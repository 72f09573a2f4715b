/**
 * What SQL found, without secrets: texts, bytes that are a text, what a column's name says is one, and digits that
 * `hex` and `quote` make of either.
 */
import type { Redactor } from '../../lib/redact/redact.ts'
import type { QueryResult, SqlValue } from './query.ts'

export function redactResult(result: QueryResult, redactor: Redactor): QueryResult {
  const { columns } = result
  return {
    ...result,
    columns: columns.map((name) => redactor.redactText(name).text),
    rows: result.rows.map((row) =>
      row.map((value, at) => redactCell(value, columns[at] ?? '', redactor)),
    ),
  }
}

function redactCell(value: SqlValue, column: string, redactor: Redactor): SqlValue {
  if (typeof value === 'string') {
    const [redacted = value] = Object.values(redactor.redactJson({ [column]: value }).value)
    return redacted.replace(HEX, (digits) => (hidesSecret(digits, redactor) ? HIDDEN : digits))
  }
  if (!(value instanceof Uint8Array)) return value
  const text = Buffer.from(value).toString('utf8')
  const redacted = redactor.redactText(text).text
  return redacted === text ? value : redacted
}

const HIDDEN = '[REDACTED:hex]'
const HEX = /[0-9A-Fa-f]{16,}/g
/** `hex(hex(x))` and deeper: each round doubles the length, so few are of use. */
const MOST_ROUNDS = 4

/** A digit that stands before them by chance must not hide what they spell, so both beginnings are read. */
const hidesSecret = (digits: string, redactor: Redactor, round = 1): boolean =>
  [digits, digits.slice(1)].some((each) => {
    const text = Buffer.from(each, 'hex').toString('utf8')
    if (redactor.redactText(text).text !== text) return true
    if (round === MOST_ROUNDS) return false
    return (text.match(HEX) ?? []).some((inner) => hidesSecret(inner, redactor, round + 1))
  })
