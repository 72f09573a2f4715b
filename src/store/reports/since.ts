/** When a period begins, as people say it: `24h`, `7d`, `2w`, or a date. */
import { momentOf } from '../time-spec.ts'

export class BadPeriod extends Error {
  override readonly name = 'BadPeriod'
}

/** In ISO form, as the store has its times. */
export function sinceTime(text: string, now: Date): string {
  const ms = momentOf(text, now.getTime())
  if (ms !== undefined) return new Date(ms).toISOString()
  throw new BadPeriod(`--since wants 24h, 7d, 2w or a date such as 2026-03-01, not "${text}".`)
}
