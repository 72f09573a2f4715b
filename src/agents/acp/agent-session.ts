/** What is known of an agent's own session while its process runs, and how patient we are with it. */
import type { Draft } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import type { GivenTurn, InnerSession } from './agent-file.ts'
import { isBetween, previousTurn, type Moment } from './conversation.ts'
import type { About } from './introduce.ts'
import { answerHash, doubtAbout } from './own-memory.ts'
import type { Restored } from './restoring.ts'
import { defined } from '../../lib/defined.ts'
import type { Fields } from '../../lib/fields.ts'
import { offersOf, type Offers } from './agent-settings.ts'
import type { Speech } from './message-assembler.ts'

export type AgentSession = {
  known: InnerSession
  readonly offers: Offers
  /** Goes before the next prompt. */
  preamble: readonly Fields[]
  /** It was opened between turns and knows no message yet: the turn after which that was. */
  unasked?: { readonly after: EventId | undefined } | undefined
  /** What the log is told of it with the next turn. */
  untold?: Draft | undefined
  /** The model that it was last asked for, and how long it was to think. */
  modelTold?: string
  effortTold?: string
  /** Since its process was started, or the session opened anew. */
  isAsked?: boolean
  /** What it last said that it used. */
  usage?: Fields
  /** What it said that its session cost, and how much of that is recorded. */
  cost?: { readonly told?: number; readonly recorded: number }
  /** What it said of single requests to its model since its last answer. */
  requests?: readonly Fields[]
}

export type Limits = {
  /** For the program to come up, and for each step until it can be asked. */
  readonly startMs: number
  /** For the next piece of a replay that is not whole yet. */
  readonly replayMs: number
  /** Between a cancellation and the end of a program that does not heed it. */
  readonly cancelMs: number
  /** Before a program that died is started again; doubled each time that it dies in a row. */
  readonly firstRetryMs: number
  readonly maxRetryMs: number
  /** Unused for this long, it is ended; what it knows is restored when it is needed. */
  readonly idleMs: number
  readonly maxFrameBytes?: number
  readonly historyChars?: number
}

/** Until it has answered, it knows what it knew before. */
export function newAgentSession(
  { innerSessionId, result, since, origin, preamble, knows, turns, mark, tried }: Restored,
  turn: Moment,
  { capabilities }: About,
): AgentSession {
  const left = tried.flatMap((attempt) => attempt.left ?? [])
  return {
    known: {
      of: turn.sessionId,
      innerSessionId,
      cwd: turn.cwd,
      since,
      knows: since,
      isSettled: false,
      ...knows,
      rung: origin,
      ...defined({ mark }),
      turns: [...turns],
      capabilities: { ...capabilities },
      ...(left.length > 0 && { earlier: left }),
    },
    offers: offersOf(result),
    preamble,
    ...(knows === undefined && isBetween(turn) && { unasked: { after: previousTurn(turn) } }),
  }
}

/** The same for this turn; undefined when it does not know the conversation as it is now. */
export function sessionFor(session: AgentSession, turn: Moment): AgentSession | undefined {
  const { known, unasked, ...rest } = session
  if (unasked === undefined) return doubtAbout(known, turn) === undefined ? session : undefined
  if (unasked.after !== previousTurn(turn) || known.cwd !== turn.cwd) return undefined
  const { messageEventId } = turn
  return { ...rest, known: { ...known, since: messageEventId, knows: messageEventId } }
}

/** Older ones are not branched from. */
const MOST_TURNS = 2000

/** It was given a message and has not answered yet. */
export function whileAsked(
  { answered: _answered, ...known }: InnerSession,
  eventId: EventId,
): InnerSession {
  const turns = [...known.turns, { eventId, prompts: 1 }].slice(-MOST_TURNS)
  return { ...known, knows: eventId, isSettled: false, turns }
}

/** The turn at hand, as its agent counts and names it. */
function withTurn(known: InnerSession, change: (turn: GivenTurn) => GivenTurn): InnerSession {
  return {
    ...known,
    turns: known.turns.map((turn) => (turn.eventId === known.knows ? change(turn) : turn)),
  }
}

export const withPrompts = (known: InnerSession, more: number): InnerSession =>
  withTurn(known, (turn) => ({ ...turn, prompts: turn.prompts + more }))

export function onceAnswered(
  known: InnerSession,
  { said, lastMessageId }: Pick<Speech, 'said' | 'lastMessageId'>,
  { isSettled, cost }: { readonly isSettled: boolean; readonly cost: number | undefined },
): InnerSession {
  const named = withTurn(known, (turn) => ({ ...turn, ...defined({ lastMessageId, cost }) }))
  return isSettled ? { ...named, isSettled, answered: answerHash(said) } : named
}
