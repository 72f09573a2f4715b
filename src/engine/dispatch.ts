/**
 * Takes a message in and says by what id it is known: once it is durable, or once it waits in the queue. How its
 * turn ends is told later.
 */
import type { FeedItem } from './feed.ts'
import type { EngineContext } from './context.ts'
import type { LiveSession } from './live-session.ts'
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
  const { promise: recorded, resolve } = Promise.withResolvers<string>()
  const steers = session.running !== undefined
  const waiting = session.queue.length
  using _listening = session.feed.subscribe((item) => {
    const messageId = ownMessage(item, session, message, steers)
    if (messageId !== undefined) resolve(messageId)
  })
  const done = send(engine, session, message, options)
  // Nothing is awaited on the way into the queue, so the last entry is this message.
  const queued = session.queue.length > waiting ? session.queue.at(-1) : undefined
  if (queued !== undefined) return { messageId: queued.id, isQueued: true, done }
  const messageId = await Promise.race([recorded, done.then(({ turnId }) => turnId)])
  return { messageId, isQueued: false, done }
}

function ownMessage(
  item: FeedItem,
  { running }: LiveSession,
  { prompt }: Message,
  steers: boolean,
): string | undefined {
  if (item.kind !== 'event' || 'stranger' in item.event) return undefined
  const { event } = item
  if (event.type !== 'user.message' || event.data.turnId !== running?.turnId) return undefined
  const isSteering = event.data.delivery === 'steering'
  if (isSteering !== steers || (steers && event.data.content !== prompt)) return undefined
  return event.data.messageId ?? event.id
}
