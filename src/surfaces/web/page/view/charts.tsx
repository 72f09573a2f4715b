/** The year of days as squares, and bars beside names. Each says in words what it shows. */
import { amount, counted } from '../../../../lib/quantities.ts'
import { heatMap, monthsOf, type Day } from '../model/charts.ts'
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
    <div class="heat-box" tabIndex={0} role="group" aria-label="The year, up to today">
      <svg
        role="img"
        aria-label={`${counted(total, 'turn')} in a year, on ${counted(days.length, 'day')}`}
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
            <title>{`${day}: ${counted(value, 'turn')}`}</title>
          </rect>
        ))}
      </svg>
    </div>
  )
}

type Bar = { readonly name: string; readonly value: number; readonly label?: string }

/** `label` in place of the number where a number alone does not tell. */
export function Bars({ bars }: { readonly bars: readonly Bar[] }) {
  const most = Math.max(1, ...bars.map(({ value }) => value))
  if (bars.length === 0) return <p class="faint">Nothing yet.</p>
  return (
    <table class="bar-table">
      <tbody>
        {bars.map(({ name, value, label }) => (
          <tr>
            <th scope="row">{visible(name)}</th>
            <td>
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect width={(value / most) * 100} height={8} rx={1} class="series-0" />
              </svg>
            </td>
            <td class="number">{label ?? amount(value)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
