/**
 * Takes a message in and says by what id it is known: once it is durable, or once it waits in the queue. How its
 * turn ends is told later.
 */
import type { EngineContext } from '../context.ts'
import { EngineError } from '../errors.ts'
import type { LiveSession } from '../live/live-session.ts'
import { send } from './send.ts'
import type { Message, SendOptions, TurnOutcome } from './send.ts'

export type Dispatched = {
  readonly messageId: string
  readonly isQueued: boolean
  /** Rejects when the turn could not be carried out at all. */
  readonly done: Promise<TurnOutcome>
}

export async function dispatch(
  engine: EngineContext,
  session: LiveSession,
  message: Message,
  options: SendOptions = {},
): Promise<Dispatched> {
  const { messageId = engine.newId() } = message
  const waits = () => session.queue.some(({ id }) => id === messageId)
  if (waits()) {
    throw new EngineError(
      'conflict',
      `A message ${messageId} waits in session ${session.id} already. Nothing was sent.`,
    )
  }
  const { promise: recorded, resolve } = Promise.withResolvers<void>()
  using _listening = session.feed.subscribe((item) => {
    if (item.kind !== 'event' || 'stranger' in item.event) return
    const { event } = item
    if (event.type === 'user.message' && event.data.messageId === messageId) resolve()
  })
  const done = send(engine, session, { ...message, messageId }, options)
  // Nothing is awaited on the way into the queue.
  if (waits()) return { messageId, isQueued: true, done }
  await Promise.race([recorded, done])
  return { messageId, isQueued: false, done }
}
