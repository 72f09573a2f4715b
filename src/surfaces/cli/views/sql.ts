/** `sql`: a table as wide as the terminal, CSV, or JSON that keeps what it can. */
import { textOf, type sql } from '../../../commands/sql.ts'
import { counted } from '../../../lib/quantities.ts'
import type { QueryResult, SqlValue } from '../../../store/query/query.ts'
import { usage, type Cli, type View } from '../command.ts'
import { resultTable } from '../render/result-table.ts'
import { dim, yellow } from '../render/span.ts'

export const sqlView: View<Awaited<ReturnType<typeof sql.run>>> = {
  async before({ json }, given) {
    if (given.flag('csv') && json) throw usage('Give --csv or --json, not both.')
  },
  json: (_cli, result) =>
    'tables' in result && result.tables !== undefined
      ? result
      : { ...result, rows: result.rows.map((row) => row.map(toJson)) },
  async show(cli, result, given) {
    const { out } = cli
    if ('tables' in result && result.tables !== undefined)
      return out.block(result.tables.map((each) => `${each.sql};\n\n`).join(''))
    if (given.flag('csv')) await out.bytes(Buffer.from(csvOf(result)))
    else showTable(cli, result)
    if (result.truncated)
      out.note(yellow(`There are more than these ${counted(result.rows.length, 'row')}.`))
  },
}

function showTable({ out }: Cli, { columns, rows, elapsedMs }: QueryResult): void {
  const right = columns.flatMap((_, at) =>
    rows.length > 0 && rows.every((row) => isNumeric(row[at] ?? null)) ? at : [],
  )
  const shown = { head: columns, rows: rows.map((row) => row.map(textOf)), right }
  if (columns.length > 0) for (const spans of resultTable(shown, out.columns)) out.line(...spans)
  out.note(dim(`${counted(rows.length, 'row')}, ${Math.ceil(elapsedMs)} ms`))
}

const isNumeric = (value: SqlValue) =>
  value === null || typeof value === 'number' || typeof value === 'bigint'

/** What JSON has no word for: whole numbers beyond 2^53 become texts, bytes an object. */
function toJson(value: SqlValue): unknown {
  if (typeof value === 'bigint') return String(value)
  if (value instanceof Uint8Array) return { base64: Buffer.from(value).toString('base64') }
  return value
}

const csvOf = ({ columns, rows }: QueryResult): string =>
  [columns, ...rows.map((row) => row.map(textOf))]
    .map((row) => `${row.map(inCsv).join(',')}\n`)
    .join('')

const inCsv = (text: string) => (/[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
