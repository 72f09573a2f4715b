/** /sql: one SELECT over the session store, as a table. The same sandbox as everywhere. */
import type { QueryResult, SqlValue } from '../../../store/query/query.ts'
import { redactResult } from '../../../store/query/redact-result.ts'
import { runQuery } from '../../../store/query/run-query.ts'
import { preview } from '../../../state/preview.ts'
import type { CommandHost } from '../commands/command.ts'
import { counted } from '../commands/command.ts'
import { freshStore } from './fresh-store.ts'

export async function sql(host: CommandHost, given: string): Promise<void> {
  const query = given === '' ? await host.ask('One SELECT') : given
  if (query === undefined || query.trim() === '') return
  const path = await (await freshStore(host)).path()
  if (path === undefined)
    return host.say('There is no session store yet: /reindex makes it from the logs.', 'faint')
  const [result, redactor] = await Promise.all([
    runQuery(path, { sql: query }),
    host.past.redactor(),
  ])
  host.page('SQL', tableOf(redactResult(result, redactor)))
}

const LONGEST_CELL = 80

function tableOf({ columns, rows, truncated, elapsedMs }: QueryResult): string {
  const more = truncated ? ' There are more than these.' : ''
  const foot = `${counted(rows.length, 'row')}, ${Math.ceil(elapsedMs)} ms.${more}`
  if (rows.length === 0 || columns.length === 0) return foot
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
  return [
    line(columns.map(cellOf)),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map((_, at) => cellOf(row[at] ?? null)))),
    '',
    foot,
  ].join('\n')
}

/** Whatever it holds, it stays one cell of the table. */
function cellOf(value: SqlValue): string {
  if (value === null) return ''
  const text =
    value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : String(value)
  return preview(text, LONGEST_CELL).replace(/[\\`*_~|[\]<>]/g, '\\$&')
}
