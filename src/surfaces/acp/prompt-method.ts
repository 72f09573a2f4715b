/** `session/prompt`: one turn, from the message to the last update of its answer. */
import type { TurnOutcome } from '../../engine/send.ts'
import { isSessionId } from '../../format/ids.ts'
import { RpcFailure, rpcCodes } from '../../lib/rpc-lines.ts'
import type { Fields } from '../../lib/rpc-lines.ts'
import type { Amounts } from '../../state/usage.ts'
import type { Attached } from './attached.ts'
import { attachedTo, sessionIdOf } from './client.ts'
import type { Client } from './client.ts'
import { commandIn } from './commands.ts'
import { messageOf } from './prompt.ts'
import { text } from './update.ts'

export async function prompt(
  client: Client,
  given: { readonly sessionId: string; readonly prompt: readonly Fields[] },
  cancelled: AbortSignal,
) {
  const message = messageOf(given.prompt)
  const id = sessionIdOf(given.sessionId)
  const attached = await attachedTo(client, id)
  const run = message.attachments === undefined ? ownCommand(attached, message.prompt) : undefined
  if (run !== undefined) return runCommand(client, attached, run)

  const { engine } = client.parts
  const before = (await engine.state(id)).usage
  const own = attached.expectOwn(message.prompt)
  const stop = () => engine.cancel(id)
  cancelled.addEventListener('abort', stop, { once: true })
  try {
    const outcome = await engine.send(id, message, { whenBusy: 'enqueue' })
    const { size, usage } = await engine.state(id)
    await attached.told(size)
    // A cancelled turn holds back what waits; whoever cancelled here wants to go on.
    if (outcome.status === 'cancelled') engine.resumeQueue(id)
    return answerOf(outcome, own.messageId(), spent(before, usage))
  } finally {
    own.over()
    cancelled.removeEventListener('abort', stop)
  }
}

function answerOf(outcome: TurnOutcome, messageId: string | undefined, usage: object | undefined) {
  if (outcome.status === 'failed')
    throw new RpcFailure(rpcCodes.internal, outcome.error ?? 'The agent failed.', {
      turnId: outcome.turnId,
    })
  const isCancelled = outcome.status === 'cancelled' || outcome.status === 'withdrawn'
  return {
    stopReason: isCancelled ? 'cancelled' : 'end_turn',
    ...(usage !== undefined && { usage }),
    _meta: { reprise: { turnId: outcome.turnId, ...(messageId !== undefined && { messageId }) } },
  }
}

function spent(before: Amounts, after: Amounts): object | undefined {
  const inputTokens = Math.max(0, after.inputTokens - before.inputTokens)
  const outputTokens = Math.max(0, after.outputTokens - before.outputTokens)
  if (inputTokens + outputTokens === 0) return undefined
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens,
    cachedReadTokens: Math.max(0, after.cacheReadTokens - before.cacheReadTokens),
    cachedWriteTokens: Math.max(0, after.cacheWriteTokens - before.cacheWriteTokens),
  }
}

/** The agent's own commands go before ours. */
function ownCommand({ theirCommands }: Attached, given: string) {
  const name = /^\/([a-z]+)/.exec(given.trim())?.[1]
  return theirCommands.some((command) => command['name'] === name) ? undefined : commandIn(given)
}

async function runCommand(
  client: Client,
  attached: Attached,
  run: NonNullable<ReturnType<typeof commandIn>>,
) {
  const said = await run(client.parts.engine, attached.id)
  const messageId = crypto.randomUUID()
  attached.send({ sessionUpdate: 'agent_message_chunk', content: text(said), messageId })
  return { stopReason: 'end_turn' }
}

/** What waits for its turn is withdrawn with it. */
export function cancelPrompt({ open, parts: { engine } }: Client, sessionId: string): void {
  if (!isSessionId(sessionId) || !open.has(sessionId)) return
  engine.clearQueue(sessionId)
  engine.cancel(sessionId)
}
