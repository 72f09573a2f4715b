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

/** The weeks up to a day, each day a cell. Days are in UTC, as the store has them. */
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

export type Share = { readonly day: string; readonly name: string; readonly value: number }
type Segment = Share & {
  readonly from: number
  readonly to: number
  readonly series: number
}
type Stack = { readonly day: string; readonly total: number; readonly parts: Segment[] }

/** Bars of a day on top of each other, as shares of the highest day. The largest series come first. */
export function stacks(shares: readonly Share[]): {
  readonly names: readonly string[]
  readonly stacks: readonly Stack[]
  readonly most: number
} {
  const names = namesBySize(shares)
  const days = [...new Set(shares.map(({ day }) => day))].sort()
  const totals = days.map((day) => sum(shares.filter((share) => share.day === day)))
  const most = Math.max(0, ...totals)
  return {
    names,
    most,
    stacks: days.map((day, index) => {
      let from = 0
      const parts = names.flatMap((name, series) => {
        const value = sum(shares.filter((share) => share.day === day && share.name === name))
        if (value === 0 || most === 0) return []
        const part = { day, name, value, series, from, to: from + value / most }
        from = part.to
        return [part]
      })
      return { day, total: totals[index] ?? 0, parts }
    }),
  }
}

function namesBySize(shares: readonly Share[]): string[] {
  const sizes = new Map<string, number>()
  for (const { name, value } of shares) sizes.set(name, (sizes.get(name) ?? 0) + value)
  return [...sizes].sort(([a, x], [b, y]) => y - x || (a < b ? -1 : 1)).map(([name]) => name)
}

const sum = (shares: readonly Share[]): number =>
  shares.reduce((total, { value }) => total + value, 0)

/** The models that a report of costs names. */
export function modelsIn(report: Readonly<Record<string, unknown>> | undefined): string[] {
  const models = report?.['models']
  if (!Array.isArray(models)) return []
  return models.flatMap((each: { readonly name?: unknown } | null) =>
    typeof each?.name === 'string' && each.name !== '' ? [each.name] : [],
  )
}
