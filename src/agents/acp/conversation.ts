/** The conversation before a message, from the model context. */
import type { BetweenTurns, Turn } from '../../engine/agent.ts'
import type { Payload } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import type { ModelMessage } from '../../state/model-context.ts'

/** A place in the conversation: before the message of a turn, or where the next one will be. */
export type Moment = BetweenTurns & {
  readonly message: Pick<Payload<'user.message'>, 'content' | 'transformedContent'>
  readonly messageEventId: EventId
}

/** Stands for the message that comes next and has no id yet. */
const NO_MESSAGE = '' as EventId

export const now = (between: BetweenTurns): Moment => ({
  ...between,
  message: { content: '' },
  messageEventId: NO_MESSAGE,
})

export const isBetween = ({ messageEventId }: Moment): boolean => messageEventId === NO_MESSAGE

/** Everything said before the message that is to be answered. */
export function before(turn: Moment): readonly ModelMessage[] {
  const { messages } = turn.context
  const last = messages.at(-1)
  if (last?.role !== 'user') return messages
  // A message that nobody answered and the one after it stand in the context as one.
  const current = promptText(turn).toWellFormed()
  const earlier = last.content.endsWith(current)
    ? last.content.slice(0, -current.length || undefined).trim()
    : ''
  const rest = messages.slice(0, -1)
  return earlier === '' ? rest : [...rest, { ...last, content: earlier }]
}

export const promptText = ({ message }: Pick<Moment, 'message'>): string =>
  message.transformedContent ?? message.content

/** The message and what was noted for the model since the last answer, which an agent by itself does not hear of. */
export function unheard(turn: Turn): string {
  const last = turn.context.messages.at(-1)
  const text = promptText(turn)
  return last?.role === 'user' && last.content.endsWith(text.toWellFormed()) ? last.content : text
}

/** The turn before this one. */
export const previousTurn = ({ state, messageEventId }: Moment): EventId | undefined =>
  state.turns.findLast(({ eventId }) => eventId !== messageEventId)?.eventId

/** What was asked and what was answered to it. */
export type Exchange = { eventId?: EventId; asked: string; answered: string }

export function exchangesOf(messages: readonly ModelMessage[]): Exchange[] {
  const exchanges: Exchange[] = []
  for (const { role, content, eventId } of messages) {
    if (role === 'user') exchanges.push({ eventId, asked: bare(content), answered: '' })
    const last = exchanges.at(-1)
    if (role === 'assistant' && last !== undefined) last.answered += bare(content)
  }
  return exchanges
}

export const bare = (text: string): string => text.toWellFormed().replace(/\s+/gu, '')
