/** Times as people say them. */

const units: readonly (readonly [string, number])[] = [
  ['year', 365 * 86_400],
  ['month', 30 * 86_400],
  ['week', 7 * 86_400],
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
]

/** "3 minutes ago". A time ahead of the clock, or none at all, is not guessed at. */
export function relativeTime(iso: string, now: Date): string {
  const time = Date.parse(iso)
  if (Number.isNaN(time)) return '–'
  const seconds = (now.getTime() - time) / 1000
  if (seconds < -60) return iso.slice(0, 10)
  for (const [unit, length] of units) {
    const count = Math.floor(seconds / length)
    if (count >= 1) return `${count} ${unit}${count === 1 ? '' : 's'} ago`
  }
  return 'just now'
}
