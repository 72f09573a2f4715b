/** What happened around the agent, told to it by a program; and words that no client is to be shown. */
import { z } from 'zod'
import { method, sessionMethod, type Methods } from '../method.ts'
import { isDeepStrictEqual } from 'node:util'
import { tell } from '../follow-session.ts'
import type { HostedSession } from '../hosted-session.ts'
import { defined } from '../../../lib/defined.ts'
import type { NotificationKind, WaitingNotification } from '../client-state.ts'
import type { WireEvent } from '../wire.ts'
import { isFound } from '../failure.ts'
import { take } from './session-turns.ts'

export const notificationMethods: Methods = {
  'session.sendSystemNotification': sessionMethod(
    'Tells the agent of something that happened: when it is between two steps of its work, else as a message of its own.',
    {
      message: z.string().min(1),
      kind: z.looseObject({ type: z.string() }).optional(),
      options: z.unknown().optional(),
    },
    async (session, { message, kind }) => {
      const messageId = crypto.randomUUID()
      const prompt = `<system_notification>\n${message}\n</system_notification>`
      const waiting = { messageId, told: { content: prompt, ...defined({ kind }) } }
      const sent = { messageId, prompt, source: 'system' }
      if (session.ops.now?.isRunning !== true) {
        tellOf(session, waiting)
        await take(session, sent, { mode: 'immediate' })
      } else {
        session.notifications.push(waiting)
        listen(session)
        // Durable from here on: when the process dies, who opens the session next has it.
        await take(session, sent, {})
      }
    },
  ),
  'session.queue.consumeSystemNotifications': sessionMethod(
    'Takes back what the agent was not told yet, by its kind and what else the filter names of it.',
    { filter: z.record(z.string(), z.unknown()) },
    async (session, { filter }) => {
      const { notifications, ops } = session
      let removed = false
      for (const waiting of notifications.slice()) {
        if (!isMeant(filter, waiting.told.kind) || !drop(notifications, waiting)) continue
        const { messageId } = waiting
        removed = (await isFound(ops.changeQueue({ kind: 'remove', messageId }))) || removed
      }
      return { removed }
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

/** A filter without a kind means nothing. */
const isMeant = (
  filter: Readonly<Record<string, unknown>>,
  kind: NotificationKind | undefined,
): boolean =>
  filter['type'] !== undefined &&
  kind !== undefined &&
  Object.entries(filter).every(([name, value]) => isDeepStrictEqual(kind[name], value))

/** The agent hears it with the next result of a tool, or it is the next message when the turn is over. */
function listen(session: HostedSession): void {
  const { notifications, listeners, ops } = session
  if (notifications.length > 1) return
  const listener = ({ type, agentId, data }: WireEvent) => {
    const isBetween = type === 'tool.execution_complete' && agentId === undefined
    if (!isBetween && !(type === 'assistant.turn_end' && isOver(data))) return
    listeners.delete(listener)
    for (const waiting of notifications.splice(0)) {
      tellOf(session, waiting)
      if (!isBetween) continue
      const { messageId } = waiting
      ops.changeQueue({ kind: 'send-now', messageId }).catch((error: unknown) =>
        // It waits on, and is the next message.
        session.parts.log('warning', `Session ${session.id}: not told at once: ${String(error)}`),
      )
    }
  }
  listeners.add(listener)
}

const isOver = (data: unknown): boolean =>
  (data as { readonly reprise?: { readonly goesOn?: boolean } }).reprise?.goesOn !== true

const tellOf = (session: HostedSession, { told }: WaitingNotification) =>
  tell(session, { type: 'system.notification', data: told })

function drop<T>(items: T[], item: T): boolean {
  const at = items.indexOf(item)
  return at !== -1 && items.splice(at, 1).length > 0
}
