/** When a period begins, as people say it: `24h`, `7d`, `2w`, or a date. */

const HOUR_MS = 3_600_000
const units: Readonly<Record<string, number>> = {
  h: HOUR_MS,
  d: 24 * HOUR_MS,
  w: 7 * 24 * HOUR_MS,
}

export class BadPeriod extends Error {
  override readonly name = 'BadPeriod'
}

/** In ISO form, as the store has its times. */
export function sinceTime(text: string, now: Date): string {
  const [, count, unit = ''] = /^(\d{1,5})\s*([hdw])$/i.exec(text.trim()) ?? []
  const ms =
    count === undefined
      ? Date.parse(text)
      : now.getTime() - Number(count) * (units[unit.toLowerCase()] ?? NaN)
  if (Number.isNaN(ms) || !/\d/.test(text)) {
    throw new BadPeriod(`--since wants 24h, 7d, 2w or a date such as 2026-03-01, not "${text}".`)
  }
  return new Date(ms).toISOString()
}
