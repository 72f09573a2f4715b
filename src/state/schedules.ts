/** Prompts that are to be sent later, or again and again, as the log tells of them. */
import type { EventOf, Payload } from '../format/event.ts'
import { defined } from '../lib/defined.ts'

export type Schedule = Pick<
  Payload<'session.schedule_created'>,
  'id' | 'intervalMs' | 'cron' | 'tz' | 'at' | 'prompt' | 'selfPaced' | 'displayPrompt'
> & {
  readonly recurring: boolean
  readonly createdAt: string
  /** Of one that is given its times one by one. */
  readonly nextRunAt?: number
}

export type Schedules = {
  /** The highest number that was given. */
  readonly last: number
  readonly entries: readonly Schedule[]
}

export function scheduled(
  before: Schedules | undefined,
  { data, timestamp: createdAt }: EventOf<'session.schedule_created'>,
): Schedules | undefined {
  const { id, cron, tz, prompt, selfPaced, displayPrompt } = data
  // A log may hold any number: 1e999 reads as Infinity, which no state could keep.
  if (!Number.isSafeInteger(id)) return before
  const [intervalMs, at] = [finite(data.intervalMs), finite(data.at)]
  const isRepeated = intervalMs !== undefined || cron !== undefined || selfPaced === true
  const entry: Schedule = {
    id,
    prompt,
    recurring: data.recurring ?? isRepeated,
    createdAt,
    ...defined({ intervalMs, cron, tz, at, selfPaced, displayPrompt }),
  }
  const { last = 0, entries = [] } = before ?? {}
  return {
    last: Math.max(last, id),
    entries: [...entries.filter((each) => each.id !== id), entry],
  }
}

const finite = (value: number | undefined): number | undefined =>
  Number.isFinite(value) ? value : undefined

export const cancelled = ({ last, entries }: Schedules, id: number): Schedules => ({
  last,
  entries: entries.filter((each) => each.id !== id),
})

export const rearmed = (
  { last, entries }: Schedules,
  id: number,
  nextRunAt: number,
): Schedules => ({
  last,
  entries: entries.map((each) => (each.id === id ? { ...each, nextRunAt } : each)),
})
