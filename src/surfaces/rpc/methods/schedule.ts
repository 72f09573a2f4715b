/** Prompts that are sent later, or again and again, while the session is open. */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import type { ScheduledPrompt, ScheduleWish } from '../../../engine/turn/schedules.ts'
import { defined } from '../../../lib/defined.ts'
import type { HostedSession } from '../hosted-session.ts'
import { passOn, sessionMethod, type Methods } from '../method.ts'

const said = { prompt: z.string().min(1), displayPrompt: z.string().optional() }
const one = { id: z.int() }

export const scheduleMethods: Methods = {
  'session.schedule.list': passOn('schedules.list', {
    summary: 'Prompts that wait for their time.',
    from: (entries) => ({ entries: entries.map(shown) }),
  }),
  'session.schedule.add': sessionMethod(
    'Sends a prompt after a time (30s, 5m, 2h, 1d), again and again unless recurring is false.',
    { ...said, interval: z.string(), recurring: z.boolean().optional() },
    async (session, { interval, recurring, ...more }) =>
      add(session, { ...more, interval, recurring }),
  ),
  'session.schedule.addCron': sessionMethod(
    'Sends a prompt at the times of a cron expression of five fields, in a time zone.',
    { ...said, cron: z.string(), tz: z.string().optional() },
    async (session, { cron, tz, ...more }) => add(session, { ...more, cron, tz }),
  ),
  'session.schedule.addAt': sessionMethod(
    'Sends a prompt once, at a time in milliseconds since 1970.',
    { ...said, at: z.number().optional() },
    async (session, { at = Number.NaN, ...more }) => add(session, { ...more, at }),
  ),
  'session.schedule.addSelfPaced': sessionMethod(
    'Sends a prompt now; it is sent again when it is given its next time before it is answered.',
    said,
    async (session, wish) => add(session, { ...wish, selfPaced: true }),
  ),
  'session.schedule.hasSelfPaced': passOn('schedules.list', {
    summary: 'Whether one waits that is given its times one by one.',
    from: (entries) => ({ hasSelfPaced: entries.some(({ selfPaced }) => selfPaced === true) }),
  }),
  'session.schedule.rearmSelfPaced': sessionMethod(
    'Gives such a prompt its next time, in milliseconds since 1970.',
    { ...one, at: z.number().optional() },
    async (session, { id, at = Number.NaN }) =>
      told(session, () => session.ops.schedules.rearm(id, at)),
  ),
  'session.schedule.hydrate': sessionMethod(
    'Sets the clock by what the log says; it is so from the start.',
    async ({ scheduleTimers }) => {
      await scheduleTimers.align()
      return {}
    },
  ),
  'session.schedule.stop': sessionMethod(
    'Takes a prompt back.',
    one,
    async ({ ops, scheduleTimers }, { id }) => {
      const entry = await ops.schedules.stop(id)
      await scheduleTimers.align()
      return entry === undefined ? {} : { entry: shown(entry) }
    },
  ),
}

const add = (session: HostedSession, wish: ScheduleWish) =>
  told(session, () => session.ops.schedules.add(wish))

/** What is no time is told as a result, for a person to read. */
async function told(session: HostedSession, act: () => Promise<ScheduledPrompt>) {
  try {
    const entry = await act()
    await session.scheduleTimers.align()
    return { entry: shown(entry) }
  } catch (error) {
    if (error instanceof EngineError && error.code === 'invalid') return { error: error.message }
    throw error
  }
}

const shown = ({ id, prompt, recurring, nextMs, ...entry }: ScheduledPrompt) => {
  const { intervalMs, cron, tz, at, selfPaced, displayPrompt } = entry
  return {
    id,
    ...defined({ intervalMs, cron, tz, at }),
    prompt,
    recurring,
    ...defined({ selfPaced, displayPrompt }),
    nextRunAt: new Date(nextMs).toISOString(),
  }
}
