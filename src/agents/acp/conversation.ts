/**
 * The conversation before a message, from the model context; and whether what an agent replays of it is the same. Only
 * what was said is compared, blanks apart: agents add notes of their own and tell of tools each in their own way.
 */
import type { BetweenTurns, Turn } from '../../engine/agent.ts'
import type { Payload } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import type { ModelMessage } from '../../state/model-context.ts'
import { fieldsOf, textIn } from '../../lib/fields.ts'
import type { Fields } from '../../lib/fields.ts'

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
type Exchange = { eventId?: EventId; asked: string; answered: string }

export function exchangesOf(messages: readonly ModelMessage[]): Exchange[] {
  const exchanges: Exchange[] = []
  for (const { role, content, eventId } of messages) {
    if (role === 'user') exchanges.push({ eventId, asked: bare(content), answered: '' })
    const last = exchanges.at(-1)
    if (role === 'assistant' && last !== undefined) last.answered += bare(content)
  }
  return exchanges
}

/** The same from the updates that an agent replays. */
export function replayedExchanges(updates: readonly Fields[]): Exchange[] {
  const exchanges: Exchange[] = []
  let isAsking = false
  for (const update of updates) {
    const kind = update['sessionUpdate']
    if (kind !== 'user_message_chunk' && kind !== 'agent_message_chunk') continue
    const text = bare(textIn(fieldsOf(update['content']), 'text') ?? '')
    if (kind === 'user_message_chunk' && !isAsking) exchanges.push({ asked: '', answered: '' })
    isAsking = kind === 'user_message_chunk'
    const last = exchanges.at(-1)
    if (last === undefined) continue
    if (isAsking) last.asked += text
    else last.answered += text
  }
  return exchanges
}

/**
 * Why the replay is not this conversation; undefined when it is. The inner session began with the exchange `since`;
 * what came before that was given to it in the first prompt. Of an exchange that was interrupted only the question
 * has to be there.
 */
export function mismatch(
  ours: readonly Exchange[],
  replayed: readonly Exchange[],
  { since, isSettled }: { readonly since: EventId; readonly isSettled: boolean },
): string | undefined {
  const from = ours.findIndex(({ eventId }) => eventId === since)
  const expected = ours.slice(Math.max(0, from))
  if (expected.length === 0 || (from === -1 && expected.length < 2)) {
    return 'there is nothing left to compare with'
  }
  // When the beginning was replaced by a summary, the summary itself was never said.
  const compared = from === -1 ? expected.slice(1) : expected
  if (from === -1 ? replayed.length < compared.length : replayed.length !== compared.length) {
    return `it replayed ${replayed.length} exchanges where there were ${compared.length}`
  }
  const tail = replayed.slice(-compared.length)
  for (const [index, { asked, answered }] of compared.entries()) {
    const other = tail[index] ?? { asked: '', answered: '' }
    if (!other.asked.includes(asked)) return `it replayed another question at ${index + 1}`
    if (index === compared.length - 1 && !isSettled) continue
    const isSame =
      other.answered.includes(answered) ||
      (other.answered !== '' && answered.includes(other.answered))
    if (!isSame) return `it replayed another answer at ${index + 1}`
  }
  return undefined
}

export const bare = (text: string): string => text.toWellFormed().replace(/\s+/gu, '')
