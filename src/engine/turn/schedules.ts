/**
 * Prompts that are to be sent later, or again and again. They are events of the log: numbers and times hold after a
 * resume and in a fork, and a rewind takes back what was set after its point. The surface that has the session open
 * sends them when it is time.
 */
import type { Payload } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import type { Schedule } from '../../state/schedules.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { commit } from '../live/commit.ts'
import type { LiveSession } from '../live/live-session.ts'
import { stateWithUnwritten } from '../live/pending-events.ts'
import { SHORTEST_MS, intervalOf, isCron, nextRun } from './schedule-times.ts'

export type ScheduleWish = {
  readonly prompt: string
  readonly displayPrompt?: string | undefined
} & (
  | { readonly interval: string; readonly recurring?: boolean | undefined }
  | { readonly cron: string; readonly tz?: string | undefined }
  | { readonly at: number }
  | { readonly selfPaced: true }
)

export type ScheduledPrompt = Schedule & {
  /** In milliseconds since 1970. */
  readonly nextMs: number
}

const MOST = 100

export const listSchedules = async (session: LiveSession): Promise<readonly ScheduledPrompt[]> => {
  const nowMs = Date.now()
  return (stateWithUnwritten(session).schedules?.entries ?? []).flatMap((entry) => {
    const nextMs = nextRun(entry, nowMs)
    return nextMs === undefined ? [] : [{ ...entry, nextMs }]
  })
}

export async function addSchedule(
  engine: EngineContext,
  session: LiveSession,
  wish: ScheduleWish,
): Promise<ScheduledPrompt> {
  const { last = 0, entries = [] } = stateWithUnwritten(session).schedules ?? {}
  if (entries.length >= MOST)
    throw new EngineError('invalid', `${MOST} prompts wait for their time. Stop one first.`)
  const { prompt, displayPrompt } = wish
  const data = { id: last + 1, ...timeOf(wish), prompt, ...defined({ displayPrompt }) }
  await commit(engine, session, [{ type: 'session.schedule_created', data }])
  return required(session, data.id)
}

export async function stopSchedule(
  engine: EngineContext,
  session: LiveSession,
  id: number,
): Promise<ScheduledPrompt | undefined> {
  const entry = (await listSchedules(session)).find((each) => each.id === id)
  if (entry === undefined) return undefined
  await commit(engine, session, [{ type: 'session.schedule_cancelled', data: { id } }])
  return entry
}

export async function rearmSchedule(
  engine: EngineContext,
  session: LiveSession,
  id: number,
  nextRunAt: number,
): Promise<ScheduledPrompt> {
  const entry = (await listSchedules(session)).find((each) => each.id === id)
  if (entry?.selfPaced !== true)
    throw new EngineError('not_found', `No self-paced schedule has the number ${id}.`)
  if (!Number.isFinite(nextRunAt) || nextRunAt <= Date.now())
    throw new EngineError('invalid', 'Invalid wakeup time.')
  const data = { id, nextRunAt }
  await commit(engine, session, [{ type: 'session.schedule_rearmed', data }])
  return required(session, id)
}

async function required(session: LiveSession, id: number): Promise<ScheduledPrompt> {
  const entry = (await listSchedules(session)).find((each) => each.id === id)
  if (entry === undefined) throw new EngineError('internal', `Schedule ${id} was not recorded.`)
  return entry
}

type Time = Omit<Payload<'session.schedule_created'>, 'id' | 'prompt'>

function timeOf(wish: ScheduleWish): Time {
  if ('selfPaced' in wish) return { selfPaced: true, recurring: true }
  if ('at' in wish) {
    if (!Number.isSafeInteger(wish.at) || wish.at < 0)
      throw new EngineError('invalid', 'Invalid scheduled time.')
    return { at: wish.at, recurring: false }
  }
  if ('cron' in wish) {
    const { cron, tz } = wish
    if (!isCron(cron, tz)) throw new EngineError('invalid', `Invalid cron expression "${cron}".`)
    return { cron, recurring: true, ...defined({ tz }) }
  }
  const { interval, recurring = true } = wish
  const intervalMs = intervalOf(interval)
  if (intervalMs === undefined)
    throw new EngineError('invalid', `Invalid interval "${interval}". Try 30s, 5m, 2h, or 1d.`)
  if (intervalMs < SHORTEST_MS)
    throw new EngineError('invalid', `Minimum interval is ${SHORTEST_MS / 1000}s.`)
  return { intervalMs, recurring }
}
