/** Asks the session store in SQL, with its tables beside the question. */
import { useState } from 'preact/hooks'
import { counted } from '../../../../lib/quantities.ts'
import type { SqlAnswer, SqlCell, SqlSchemaAnswer } from '../../api.ts'
import { LONG_MS, post, sentence } from '../client.ts'
import { visible } from '../model/words.ts'
import { Code } from './code.tsx'
import { Failed } from './failed.tsx'
import { Fold } from './fold.tsx'
import { Form } from './form.tsx'
import { useAudience } from './team.tsx'
import { useAnswer } from './use-answer.ts'
import { useDraft } from './use-draft.ts'

const FIRST =
  'SELECT repository, branch, summary, updated_at FROM sessions ORDER BY updated_at DESC LIMIT 20'

export function SqlPage() {
  const schema = useAnswer<SqlSchemaAnswer>('/api/sql/schema')
  const audience = useAudience()
  const [sql, writeSql] = useDraft('sql', FIRST)
  const [answer, setAnswer] = useState<SqlAnswer>()
  const [failure, setFailure] = useState<string>()
  const [isRunning, setRunning] = useState(false)
  const run = async () => {
    setRunning(true)
    try {
      setAnswer(await post<SqlAnswer>('/api/sql', { sql, ...audience.query }, LONG_MS))
      setFailure(undefined)
    } catch (error) {
      setFailure(sentence(error))
    }
    setRunning(false)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    void run()
  }
  return (
    <main class="page sql" id="content">
      <div class="sql-main">
        <h1>SQL</h1>
        <Form onSubmit={run}>
          <textarea
            data-search
            class="mono"
            rows={6}
            aria-label="SQL"
            spellcheck={false}
            value={sql}
            onInput={(event) => writeSql(event.currentTarget.value)}
            onKeyDown={onKeyDown}
          />
          <div class="buttons">
            <button class="primary" disabled={isRunning || sql.trim() === ''}>
              Run
            </button>
            {audience.picker}
            <span class="faint">Ctrl+Enter runs · one statement that reads</span>
          </div>
        </Form>
        <div role="status" class={failure === undefined ? 'faint' : 'bad'}>
          {failure ?? (answer && summary(answer))}
        </div>
        {failure === undefined && answer !== undefined && <Result {...answer} />}
      </div>
      <aside class="schema" aria-label="Tables">
        <h2>Tables</h2>
        <Failed failure={schema.failure} />
        {schema.isLoading && schema.answer === undefined && <p class="faint">Reading…</p>}
        {schema.answer?.tables.map(({ name, sql: definition }) => (
          <Fold key={name} id={`table ${name}`} head={<code>{visible(name)}</code>}>
            {() => <Code text={definition} language="sql" />}
          </Fold>
        ))}
      </aside>
    </main>
  )
}

const summary = ({ rows, truncated, elapsedMs }: SqlAnswer) =>
  `${counted(rows.length, 'row')}${truncated ? ', and more' : ''} in ${Math.round(elapsedMs)} ms`

const Result = ({ columns, rows }: SqlAnswer) => (
  <div class="wide result-table" tabIndex={0}>
    <table>
      <thead>
        <tr>
          {columns.map((column) => (
            <th scope="col">{visible(column)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr>
            {row.map((cell) => (
              <td class={typeof cell === 'number' ? 'number' : undefined}>{cellText(cell)}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

function cellText(cell: SqlCell) {
  if (cell === null) return <span class="faint">null</span>
  if (typeof cell === 'object') return `${cell.base64.slice(0, 40)}…`
  return visible(String(cell).slice(0, 2000))
}
