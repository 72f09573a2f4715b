/** Sizes and counts as people say them. */
import { grouped } from '../../../lib/grouped.ts'

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

export const counted = (count: number, one: string, many = `${one}s`): string =>
  `${grouped(count)} ${count === 1 ? one : many}`
