/** Charts as SVG. Each says in words what it shows, and the numbers stand in a table beside it. */
import { amount } from '../../../../lib/quantities.ts'
import type { Day, Share } from '../model/charts.ts'
import { heatMap, monthsOf, stacks } from '../model/charts.ts'
import { visible } from '../model/words.ts'

const CELL = 13
const WEEKS = 53
/** Where the months are written. */
const HEAD = 14

export function HeatMap({
  days,
  until,
}: {
  readonly days: readonly Day[]
  readonly until: string
}) {
  const cells = heatMap(days, until, WEEKS)
  const total = days.reduce((sum, { value }) => sum + value, 0)
  return (
    <div class="wide" tabIndex={0}>
      <svg
        role="img"
        aria-label={`${total} turns in a year, on ${days.length} days`}
        viewBox={`0 0 ${WEEKS * CELL} ${HEAD + 7 * CELL}`}
        class="heat"
      >
        {monthsOf(cells).map(({ name, week }) => (
          <text x={week * CELL} y={9}>
            {name}
          </text>
        ))}
        {cells.map(({ day, value, week, weekday, level }) => (
          <rect
            x={week * CELL}
            y={HEAD + weekday * CELL}
            width={CELL - 2}
            height={CELL - 2}
            rx={2}
            class={`level-${level}`}
          >
            <title>{`${day}: ${value}`}</title>
          </rect>
        ))}
      </svg>
    </div>
  )
}

const WIDTH = 946
const HEIGHT = 160
const SERIES = 6

export function StackedBars({
  shares,
  unit,
}: {
  readonly shares: readonly Share[]
  readonly unit: string
}) {
  const { names, stacks: bars, most } = stacks(shares)
  if (bars.length === 0) return <p class="faint">Nothing yet.</p>
  const step = Math.min(60, WIDTH / bars.length)
  return (
    <figure>
      <svg
        role="img"
        aria-label={`${unit} for each of ${bars.length} days, at most ${amount(most)}`}
        viewBox={`0 0 ${WIDTH} ${HEIGHT + 18}`}
        class="bars"
      >
        {bars.map(({ day, total, parts }, index) => (
          <g>
            <title>{`${day}: ${amount(total)} ${unit}`}</title>
            {parts.map(({ from, to, series }) => (
              <rect
                x={index * step + 1}
                y={HEIGHT - to * HEIGHT}
                width={Math.max(1, step - 2)}
                height={(to - from) * HEIGHT}
                class={`series-${series % SERIES}`}
              />
            ))}
          </g>
        ))}
        <text x={0} y={HEIGHT + 14}>
          {bars[0]?.day}
        </text>
        {bars.length > 8 && (
          <text x={bars.length * step} y={HEIGHT + 14} text-anchor="end">
            {bars.at(-1)?.day}
          </text>
        )}
      </svg>
      <figcaption class="legend">
        {names.map((name, series) => (
          <span>
            <i class={`series-${series % SERIES}`} /> {visible(name)}
          </span>
        ))}
        <span class="faint">
          highest day {amount(most)} {unit}
        </span>
      </figcaption>
    </figure>
  )
}

type Bar = { readonly name: string; readonly value: number }

export function Bars({ bars }: { readonly bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  if (bars.length === 0) return <p class="faint">Nothing yet.</p>
  return (
    <table class="bar-table">
      <tbody>
        {bars.map(({ name, value }) => (
          <tr>
            <th scope="row">{visible(name)}</th>
            <td>
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(value / most) * 100} height={8} rx={1} class="series-0" />
              </svg>
            </td>
            <td class="number">{amount(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
