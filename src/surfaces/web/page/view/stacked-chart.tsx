/** Bars of days, drawn by uPlot on a canvas: what a person points at is told below, and all numbers are in a table. */
import { useEffect, useRef, useState } from 'preact/hooks'
import uPlot from 'uplot'
import { defined } from '../../../../lib/defined.ts'
import { heaped, type Stacked } from '../model/charts.ts'
import { visible } from '../model/words.ts'

type Props = {
  readonly title: string
  readonly chart: Stacked
  readonly format: (value: number) => string
}

const HEIGHT = 200

export function StackedChart({ title, chart, format }: Props) {
  const { days, series, totals } = chart
  const box = useRef<HTMLDivElement>(null)
  const legend = useRef<HTMLElement>(null)
  const [place, setPlace] = useState<number>()
  const version = useColours()
  useEffect(() => {
    if (box.current === null || legend.current === null) return undefined
    return draw(box.current, coloursOf(legend.current), chart, format, setPlace)
  }, [chart, format, version])
  if (series.length === 0) return <p class="faint">Nothing yet.</p>
  const shown = place ?? days.length - 1
  const total = totals.reduce((sum, value) => sum + value, 0)
  return (
    <figure>
      <div
        ref={box}
        class="chart-box"
        role="img"
        aria-label={`${title}: ${format(total)} in ${days.length} days, at most ${format(Math.max(...totals))} on a day`}
      />
      <figcaption class="legend" ref={legend}>
        <strong>{days[shown]}</strong>
        {series.map(({ name, values }, index) => (
          <span>
            <i class={`series-${index}`} /> {visible(name)}{' '}
            <span class="number">{format(values[shown] ?? 0)}</span>
          </span>
        ))}
        <span class="faint">
          {format(totals[shown] ?? 0)} of {format(total)} in {days.length} days
        </span>
      </figcaption>
      <details class="numbers">
        <summary>Numbers</summary>
        <div class="wide" tabIndex={0} role="group" aria-label={`Numbers of ${title}`}>
          <table class="result-table">
            <thead>
              <tr>
                <th scope="col">Day</th>
                {series.map(({ name }) => (
                  <th scope="col">{visible(name)}</th>
                ))}
              </tr>
            </thead>
            <tbody>
              {days.map((day, at) =>
                totals[at] === 0 ? null : (
                  <tr>
                    <th scope="row">{day}</th>
                    {series.map(({ values }) => (
                      <td class="number">{format(values[at] ?? 0)}</td>
                    ))}
                  </tr>
                ),
              )}
            </tbody>
          </table>
        </div>
      </details>
    </figure>
  )
}

const dayWords = (seconds: number): string =>
  new Date(seconds * 1000).toLocaleDateString([], { day: 'numeric', month: 'short' })

type Colours = { readonly series: readonly string[]; readonly text: string; readonly line: string }

/** A canvas knows no variables of a style sheet: what the legend looks like is taken as it is. */
function coloursOf(legend: HTMLElement): Colours {
  const { color, borderTopColor } = getComputedStyle(legend)
  const series = [...legend.querySelectorAll('i')].map(
    (each) => getComputedStyle(each).backgroundColor,
  )
  return { series, text: color, line: borderTopColor }
}

/** Counts up when the colours of the page change. */
function useColours(): number {
  const [version, setVersion] = useState(0)
  useEffect(() => {
    const changed = () => setVersion((before) => before + 1)
    const system = matchMedia('(prefers-color-scheme: dark)')
    const chosen = new MutationObserver(changed)
    system.addEventListener('change', changed)
    chosen.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => {
      system.removeEventListener('change', changed)
      chosen.disconnect()
    }
  }, [])
  return version
}

function draw(
  box: HTMLElement,
  colours: Colours,
  chart: Stacked,
  format: (value: number) => string,
  onPlace: (place: number | undefined) => void,
): () => void {
  const heaps = heaped(chart).toReversed()
  const inOrder = colours.series.slice(0, heaps.length).toReversed()
  const font = `12px ${getComputedStyle(box).fontFamily}`
  const axis = {
    stroke: colours.text,
    grid: { stroke: colours.line, width: 1 },
    ticks: { show: false },
    font,
  }
  const plot = new uPlot(
    {
      width: box.clientWidth,
      height: HEIGHT,
      // Half of the last day's name stands to the right of its bar.
      padding: [8, 24, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
      scales: { y: { range: (_plot, _least, most) => [0, most === 0 ? 1 : most * 1.08] } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          space: 64,
          size: 26,
          values: (_plot, ticks) => ticks.map(dayWords),
        },
        { ...axis, size: 64, values: (_plot, ticks) => ticks.map(format) },
      ],
      series: [
        {},
        ...heaps.map((_, at) => ({
          fill: inOrder[at] ?? colours.text,
          width: 0,
          points: { show: false },
          ...defined({ paths: uPlot.paths.bars?.({ size: [0.8, 28] }) }),
        })),
      ],
      hooks: { setCursor: [({ cursor }) => onPlace(cursor.idx ?? undefined)] },
    },
    [chart.days.map((day) => new Date(`${day}T00:00`).getTime() / 1000), ...heaps],
    box,
  )
  const resized = new ResizeObserver(() => plot.setSize({ width: box.clientWidth, height: HEIGHT }))
  resized.observe(box)
  return () => {
    resized.disconnect()
    plot.destroy()
  }
}
