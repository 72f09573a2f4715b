/**
 * Whether what an agent replays of its own session is the conversation that the log has. Only what was said is
 * compared, blanks apart: agents add notes of their own and tell of tools each in their own way. A question that
 * nobody answered is one with the question after it: some keep both apart, some together, some with a note between.
 */
import type { EventId } from '../../format/ids.ts'
import { fieldsOf, textIn, type Fields } from '../../lib/fields.ts'
import { bare, type Exchange } from './conversation.ts'
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

/** Gemini CLI puts calls and results as words of both into what it replays. */
const TOOLS_AS_TEXT = /^(?:\[Function (?:Call|Response): [^\]]*\]\s*)+$/

export function replayedExchanges(updates: readonly Fields[]): Replayed[] {
  const exchanges: Replayed[] = []
  let isAsking = false
  for (const update of updates) {
    const kind = update['sessionUpdate']
    if (TOOLS_AS_TEXT.test(saidIn(update))) continue
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
  /** How its notes begin, which it says among its answers and does not keep. */
  readonly notes?: RegExp | undefined
}

/** `lacksLast`: the last question, which nobody answered, is not in the replay and must be put again. */
type Comparison =
  | { readonly why: string; /** What is missing may come yet. */ readonly isShort?: true }
  | { readonly lacksLast: boolean }

/**
 * The inner session began with the exchange `since`; what came before that was given to it in the first prompt. Of an
 * exchange that was interrupted only the question has to be there.
 */
export function compareReplay(
  ours: readonly Exchange[],
  replayed: readonly Replayed[],
  { since, isSettled, mark, notes }: Since,
): Comparison {
  const from = ours.findIndex(({ eventId }) => eventId === since)
  const expected = ours.slice(Math.max(0, from))
  if (expected.length === 0 || (from === -1 && expected.length < 2)) {
    return { why: 'there is nothing left to compare with' }
  }
  const isBegun = replayed.length > 1 || (replayed[0]?.answered ?? '') !== ''
  if (mark !== undefined && !isMarked(replayed[0]?.asked.join('') ?? '', mark))
    return { why: 'it did not keep what it was given before', ...(!isBegun && { isShort: true }) }
  // When the beginning was replaced by a summary, the summary itself was never said.
  const said = from === -1 ? expected.slice(1) : expected
  const mine = joined(said.map((exchange) => withoutNote(exchange, replayed, notes)))
  const theirs = joinedReplay(replayed)
  const open = mine.at(-1)
  const lacksLast =
    !isSettled && open?.answered === '' && theirs.length === mine.length - 1 && mine.length > 1
  const compared = lacksLast ? mine.slice(0, -1) : mine
  const counted = `it replayed ${theirs.length} exchanges where there were ${compared.length}`
  if (theirs.length < compared.length) return { why: counted, isShort: true }
  // From the end: before what is compared there may be more of theirs.
  for (const [index, exchange] of [...compared.entries()].reverse()) {
    const isLast = index === compared.length - 1
    const short = isLast ? { isShort: true as const } : {}
    const other = takeLast(theirs, exchange)
    if (!isAsked(exchange.asked, other.asked))
      return { why: `it replayed another question at ${index + 1}`, ...short }
    if (index === mine.length - 1 && !isSettled) continue
    if (!isSame(exchange.answered, other.answered))
      return { why: `it replayed another answer at ${index + 1}`, ...short }
  }
  return from === -1 || theirs.length === 0 ? { lacksLast } : { why: counted }
}

/** An answer that was a note alone is none, where the replay has none either. */
function withoutNote(
  exchange: Exchange,
  replayed: readonly Replayed[],
  notes: RegExp | undefined,
): Exchange {
  const isBare = ({ asked, answered }: Replayed) =>
    answered === '' && isAsked(exchange.asked, asked)
  return notes?.test(exchange.answered) === true && replayed.some(isBare)
    ? { ...exchange, answered: '' }
    : exchange
}

/** Ours, of which all but the last question of each went unanswered. */
type Joined = Exchange & { readonly questions: number }

function joined(exchanges: readonly Exchange[]): Joined[] {
  const result: Joined[] = []
  for (const exchange of exchanges) {
    const last = result.at(-1)
    if (last?.answered === '') {
      const [asked, questions] = [last.asked + exchange.asked, last.questions + 1]
      result.splice(-1, 1, { ...exchange, asked, questions })
    } else result.push({ ...exchange, questions: 1 })
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

/** Of theirs, what stands for one of ours: to a question that was interrupted some note an answer of their own. */
function takeLast(theirs: Replayed[], { asked, questions }: Joined): Replayed {
  const last = theirs.pop() ?? { asked: [], answered: '' }
  let pieces = last.asked
  for (let more = 1; more < questions && !isAsked(asked, pieces); more += 1)
    pieces = [...(theirs.pop()?.asked ?? []), ...pieces]
  return { ...last, asked: pieces }
}

const isSame = (ours: string, theirs: string): boolean =>
  theirs.includes(ours) || (theirs !== '' && ours.includes(theirs))

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
