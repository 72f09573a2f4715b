/**
 * Whether what an agent replays of its own session is the conversation that the log has. Only what was said is
 * compared, blanks apart: agents add notes of their own and tell of tools each in their own way. A question that
 * nobody answered is one with the question after it: some keep both apart, some together, some only the second.
 */
import type { EventId } from '../../format/ids.ts'
import { fieldsOf, textIn } from '../../lib/fields.ts'
import type { Fields } from '../../lib/fields.ts'
import { bare } from './conversation.ts'
import type { Exchange } from './conversation.ts'
import { isMarked } from './history.ts'

type Replayed = {
  /** As the agent told them, one after the other. */
  asked: string[]
  answered: string
}

const ENDS_QUESTION: ReadonlySet<unknown> = new Set([
  'agent_message_chunk',
  'agent_thought_chunk',
  'tool_call',
  'tool_call_update',
  'plan',
])

export function replayedExchanges(updates: readonly Fields[]): Replayed[] {
  const exchanges: Replayed[] = []
  let isAsking = false
  for (const update of updates) {
    const kind = update['sessionUpdate']
    if (kind === 'user_message_chunk') {
      if (!isAsking) exchanges.push({ asked: [], answered: '' })
      isAsking = true
      exchanges.at(-1)?.asked.push(bare(saidIn(update)))
    } else if (ENDS_QUESTION.has(kind)) isAsking = false
    const last = exchanges.at(-1)
    if (kind === 'agent_message_chunk' && last !== undefined) last.answered += bare(saidIn(update))
  }
  return exchanges
}

function saidIn(update: Fields): string {
  const content = fieldsOf(update['content'])
  return textIn(content, 'text') ?? textIn(fieldsOf(content['resource']), 'text') ?? ''
}

type Since = {
  readonly since: EventId
  readonly isSettled: boolean
  /** Of what was given to it before its first exchange; it must have kept that, too. */
  readonly mark?: string | undefined
}

/** `lacksLast`: the last question, which nobody answered, is not in the replay and must be put again. */
type Comparison = { readonly why: string } | { readonly lacksLast: boolean }

/**
 * The inner session began with the exchange `since`; what came before that was given to it in the first prompt. Of an
 * exchange that was interrupted only the question has to be there.
 */
export function compareReplay(
  ours: readonly Exchange[],
  replayed: readonly Replayed[],
  { since, isSettled, mark }: Since,
): Comparison {
  const from = ours.findIndex(({ eventId }) => eventId === since)
  const expected = ours.slice(Math.max(0, from))
  if (expected.length === 0 || (from === -1 && expected.length < 2)) {
    return { why: 'there is nothing left to compare with' }
  }
  if (mark !== undefined && !isMarked(replayed[0]?.asked.join('') ?? '', mark))
    return { why: 'it did not keep what it was given before' }
  // When the beginning was replaced by a summary, the summary itself was never said.
  const mine = joined(from === -1 ? expected.slice(1) : expected)
  const theirs = joinedReplay(replayed)
  const open = mine.at(-1)
  const lacksLast =
    !isSettled && open?.answered === '' && theirs.length === mine.length - 1 && mine.length > 1
  const compared = lacksLast ? mine.slice(0, -1) : mine
  if (from === -1 ? theirs.length < compared.length : theirs.length !== compared.length) {
    return { why: `it replayed ${theirs.length} exchanges where there were ${compared.length}` }
  }
  const tail = theirs.slice(-compared.length)
  for (const [index, { asked, answered }] of compared.entries()) {
    const other = tail[index] ?? { asked: [], answered: '' }
    if (!isAsked(asked, other.asked)) return { why: `it replayed another question at ${index + 1}` }
    if (index === mine.length - 1 && !isSettled) continue
    const isSame =
      other.answered.includes(answered) ||
      (other.answered !== '' && answered.includes(other.answered))
    if (!isSame) return { why: `it replayed another answer at ${index + 1}` }
  }
  return { lacksLast }
}

function joined(exchanges: readonly Exchange[]): Exchange[] {
  const result: Exchange[] = []
  for (const exchange of exchanges) {
    const last = result.at(-1)
    if (last?.answered === '')
      result.splice(-1, 1, { ...exchange, asked: last.asked + exchange.asked })
    else result.push(exchange)
  }
  return result
}

function joinedReplay(exchanges: readonly Replayed[]): Replayed[] {
  const result: Replayed[] = []
  for (const exchange of exchanges) {
    const last = result.at(-1)
    if (last?.answered === '')
      result.splice(-1, 1, { ...exchange, asked: [...last.asked, ...exchange.asked] })
    else result.push(exchange)
  }
  return result
}

/** Their pieces hold ours in order; what they put between is theirs. */
function isAsked(asked: string, pieces: readonly string[]): boolean {
  if (pieces.join('').includes(asked)) return true
  let rest = asked
  for (const piece of pieces) {
    if (piece.includes(rest)) return true
    if (piece !== '' && rest.startsWith(piece)) rest = rest.slice(piece.length)
  }
  return rest === ''
}
