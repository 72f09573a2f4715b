/** A moment as people say it: so long ago (`24h`, `7d`, `2w`), or a date. */

const HOUR_MS = 3_600_000
const units: Readonly<Record<string, number>> = {
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
}

/** In milliseconds; undefined when it is none. */
export function momentOf(text: string, nowMs: number): number | undefined {
  const [, count, unit = ''] = /^(\d{1,5})\s*([hdw])$/i.exec(text.trim()) ?? []
  const ms =
    count === undefined
      ? Date.parse(text)
      : nowMs - Number(count) * (units[unit.toLowerCase()] ?? NaN)
  return Number.isNaN(ms) || !/\d/.test(text) ? undefined : ms
}
