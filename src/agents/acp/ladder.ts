/**
 * Brings an agent to know a conversation. Its own memory is the best, and is only trusted as far as it can be: a session
 * that went on without the agent is not resumed, and what it loads must be what the log says. Else the conversation is
 * given to a new session of its own, as quoted data, through the best channel that it has.
 */
import { createHash } from 'node:crypto'
import type { EventId } from '../../format/ids.ts'
import type { ModelMessage } from '../../state/model-context.ts'
import type { InnerSession } from './agent-file.ts'
import type { Abilities } from './capabilities.ts'
import { RpcFailure } from '../../lib/json-rpc/failure.ts'
import { AUTH_REQUIRED } from './connection.ts'
import type { Connection } from './connection.ts'
import {
  bare,
  before,
  exchangesOf,
  mismatch,
  previousTurn,
  replayedExchanges,
} from './conversation.ts'
import type { Moment } from './conversation.ts'
import { renderHistory } from './history.ts'
import { textBlock } from './prompt.ts'
import { fieldsOf, textIn } from '../../lib/fields.ts'
import type { Fields } from '../../lib/fields.ts'

export type Rung = 'new' | 'resume' | 'load' | 'system-prompt' | 'resource' | 'text'

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
}

export type Attempt = { readonly rung: Rung; readonly why: string }
export type InjectedContext = {
  readonly sha256: string
  readonly chars: number
  readonly messages: number
  readonly leftOut: number
}

type Restoring = {
  readonly connection: Connection
  readonly abilities: Abilities
  readonly turn: Moment
  readonly known: InnerSession | undefined
  readonly hidesResources: boolean
  readonly mcpServers: readonly Fields[]
  readonly historyChars?: number
  /** Does something while the updates of a session are kept aside, and gives them. */
  replaying(
    sessionId: string,
    action: () => Promise<unknown>,
  ): Promise<{ result: Fields; updates: readonly Fields[] }>
}

export async function restore(restoring: Restoring): Promise<Restored> {
  const history = before(restoring.turn)
  if (history.length === 0) return begin(restoring, 'new', [])
  const tried: Attempt[] = []
  const native = await restoreNatively(restoring, history, tried)
  return native ?? give(restoring, history, tried)
}

async function restoreNatively(
  restoring: Restoring,
  history: readonly ModelMessage[],
  tried: Attempt[],
): Promise<Restored | undefined> {
  const { abilities, known, turn } = restoring
  if (known === undefined) return undefined
  const rungs: Rung[] = [
    ...(abilities.resume ? ['resume' as const] : []),
    ...(abilities.load ? ['load' as const] : []),
  ]
  const doubt = doubtAbout(known, turn, history)
  const earlier = known.rung === 'system-prompt' ? upTo(history, known.since) : []
  for (const rung of rungs) {
    const why =
      doubt ??
      (rung === 'resume' && !known.isSettled ? 'its last answer was interrupted' : undefined) ??
      (earlier === undefined ? 'what it was told at its start is no longer known' : undefined) ??
      (await attempt(restoring, rung, known, earlier ?? [], history))
    if (typeof why === 'string') tried.push({ rung, why })
    else return { ...why, tried }
  }
  return undefined
}

/** Why the agent's own session cannot be the conversation that the log has. */
export function doubtAbout(
  known: InnerSession,
  turn: Moment,
  history: readonly ModelMessage[] = before(turn),
): string | undefined {
  if (known.cwd !== turn.cwd) return 'the session is in another directory now'
  if (known.knows !== previousTurn(turn)) return 'the session was rewound or went on without it'
  const last = exchangesOf(history).at(-1)
  const isCompared =
    known.isSettled && known.answered !== undefined && last?.eventId === known.knows
  if (isCompared && answerHash(last.answered) !== known.answered)
    return 'its last answer was rewound'
  return undefined
}

export const answerHash = (text: string): string => sha256(bare(text))

