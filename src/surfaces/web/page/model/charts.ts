/** Charts as numbers: where each square and bar stands. Drawing them is left to others. */
export type Day = { readonly day: string; readonly value: number }

type HeatCell = Day & {
  readonly week: number
  /** Monday is 0. */
  readonly weekday: number
  /** 0 for nothing, then 1 to 4. */
  readonly level: number
}

const DAY_MS = 86_400_000

/** The weeks up to a day, each day a cell. A day is a date, whatever the zone. */
export function heatMap(days: readonly Day[], until: string, weeks: number): HeatCell[] {
  const values = new Map(days.map(({ day, value }) => [day, value]))
  const most = Math.max(1, ...days.map(({ value }) => value))
  const last = Date.parse(`${until}T00:00:00Z`)
  const weekdayOf = (ms: number) => (new Date(ms).getUTCDay() + 6) % 7
  const first = last - (weekdayOf(last) + (weeks - 1) * 7) * DAY_MS
  return Array.from({ length: Math.round((last - first) / DAY_MS) + 1 }, (_, index) => {
    const ms = first + index * DAY_MS
    const day = new Date(ms).toISOString().slice(0, 10)
    const value = values.get(day) ?? 0
    return {
      day,
      value,
      week: Math.floor(index / 7),
      weekday: weekdayOf(ms),
      level: value === 0 ? 0 : Math.min(4, Math.ceil((value / most) * 4)),
    }
  })
}

/** The months that begin in a week of the map, each where it does. One that begins with the map has no room. */
export function monthsOf(cells: readonly HeatCell[]): { name: string; week: number }[] {
  return cells.flatMap(({ day, week }) =>
    day.endsWith('-01') && week > 0
      ? [{ name: MONTHS[Number(day.slice(5, 7)) - 1] ?? '', week }]
      : [],
  )
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

type Share = { readonly day: string; readonly name: string; readonly value: number }

/** Days that follow each other, with what each series has on them. The largest series come first. */
export type Stacked = {
  readonly days: readonly string[]
  readonly series: readonly { readonly name: string; readonly values: readonly number[] }[]
  readonly totals: readonly number[]
}

/** As many as there are colours. The others are one. */
const MOST_SERIES = 6

export function stacked(shares: readonly Share[], until: string, count: number): Stacked {
  const days = daysBefore(until, count)
  const placeOf = new Map(days.map((day, place) => [day, place]))
  const byName = new Map<string, number[]>()
  for (const { day, name, value } of shares) {
    const place = placeOf.get(day)
    if (place === undefined || value === 0) continue
    const values = byName.get(name) ?? days.map(() => 0)
    values[place] = (values[place] ?? 0) + value
    byName.set(name, values)
  }
  const all = [...byName]
    .map(([name, values]) => ({ name, values }))
    .sort((a, b) => sum(b.values) - sum(a.values) || (a.name < b.name ? -1 : 1))
  const rest = all.slice(MOST_SERIES - 1)
  const series =
    rest.length > 1
      ? [...all.slice(0, MOST_SERIES - 1), { name: `${rest.length} others`, values: added(rest) }]
      : all
  return {
    days,
    series,
    totals: days.map((_, place) => sum(series.map((one) => one.values[place] ?? 0))),
  }
}

/** Each series on top of those before it: what is drawn, from the highest down. */
export function heaped({ series }: Stacked): number[][] {
  const below: number[][] = []
  for (const { values } of series)
    below.push(values.map((value, place) => value + (below.at(-1)?.[place] ?? 0)))
  return below
}

const added = (series: Stacked['series']): number[] =>
  (series[0]?.values ?? []).map((_, place) => sum(series.map(({ values }) => values[place] ?? 0)))

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0)

/** The last one is the day itself. */
const daysBefore = (until: string, count: number): string[] =>
  Array.from({ length: count }, (_, place) =>
    new Date(Date.parse(`${until}T00:00:00Z`) - (count - 1 - place) * DAY_MS)
      .toISOString()
      .slice(0, 10),
  )

/** Today, by the clock of this browser. */
export const today = (): string => {
  const now = new Date()
  const two = (part: number) => String(part).padStart(2, '0')
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`
}
