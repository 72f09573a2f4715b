/** `/sql`: one SELECT over the session store, in the sandbox that every query runs in. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import { counted } from '../lib/quantities.ts'
import { preview } from '../state/preview.ts'
import type { SqlValue } from '../store/query/query.ts'
import { command } from './command.ts'
import { asking, freshStore } from './fresh-store.ts'
import { plain, table } from './markdown.ts'

const LONGEST_CELL = 80

export const sql = command({
  name: 'sql',
  summary: 'ask the session store in SQL',
  changes: 'nothing',
  on: 'home',
  args: z.object({ query: z.string().describe('one SELECT') }),
  words: ['query…'],
  run: (context, { query }) =>
    asking(async () => {
      const [{ runQuery }, { redactResult }] = await Promise.all([
        import('../store/query/run-query.ts'),
        import('../store/query/redact-result.ts'),
      ])
      const path = await (await freshStore(context)).store.path()
      if (path === undefined)
        throw new EngineError('not_found', 'There is no session store yet: /reindex makes it.')
      const [result, redactor] = await Promise.all([
        runQuery(path, { sql: query }),
        context.redactor(),
      ])
      return redactResult(result, redactor)
    }),
  say({ columns, rows, truncated, elapsedMs }) {
    const more = truncated ? ' There are more than these.' : ''
    const foot = `${counted(rows.length, 'row')}, ${Math.ceil(elapsedMs)} ms.${more}`
    if (rows.length === 0 || columns.length === 0) return foot
    const cells = rows.map((row) => columns.map((_, at) => cellOf(row[at] ?? null)))
    return [table(columns.map(cellOf), cells), '', foot].join('\n')
  },
})

function cellOf(value: SqlValue): string {
  if (value === null) return ''
  const text =
    value instanceof Uint8Array ? `x'${Buffer.from(value).toString('hex')}'` : String(value)
  return plain(preview(text, LONGEST_CELL))
}
