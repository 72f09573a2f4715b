/** When a prompt that was set for later is sent next. The same from the log alone, whenever and wherever it is asked. */
import { Cron } from 'croner'
import { defined } from '../../lib/defined.ts'
import type { Schedule } from '../../state/schedules.ts'

const UNITS: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}
export const SHORTEST_MS = 10_000

/** Of `30s`, `5m`, `2h` or `1d`, in milliseconds. */
export function intervalOf(text: string): number | undefined {
  const [, count, unit = ''] = /^\s*(\d{1,6})\s*([smhd])\s*$/.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (UNITS[unit] ?? 0)
}

export function isCron(cron: string, timezone: string | undefined): boolean {
  // A sixth field would be seconds, or a year.
  if (cron.trim().split(/\s+/).length !== 5) return false
  try {
    return cronOf(cron, timezone).nextRun() !== null
  } catch {
    // Not one, or a time zone that is none: the one who gave it is told.
    return false
  }
}

/** In milliseconds since 1970; in the past for one that should have been sent. Undefined when it is sent no more. */
export function nextRun(entry: Schedule, nowMs: number): number | undefined {
  const { intervalMs, cron, tz, at, selfPaced, nextRunAt, recurring } = entry
  const createdMs = Date.parse(entry.createdAt)
  if (selfPaced === true) return nextRunAt ?? createdMs
  if (cron !== undefined) return cronOf(cron, tz).nextRun(new Date(nowMs))?.getTime()
  if (intervalMs === undefined) return at ?? createdMs
  if (!recurring) return createdMs + intervalMs
  return createdMs + (Math.floor((nowMs - createdMs) / intervalMs) + 1) * intervalMs
}

const cronOf = (cron: string, timezone: string | undefined): Cron =>
  new Cron(cron, { paused: true, ...defined({ timezone }) })
