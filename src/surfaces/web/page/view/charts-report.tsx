/** The charts, all from one answer: what forks copied counts once, and days are those of this browser. */
import type { ComponentChildren } from 'preact'
import { useMemo } from 'preact/hooks'
import { amount } from '../../../../lib/quantities.ts'
import type { ActivityAnswer } from '../../api.ts'
import type { Query } from '../client.ts'
import { stacked, today } from '../model/charts.ts'
import { money } from '../model/words.ts'
import { Bars, HeatMap } from './charts.tsx'
import { ownZone } from '../../../../lib/time-zone.ts'
import { Failed } from './failed.tsx'
import { StackedChart } from './stacked-chart.tsx'
import { useAnswer } from './use-answer.ts'

/** Of the charts of days; the year has its own. */
const DAYS = 30

/** `of` is asked along: in Mission Control, whose sessions. */
export function ChartsReport({ of }: { readonly of: Query }) {
  const { answer, failure } = useAnswer<ActivityAnswer>('/api/activity', { zone: ownZone(), ...of })
  if (failure !== undefined) return <Failed failure={failure} />
  if (answer === undefined) return <p class="faint">Reading the store…</p>
  const { days, files } = answer
  return (
    <>
      <Chart title="Activity">
        <HeatMap days={days.map(({ day, turns }) => ({ day, value: turns }))} until={today()} />
      </Chart>
      <UseCharts answer={answer} />
      <Chart title="Files most touched">
        <Bars bars={files.map(({ path, sessions }) => ({ name: path, value: sessions }))} />
      </Chart>
    </>
  )
}

/** What models used by day: in tokens, and in money where there are prices. */
export function UseCharts({ answer }: { readonly answer: ActivityAnswer }) {
  const { uses } = answer
  const [tokens, dollars] = useMemo(() => {
    const of = (pick: (use: (typeof uses)[number]) => number) =>
      stacked(
        uses.map((use) => ({ day: use.day, name: use.model, value: pick(use) })),
        today(),
        DAYS,
      )
    return [of((use) => use.tokens), of((use) => use.dollars ?? 0)]
  }, [uses])
  return (
    <div class="charts">
      <Chart title="Tokens by day and model">
        <StackedChart title="Tokens" chart={tokens} format={amount} />
      </Chart>
      {dollars.series.length > 0 && (
        <Chart title="Money by day and model">
          <StackedChart title="Money" chart={dollars} format={money} />
        </Chart>
      )}
    </div>
  )
}

type Props = { readonly title: string; readonly children: ComponentChildren }

export const Chart = ({ title, children }: Props) => (
  <section class="chart">
    <h2>{title}</h2>
    {children}
  </section>
)
