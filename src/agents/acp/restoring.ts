/** What bringing an agent to know a conversation is given, and what comes of it. */
import { createHash } from 'node:crypto'
import type { EventId } from '../../format/ids.ts'
import { RpcFailure } from '../../lib/json-rpc/failure.ts'
import type { Fields } from '../../lib/fields.ts'
import type { ModelMessage } from '../../state/model-context.ts'
import type { CommandLine } from './agent-process.ts'
import type { GivenTurn, InnerSession } from './agent-file.ts'
import type { Abilities } from './capabilities.ts'
import { AUTH_REQUIRED, type Connection } from './connection.ts'
import type { Moment } from './conversation.ts'
import type { renderHistory } from './history.ts'
import type { OwnStore } from './own-store.ts'
import { textBlock } from './prompt.ts'

export type Rung =
  'new' | 'resume' | 'load' | 'fork' | 'store' | 'system-prompt' | 'resource' | 'text'

export type Restored = {
  readonly innerSessionId: string
  /** What the agent said of its session. */
  readonly result: Fields
  readonly since: EventId
  readonly rung: Rung
  /** How the conversation before `since` came to it: a later restore must bring it there again. */
  readonly origin: string
  readonly tried: readonly Attempt[]
  /** Goes before the first prompt. */
  readonly preamble: readonly Fields[]
  readonly given?: InjectedContext
  /** What it knows already; nothing of a session that it begins. */
  readonly knows?: Pick<InnerSession, 'knows' | 'isSettled' | 'answered' | 'isKept'>
  readonly turns: readonly GivenTurn[]
  readonly mark?: string
}

export type Attempt = {
  readonly rung: Rung
  readonly why: string
  /** A session of the agent that was made for it and is not used. */
  readonly left?: string
}
type InjectedContext = {
  readonly sha256: string
  readonly chars: number
  readonly messages: number
  readonly leftOut: number
}

/** What is known of an agent that bears on its memory. */
export type MemoryOddities = {
  /** It hides embedded resources from its model, or does not keep them: it is given texts. */
  readonly asText?: boolean
  /** It puts notes of its own among its answers, which begin so (blanks apart), and replays none of them. */
  readonly notes?: RegExp
  /** It forks at a message that `_meta` names. */
  readonly forksAtMessage?: boolean
  /** The cost that it tells of a session that it forked begins anew; without this, with that of its source. */
  readonly costsOfFork?: 'from-zero'
  /** A copy of a session up to a prompt can be made aside: from its files, or by a command of its own. */
  readonly store?: OwnStore
}

export type Restoring = MemoryOddities & {
  readonly connection: Connection
  readonly abilities: Abilities
  readonly turn: Moment
  readonly known: InnerSession | undefined
  readonly mcpServers: readonly Fields[]
  readonly historyChars?: number
  readonly replayMs: number
  /** How and in which environment the agent was started. */
  readonly line: CommandLine
  readonly env: NodeJS.ProcessEnv
  /** Does something while the updates of a session are kept aside, and gives them. */
  replaying(
    sessionId: string,
    action: (updates: readonly Fields[]) => Promise<unknown>,
  ): Promise<{ result: Fields; updates: readonly Fields[] }>
}

export const systemPrompt = (text: string): Fields => ({
  systemPrompt: { mode: 'append', content: [textBlock(text)] },
})

/** Everything before the message with which the inner session began; undefined when that is no longer there. */
export function upTo(
  history: readonly ModelMessage[],
  since: EventId,
): readonly ModelMessage[] | undefined {
  const at = history.findIndex(({ eventId }) => eventId === since)
  return at === -1 ? undefined : history.slice(0, at)
}

/** That a person must log in is no reason to try another rung. */
export function refusal(error: unknown): string {
  if (!(error instanceof RpcFailure) || error.code === AUTH_REQUIRED) throw error
  return `it refused: ${error.message} (${error.code})`
}

export function givenOf(told: ReturnType<typeof renderHistory> | undefined): {
  given?: InjectedContext
} {
  if (told === undefined) return {}
  const { text, messages, leftOut } = told
  return { given: { sha256: sha256(text), chars: text.length, messages, leftOut } }
}

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
