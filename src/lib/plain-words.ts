/** Numbers, sizes and times as people say them. */
import { grouped } from './grouped.ts'

export const counted = (number: number, one: string, many = `${one}s`): string =>
  `${grouped(number)} ${number === 1 ? one : many}`

export function count(number: number): string {
  if (number < 1000) return String(number)
  if (number < 100_000) return `${(number / 1000).toFixed(1)}k`
  return number < 1_000_000
    ? `${Math.round(number / 1000)}k`
    : `${(number / 1_000_000).toFixed(1)}M`
}

export function size(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} kB`
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`
}

const units: readonly (readonly [string, number])[] = [
  ['y', 365 * 86_400],
  ['mo', 30 * 86_400],
  ['w', 7 * 86_400],
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
]

export function ago(iso: string, now: Date): string {
  const seconds = (now.getTime() - Date.parse(iso)) / 1000
  if (!Number.isFinite(seconds)) return '–'
  for (const [unit, length] of units) {
    if (seconds >= length) return `${Math.floor(seconds / length)}${unit} ago`
  }
  return 'now'
}
