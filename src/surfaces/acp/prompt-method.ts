/** `session/prompt`: one turn, from the message to the last update of its answer. */
import type { Message, TurnOutcome } from '../../engine/turn/message.ts'
import { isSessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { fieldsOf, type Fields } from '../../lib/fields.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import type { Amounts } from '../../state/usage.ts'
import type { Attached } from './attached.ts'
import { attachedTo, sessionIdOf, type Client } from './client.ts'
import { reachAgent } from './agent-choices.ts'
import { takePrompt } from './take-prompt.ts'
import { messageOf } from './prompt.ts'
import { text } from './update.ts'

export async function prompt(
  client: Client,
  given: Fields & { readonly sessionId: string; readonly prompt: readonly Fields[] },
  cancelled: AbortSignal,
) {
  const id = sessionIdOf(given.sessionId)
  const attached = await attachedTo(client, id)
  const message = await messageIn(client, attached, given.prompt, cancelled)
  if (message === undefined) return { stopReason: 'end_turn' }

  const { engine, switchboard } = client.parts
  const session = await engine.open(id)
  const before = (await session.state()).usage
  const messageId: string = crypto.randomUUID()
  using _own = attached.expectOwn(messageId)
  using put = switchboard.prompted(messageId, asSent(given, message))
  // What waits is not held: a client that cancelled one prompt wants the next one answered.
  const stop = () => void session.cancel({ queue: 'go-on' })
  cancelled.addEventListener('abort', stop, { once: true })
  try {
    const sent = await session.send({ ...message, messageId }, { whenBusy: 'enqueue' })
    const outcome = await sent.ended
    // That a login is missing is told as the protocol has it; the words alone do not show it for certain.
    if (/\blog in\b/.test(outcome.error ?? '')) await reachAgent(engine, id, cancelled)
    const { size, usage } = await session.state()
    await attached.told(size)
    const result = put.result() ?? {}
    return answerOf(outcome, { ...result, _meta: metaOf(result, outcome, messageId) }, () =>
      spent(before, usage),
    )
  } finally {
    cancelled.removeEventListener('abort', stop)
  }
}

/** A command of a file, and what stands behind `//`, reach the agent as the text that they stand for. */
const asSent = <T extends { readonly prompt: readonly Fields[] }>(
  given: T,
  { prompt: sent }: Message,
): T => (messageOf(given.prompt).prompt === sent ? given : { ...given, prompt: [text(sent)] })

/** What another agent said in its answer is given on with ours. */
function answerOf(outcome: TurnOutcome, result: Fields, usage: () => object | undefined): Fields {
  if (outcome.status === 'failed')
    throw new RpcFailure(rpcCodes.internal, outcome.error ?? 'The agent failed.', {
      turnId: outcome.turnId,
    })
  const isCancelled = outcome.status === 'cancelled' || outcome.status === 'withdrawn'
  const used = result['usage'] ?? usage()
  return {
    ...result,
    stopReason: isCancelled ? 'cancelled' : (result['stopReason'] ?? 'end_turn'),
    ...defined({ usage: used }),
  }
}

/** The same for the second version: answered when the message is in the log; the rest is told. */
export async function begin(
  client: Client,
  given: Fields & { readonly sessionId: string; readonly prompt: readonly Fields[] },
  cancelled: AbortSignal,
) {
  const id = sessionIdOf(given.sessionId)
  const attached = await attachedTo(client, id)
  const messageId: string = crypto.randomUUID()
  const message = await messageIn(client, attached, given.prompt, cancelled, () => {
    for (const block of given.prompt)
      attached.send({ sessionUpdate: 'raw', update: echo(block, messageId) })
  })
  if (message === undefined) return { messageId }
  const { engine, switchboard } = client.parts
  const own = attached.expectOwn(messageId)
  const put = switchboard.prompted(messageId, asSent(given, message))
  const session = await engine.open(id)
  const sending = session.send({ ...message, messageId }, { whenBusy: 'enqueue' })
  const done = sending
    .then(({ ended }) => ended)
    .finally(() => {
      own[Symbol.dispose]()
      put[Symbol.dispose]()
    })
  const withdrawn = done.then((outcome) => {
    if (outcome.status !== 'withdrawn') return own.told
    throw new RpcFailure(rpcCodes.cancelled, 'The message was withdrawn before its turn came.')
  })
  withdrawn.catch(() => {}) // once it is in the log, its end is told as a state
  await Promise.race([own.told, withdrawn])
  return { messageId }
}

const echo = (content: Fields, messageId: string): Fields => ({
  sessionUpdate: 'user_message_chunk',
  content,
  messageId,
})

function metaOf(result: Fields, { turnId }: TurnOutcome, messageId: string): Fields {
  const theirs = fieldsOf(result['_meta'])
  return { ...theirs, reprise: { turnId, messageId } }
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

/** Undefined when it was a command, which has said what it has to say; `beforeSaid` goes before that. */
async function messageIn(
  { parts }: Client,
  attached: Attached,
  blocks: readonly Fields[],
  cancelled: AbortSignal,
  beforeSaid: () => void = () => {},
): Promise<Message | undefined> {
  const message = messageOf(blocks)
  if (message.attachments !== undefined) return message
  const taken = await takePrompt(parts, attached, message.prompt, cancelled)
  if ('message' in taken) return { ...message, prompt: taken.message }
  beforeSaid()
  const messageId = crypto.randomUUID()
  attached.send({ sessionUpdate: 'agent_message_chunk', content: text(taken.said), messageId })
  return undefined
}

/** What waits for its turn is withdrawn with it. */
export async function cancelPrompt(
  { open, parts: { engine } }: Client,
  sessionId: string,
): Promise<void> {
  if (!isSessionId(sessionId) || !open.has(sessionId)) return
  await (await engine.open(sessionId)).cancel({ queue: 'clear' })
}
