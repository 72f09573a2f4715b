/** What is known of an agent's own session while its process runs, and how patient we are with it. */
import type { Draft } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import type { InnerSession } from './agent-file.ts'
import { isBetween, previousTurn } from './conversation.ts'
import type { Moment } from './conversation.ts'
import type { About } from './introduce.ts'
import { doubtAbout } from './ladder.ts'
import type { Restored } from './ladder.ts'
import type { Fields } from '../../lib/fields.ts'
import { offersOf } from './settings.ts'
import type { Offers } from './settings.ts'

export type AgentSession = {
  known: InnerSession
  readonly offers: Offers
  /** Goes before the next prompt. */
  preamble: readonly Fields[]
  /** It was opened between turns and knows no message yet: the turn after which that was. */
  unasked?: { readonly after: EventId | undefined } | undefined
  /** What the log is told of it with the next turn. */
  untold?: Draft | undefined
  /** The model that it was last asked for. */
  modelTold?: string
  /** What it last said that it used. */
  usage?: Fields
}

export type Limits = {
  /** For the program to come up, and for each step until it can be asked. */
  readonly startMs: number
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
  { innerSessionId, result, since, origin, given, preamble }: Restored,
  turn: Moment,
  { capabilities }: About,
  known: InnerSession | undefined,
): AgentSession {
  const isSame = known?.innerSessionId === innerSessionId
  return {
    known: {
      innerSessionId,
      cwd: turn.cwd,
      since,
      knows: isSame ? known.knows : since,
      isSettled: isSame && known.isSettled,
      rung: origin,
      ...(given !== undefined && { digest: given.sha256 }),
      capabilities: { ...capabilities },
    },
    offers: offersOf(result),
    preamble,
    ...(!isSame && isBetween(turn) && { unasked: { after: previousTurn(turn) } }),
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
