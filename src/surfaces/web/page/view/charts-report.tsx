/** The charts, each from one query over the store. */
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { SqlAnswer } from '../../api.ts'
import { post, sentence } from '../client.ts'
import { Bars, HeatMap, StackedBars } from './charts.tsx'

const TURNS = `SELECT substr(timestamp, 1, 10) AS day, count(*) FROM turns
  WHERE timestamp >= date('now', '-371 days') GROUP BY day ORDER BY day`
const TOKENS = `SELECT substr(created_at, 1, 10) AS day, coalesce(model, 'unknown') AS model,
  sum(coalesce(input_tokens, 0) + coalesce(output_tokens, 0)) FROM assistant_usage_events
  WHERE created_at >= date('now', '-60 days') GROUP BY day, model ORDER BY day`
const FILES = `SELECT file_path, count(DISTINCT session_id) AS times FROM session_files
  GROUP BY file_path ORDER BY times DESC, file_path LIMIT 15`

/** `of` is asked along: in Mission Control, whose sessions. */
type Of = { readonly of: Readonly<Record<string, string>> }

export function ChartsReport({ of }: Of) {
  return (
    <>
      <Chart title="Activity" sql={TURNS} of={of}>
        {(rows) => (
          <HeatMap
            days={rows.map(([day, value]) => ({ day: String(day), value: Number(value) }))}
            until={new Date().toISOString().slice(0, 10)}
          />
        )}
      </Chart>
      <Chart title="Tokens by day and model" sql={TOKENS} of={of}>
        {(rows) => <StackedBars unit="tokens" shares={rows.map(shareOf)} />}
      </Chart>
      <CostChart of={of} />
      <Chart title="Files most touched" sql={FILES} of={of}>
        {(rows) => (
          <Bars
            bars={rows.map(([name, value]) => ({ name: String(name), value: Number(value) }))}
          />
        )}
      </Chart>
    </>
  )
}

const COST = `SELECT substr(created_at, 1, 10) AS day, coalesce(model, 'unknown') AS model,
  sum(coalesce(request_multiplier, 0)) FROM assistant_usage_events
  WHERE created_at >= date('now', '-60 days') GROUP BY day, model HAVING sum(request_multiplier) > 0 ORDER BY day`

const shareOf = ([day, name, value]: readonly unknown[]) => ({
  day: String(day),
  name: String(name),
  value: Number(value),
})

const CostChart = ({ of }: Of) => (
  <Chart title="Cost by day and model" sql={COST} of={of}>
    {(rows) => <StackedBars unit="premium requests" shares={rows.map(shareOf)} />}
  </Chart>
)

type Props = Of & {
  readonly title: string
  readonly sql: string
  readonly children: (rows: SqlAnswer['rows']) => ComponentChildren
}

function Chart({ title, sql, of, children }: Props) {
  const key = JSON.stringify({ sql, ...of })
  const [rows, setRows] = useState<SqlAnswer['rows']>()
  const [failure, setFailure] = useState<string>()
  useEffect(() => {
    post<SqlAnswer>('/api/sql', JSON.parse(key) as object).then(
      (answer) => setRows(answer.rows),
      (error: unknown) => setFailure(sentence(error)),
    )
  }, [key])
  return (
    <section class="chart">
      <h2>{title}</h2>
      {failure !== undefined && <p class="bad">{failure}</p>}
      {rows !== undefined && children(rows)}
    </section>
  )
}
