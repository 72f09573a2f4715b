/** Days as the person has them who reads a report: the store's times are in UTC, and clocks are put forward and back. */
import { minuteIn, offsetsOf, UTC } from '../../lib/time-zone.ts'
import type { Scope } from './report.ts'

type Zoned = Pick<Scope, 'since' | 'until' | 'zone'>

/** No session is older. */
const OLDEST_MS = Date.UTC(2000)

/** In SQL: the day of a column that holds a time in ISO form. */
export function localDay(column: string, { since, until, zone = UTC }: Zoned): string {
  if (zone === UTC) return `substr(${column}, 1, 10)`
  // Each day is looked at: of a period that begins with the first year that would take minutes.
  const offsets = offsetsOf(zone, Math.max(Date.parse(since), OLDEST_MS), Date.parse(until))
  const cases = offsets.map(({ untilMs, minutes }) => {
    const day = minutes === 0 ? `substr(${column}, 1, 10)` : `date(${column}, '${minutes} minutes')`
    return untilMs === undefined
      ? `ELSE ${day}`
      : `WHEN ${column} < '${new Date(untilMs).toISOString()}' THEN ${day}`
  })
  return cases.length === 1 ? cases.join().replace('ELSE ', '') : `CASE ${cases.join(' ')} END`
}

/** `2026-03-01 09:30 UTC`, or with the name of another zone. */
export const sinceWords = ({ since, zone = UTC }: Zoned): string =>
  `${minuteIn(zone, since)} ${zone === UTC ? UTC : `(${zone.replaceAll('_', ' ')})`}`
