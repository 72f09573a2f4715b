/** What happened around the agent, told to it by a program; and words that no client is to be shown. */
import { z } from 'zod'
import { method, sessionMethod, type Methods } from '../method.ts'
import { isDeepStrictEqual } from 'node:util'
import { tell } from '../follow-session.ts'
import type { HostedSession } from '../hosted-session.ts'
import { defined } from '../../../lib/defined.ts'
import type { NotificationKind } from '../said-by-clients.ts'
import type { WireEvent } from '../wire.ts'
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
      session.notifications.push({ message, kind })
      if (session.ops.now?.isRunning !== true) await tellNotifications(session)
      else tellLater(session)
      return null
    },
  ),
  'session.queue.consumeSystemNotifications': sessionMethod(
    'Takes back what the agent was not told yet, by its kind and what else the filter names of it.',
    { filter: z.record(z.string(), z.unknown()) },
    (session, { filter }) => {
      const { notifications } = session
      const before = notifications.length
      const kept = notifications.filter(({ kind }) => !isMeant(filter, kind))
      notifications.splice(0, before, ...kept)
      if (kept.length < before) tell(session, { type: 'pending_messages.modified', data: {} })
      return { removed: kept.length < before }
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

/** The agent hears it with the next result of a tool, or when it is done. */
function tellLater(session: HostedSession): void {
  tell(session, { type: 'pending_messages.modified', data: {} })
  if (session.notifications.length > 1) return
  const listener = ({ type, agentId }: WireEvent) => {
    const isBetween = type === 'tool.execution_complete' && agentId === undefined
    if (!isBetween && type !== 'session.idle') return
    session.listeners.delete(listener)
    void tellNotifications(session).catch((error: unknown) =>
      session.parts.log('warning', `Session ${session.id}: not told: ${String(error)}`),
    )
  }
  session.listeners.add(listener)
}

/** In their order; each is taken out before it is sent, so that it is told once. */
async function tellNotifications(session: HostedSession): Promise<void> {
  for (let next; (next = session.notifications.shift()) !== undefined;) {
    const { message, kind } = next
    const content = `<system_notification>\n${message}\n</system_notification>`
    const told = { content, ...defined({ kind }) }
    tell(session, { type: 'system.notification', data: told })
    await take(session, { prompt: content, source: 'system' }, { mode: 'immediate' })
  }
}
