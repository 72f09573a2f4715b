/** A whole message of a person, of which a list shows only the beginning. */
import { EngineError } from '../engine/errors.ts'
import type { Session } from '../engine/session.ts'
import type { Message } from '../engine/turn/message.ts'
import type { EventId } from '../format/ids.ts'
import { defined } from '../lib/defined.ts'

/** The event behind the one before it. Undefined when it is no message, or not there. */
export async function messageAt(session: Session, eventId: EventId): Promise<Message | undefined> {
  const before = await session
    .events({ direction: 'backward', cursor: eventId, limit: 1 })
    .catch((error: unknown) => {
      // An event that is not there is refused by the operation that acts on it.
      if (error instanceof EngineError && error.code === 'expired') return undefined
      throw error
    })
  if (before === undefined) return undefined
  const cursor = before.events[0]?.id
  const [event] = (await session.events({ limit: 1, ...defined({ cursor }) })).events
  if (event === undefined || 'stranger' in event || event.type !== 'user.message') return undefined
  const { content: prompt, attachments } = event.data
  return { prompt, ...defined({ attachments }) }
}
