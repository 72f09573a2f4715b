/** Counts, sizes and times as people say them, the same on every surface. */
import { grouped } from './grouped.ts'

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`

/** In steps of a thousand, as the units say. */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  let value = bytes
  let unit = ''
  for (unit of ['kB', 'MB', 'GB', 'TB']) {
    value /= 1000
    if (value < 999.5) break
  }
  return `${value < 9.95 ? value.toFixed(1) : Math.round(value)} ${unit}`
}

/** `1.2k`, `34M`: for tokens and the like, where the exact number tells nobody more. */
export function amount(count: number): string {
  if (count >= 1e9) return `${short(count / 1e9)}B`
  if (count >= 1e6) return `${short(count / 1e6)}M`
  return count >= 1000 ? `${short(count / 1000)}k` : String(Math.round(count))
}

export const short = (value: number): string =>
  value >= 100 ? String(Math.round(value)) : String(Math.round(value * 10) / 10)

/** `6 s`, `2 min 5 s`, `1 h 3 min`: how long something took. */
export function spanText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60)
    return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0
    ? `${Math.floor(minutes / 60)} h`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const UNITS = [
  { long: 'year', short: 'y', seconds: 365 * 86_400 },
  { long: 'month', short: 'mo', seconds: 30 * 86_400 },
  { long: 'week', short: 'w', seconds: 7 * 86_400 },
  { long: 'day', short: 'd', seconds: 86_400 },
  { long: 'hour', short: 'h', seconds: 3600 },
  { long: 'minute', short: 'm', seconds: 60 },
] as const

/** "3 minutes ago". A time ahead of the clock, or none at all, is not guessed at. */
export function relativeTime(iso: string, now: Date | number): string {
  if (Date.parse(iso) - Number(now) > 60_000) return iso.slice(0, 10)
  return since(iso, now, (count, { long }) => `${counted(count, long)} ago`) ?? 'just now'
}

/** "3m ago", where there is little room. */
export const ago = (iso: string, now: Date | number): string =>
  since(iso, now, (count, unit) => `${count}${unit.short} ago`) ?? 'now'

function since(
  iso: string,
  now: Date | number,
  say: (count: number, unit: (typeof UNITS)[number]) => string,
): string | undefined {
  const seconds = (Number(now) - Date.parse(iso)) / 1000
  if (Number.isNaN(seconds)) return '–'
  const unit = UNITS.find((each) => seconds >= each.seconds)
  return unit && say(Math.floor(seconds / unit.seconds), unit)
}
