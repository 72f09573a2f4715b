/** The report of costs as charts: by day, by model, by repository. */
import { amount, counted } from '../../../../lib/quantities.ts'
import type { ActivityAnswer, ReportAnswer } from '../../api.ts'
import type { Query } from '../client.ts'
import { costBars, costIn } from '../model/cost.ts'
import { money, visible } from '../model/words.ts'
import { Chart, UseCharts } from './charts-report.tsx'
import { Bars } from './charts.tsx'
import { useAnswer } from './use-answer.ts'

/** `query`: what the charts of days are asked with. */
type Props = { readonly report: ReportAnswer; readonly query: Query }

export function CostReport({ report, query }: Props) {
  const { sessions, total, models, repositories, withoutPrice } = costIn(report.json)
  const { answer } = useAnswer<ActivityAnswer>('/api/activity', query)
  if (total === undefined)
    return <p class="faint">No model was used in this time, as far as the store knows.</p>
  return (
    <>
      <p class="sums">
        <strong>{total.dollars === null ? amount(total.tokens) : money(total.dollars)}</strong>{' '}
        <span class="faint">
          {counted(total.calls, 'call')} of models in {counted(sessions, 'session')},{' '}
          {amount(total.tokens)} tokens ({amount(total.input)} in, {amount(total.output)} out).
        </span>
      </p>
      {answer !== undefined && <UseCharts answer={answer} />}
      <div class="charts">
        <Chart title="By model">
          <Bars bars={costBars(models)} />
        </Chart>
        <Chart title="By repository">
          <Bars bars={costBars(repositories)} />
        </Chart>
      </div>
      {withoutPrice.length > 0 && (
        <p class="faint">
          No price is known for {withoutPrice.map(visible).join(', ')}. Set one with{' '}
          <code>reprise config set prices</code>.
        </p>
      )}
      {total.dollars !== null && (
        <p class="faint">
          Money is what was recorded with a call, or else an estimate from list prices; a bill may
          differ.
        </p>
      )}
    </>
  )
}
