/**
 * Brings an agent to know a conversation. Its own memory is the best, and is only trusted as far as it can be: a session
 * that went on without the agent is not resumed, what it loads must be what the log says, and what was given to it must
 * be there still. A conversation that was rewound or forked is a branch of its own memory where it can make one. Else
 * the conversation is given to a new session of its own, as quoted data, through the best channel that it has.
 */
import { fieldsOf, textIn, type Fields } from '../../lib/fields.ts'
import type { ModelMessage } from '../../state/model-context.ts'
import { branch } from './branch.ts'
import { before } from './conversation.ts'
import { renderHistory } from './history.ts'
import { ownMemory } from './own-memory.ts'
import { textBlock } from './prompt.ts'
import {
  givenOf,
  refusal,
  systemPrompt,
  type Attempt,
  type Restored,
  type Restoring,
  type Rung,
} from './restoring.ts'

export async function restore(restoring: Restoring): Promise<Restored> {
  const history = before(restoring.turn)
  if (history.length === 0) return begin(restoring, 'new', [])
  const tried: Attempt[] = []
  return (
    (await ownMemory(restoring, history, tried)) ??
    (await branch(restoring, history, tried)) ??
    give(restoring, history, tried)
  )
}

/** A new session of the agent's own, with the conversation given to it. */
async function give(
  restoring: Restoring,
  history: readonly ModelMessage[],
  tried: Attempt[],
): Promise<Restored> {
  const { abilities, turn, asText } = restoring
  const told = renderHistory(history, restoring.historyChars)
  if (abilities.systemPrompt) {
    try {
      const begun = await begin(restoring, 'system-prompt', tried, systemPrompt(told.text))
      return { ...begun, ...givenOf(told) }
    } catch (error) {
      tried.push({ rung: 'system-prompt', why: refusal(error) })
    }
  }
  const { mark } = told
  if (abilities.embeddedContext && asText !== true) {
    const uri = `reprise://session/${turn.sessionId}/history`
    const resource = { uri, mimeType: 'text/plain', text: told.text }
    const begun = await begin(restoring, 'resource', tried)
    return { ...begun, preamble: [{ type: 'resource', resource }], mark, ...givenOf(told) }
  }
  const begun = await begin(restoring, 'text', tried)
  return { ...begun, preamble: [textBlock(told.text)], mark, ...givenOf(told) }
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
    turns: [],
  }
}
