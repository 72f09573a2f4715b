/** What happened around the agent, told to it by a program; and words that no client is to be shown. */
import { z } from 'zod'
import { method, sessionMethod, type Methods } from '../method.ts'
import { take } from './session-turns.ts'

export const notificationMethods: Methods = {
  'session.sendSystemNotification': sessionMethod(
    'Tells the agent of something that happened: at once when it works, else as a message of its own.',
    { message: z.string().min(1), kind: z.unknown().optional(), options: z.unknown().optional() },
    async (session, { message }) => {
      const prompt = `<system_notification>\n${message}\n</system_notification>`
      await take(session, { prompt, source: 'system' }, { mode: 'immediate' })
      return null
    },
  ),
  'secrets.addFilterValues': method(
    'Words that clients are not shown in what is told as it comes, and not kept: they read `******` in their place.',
    { values: z.array(z.string()) },
    ({ server }, { values }) => {
      for (const value of values) if (value.length >= SHORTEST) server.parts.secrets.add(value)
      return { ok: true }
    },
  ),
}

/** What is shorter stands in every other word. */
const SHORTEST = 4