async function attempt(
  restoring: Restoring,
  rung: Rung,
  known: InnerSession,
  earlier: readonly ModelMessage[],
  history: readonly ModelMessage[],
): Promise<Omit<Restored, 'tried'> | string> {
  const { connection, turn, mcpServers, abilities } = restoring
  const { innerSessionId, since } = known
  const told = earlier.length === 0 ? undefined : renderHistory(earlier, restoring.historyChars)
  const params = {
    sessionId: innerSessionId,
    cwd: turn.cwd,
    mcpServers,
    ...(told !== undefined && systemPrompt(told.text)),
  }
  try {
    const { result, updates } = await restoring.replaying(innerSessionId, () =>
      connection.request(`session/${rung}`, params),
    )
    const why =
      rung === 'load'
        ? mismatch(exchangesOf(history), replayedExchanges(updates), known)
        : undefined
    if (why === undefined) {
      return {
        innerSessionId,
        result,
        since,
        rung,
        origin: known.rung,
        preamble: [],
        ...givenOf(told),
      }
    }
    if (abilities.close) {
      // It is not used; an agent that cannot close it keeps it until it ends.
      await connection.request('session/close', { sessionId: innerSessionId }).catch(() => {})
    }
    return why
  } catch (error) {
    return refusal(error)
  }
}

/** A new session of the agent's own, with the conversation given to it. */
async function give(
  restoring: Restoring,
  history: readonly ModelMessage[],
  tried: Attempt[],
): Promise<Restored> {
  const { abilities, turn, hidesResources } = restoring
  const told = renderHistory(history, restoring.historyChars)
  if (abilities.systemPrompt) {
    try {
      const begun = await begin(restoring, 'system-prompt', tried, systemPrompt(told.text))
      return { ...begun, ...givenOf(told) }
    } catch (error) {
      tried.push({ rung: 'system-prompt', why: refusal(error) })
    }
  }
  if (abilities.embeddedContext && !hidesResources) {
    const uri = `reprise://session/${turn.sessionId}/history`
    const resource = { uri, mimeType: 'text/plain', text: told.text }
    const begun = await begin(restoring, 'resource', tried)
    return { ...begun, preamble: [{ type: 'resource', resource }], ...givenOf(told) }
  }
  const begun = await begin(restoring, 'text', tried)
  return { ...begun, preamble: [textBlock(told.text)], ...givenOf(told) }
}

async function begin(
  { connection, turn, mcpServers }: Restoring,
  rung: Rung,
  tried: readonly Attempt[],
  more: Fields = {},
): Promise<Restored> {
  const params = { cwd: turn.cwd, mcpServers, ...more }
  const result = fieldsOf(await connection.request('session/new', params))
  const innerSessionId = textIn(result, 'sessionId')
  if (innerSessionId === undefined) throw new Error('It began a session without an id.')
  return {
    innerSessionId,
    result,
    since: turn.messageEventId,
    rung,
    origin: rung,
    tried,
    preamble: [],
  }
}

const systemPrompt = (text: string): Fields => ({
  systemPrompt: { mode: 'append', content: [textBlock(text)] },
})

/** Everything before the message with which the inner session began; undefined when that is no longer there. */
function upTo(
  history: readonly ModelMessage[],
  since: EventId,
): readonly ModelMessage[] | undefined {
  const at = history.findIndex(({ eventId }) => eventId === since)
  return at === -1 ? undefined : history.slice(0, at)
}

/** That a person must log in is no reason to try another rung. */
function refusal(error: unknown): string {
  if (!(error instanceof RpcFailure) || error.code === AUTH_REQUIRED) throw error
  return `it refused: ${error.message} (${error.code})`
}

function givenOf(told: ReturnType<typeof renderHistory> | undefined): { given?: InjectedContext } {
  if (told === undefined) return {}
  const { text, messages, leftOut } = told
  return { given: { sha256: sha256(text), chars: text.length, messages, leftOut } }
}

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
