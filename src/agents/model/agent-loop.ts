/**
 * One speaker of a turn, the agent itself or one of its sub-agents: calls the model, commits what it said, runs what it
 * asked for, and goes on until it asks for nothing more.
 */
import type { AgentItem, Turn } from '../../engine/agent.ts'
import type { Draft, Payload } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import type { Tool } from '../tools/tool.ts'
import { keepAside } from './reasoning-passback.ts'
import { buildRequest, definitionsText } from './build-request.ts'
import { callTools } from './call-tools.ts'
import type { ModelConfig, ModelParts } from './config.ts'
import { startConversation, type Conversation } from './conversation.ts'
import { usageInfo } from './context-usage.ts'
import { callModel, type Called } from './retry.ts'
import { taskCompleted } from './task-completed.ts'
import { usageRecord, usageTold } from './usage.ts'
import { windowIn } from './windows.ts'

const MAX_STEPS = 200

type Items<Result> = AsyncGenerator<AgentItem, Result, undefined>

export type Speaker = {
  readonly config: ModelConfig
  readonly parts: ModelParts
  readonly system: string
  readonly tools: ReadonlyMap<string, Tool>
  readonly model: string
  readonly reasoningEffort: string | undefined
  /** It says nothing of its own before it has heard something. */
  readonly isSilent?: boolean
  /** Every call of the model after the first is told as a round of its own. */
  readonly tellsRounds?: boolean
  /** Asked when it has nothing more to do: true when there is something to go on with after all. */
  readonly more?: (conversation: Conversation) => Items<boolean> | Promise<boolean>
}

/** How it ended: by itself, because a person said no, or because it was called too often. */
type Spoken = { readonly how: 'done' | 'rejected' | 'stopped'; readonly tokens: number }

export async function* converse(turn: Turn, speaker: Speaker, signal: AbortSignal): Items<Spoken> {
  const { config, parts, system, tools, model, reasoningEffort } = speaker
  const conversation = startConversation(turn, parts.newId)
  const spoken = withHeaders(config, config.turnHeaders?.(turn))
  const maxSteps = config.maxSteps ?? MAX_STEPS
  const told = tools.size === 0 ? undefined : definitionsText([...tools.values()])
  let tokens = 0
  const end = (how: Spoken['how']): Spoken => ({ how, tokens })

  /** Undefined to go on. */
  async function* carryOut(calls: Parameters<typeof callTools>[2]): Items<Spoken | undefined> {
    const { results, isRejected } = yield* callTools({ ...turn, model }, tools, calls, signal)
    conversation.gave(results)
    const done = taskCompleted(turn.state.mode, calls)
    if (done !== undefined) {
      yield { draft: done }
      return end('done')
    }
    return isRejected && !conversation.heard(turn.steering()) ? end('rejected') : undefined
  }

  const left = (turn.left ?? []).map(({ toolCallId: id, toolName: name, arguments: args }) => ({
    id,
    name,
    arguments: args,
  }))
  if (left.length > 0) {
    const ended = yield* carryOut(left)
    if (ended !== undefined) return ended
  }
  if (speaker.isSilent && !(yield* goesOn(speaker, conversation))) return end('done')
  for (let step = 1; ; step++) {
    conversation.heard(turn.steering())
    if (step > 1 && speaker.tellsRounds) yield { draft: roundStart(turn) }
    const context = await conversation.context(system)
    yield {
      notice: usageInfo({
        context,
        tools: [...tools.values()],
        window: windowIn({ ...config, name: config.model }, model),
        isInitial: step === 1,
      }),
    }
    const request = buildRequest(context, {
      ...config,
      reasoningEffort,
      tools: [...tools.values()],
      asides: conversation.asides,
    })
    const { callId } = conversation
    const called = yield* callModel(turn, { config: spoken, parts, model, request, callId }, signal)
    conversation.answered(called)
    tokens += tokensOf(called)
    const record = usageRecord(
      called,
      { model, reasoningEffort, tools: told, isOfUser: step === 1 && speaker.tellsRounds === true },
      config,
    )
    yield usageTold(record, { isNested: speaker.tellsRounds !== true })
    yield { draft: messageOf(turn, called, speaker) }
    yield { draft: { type: 'session.usage_record', data: record } }
    const odd = oddityOf(called)
    if (odd !== undefined) yield { draft: warn(...odd) }
    if (called.calls.length > 0) {
      const ended = yield* carryOut(called.calls)
      if (ended !== undefined) return ended
    } else if (!conversation.heard(turn.steering()) && !(yield* goesOn(speaker, conversation)))
      return end('done')
    if (step >= maxSteps) {
      yield { draft: warn('step_limit', tooManySteps(maxSteps)) }
      return end('stopped')
    }
  }
}

const roundStart = ({ turnId, message: { interactionId } }: Turn): Draft => ({
  type: 'assistant.turn_start',
  data: { turnId, ...defined({ interactionId }) },
})

async function* goesOn({ more }: Speaker, conversation: Conversation): Items<boolean> {
  const asked = more?.(conversation) ?? Promise.resolve(false)
  return Symbol.asyncIterator in asked ? yield* asked : asked
}

function tokensOf({ usage: { inputTokens, outputTokens } }: Called): number {
  const sum = (inputTokens.total ?? 0) + (outputTokens.total ?? 0)
  return Number.isSafeInteger(sum) ? sum : 0
}

function messageOf(
  { turnId, message: { interactionId, messageId: originatingMessageId } }: Turn,
  { messageId, content, calls, aside, usage, apiCallId }: Called,
  { model, tools }: Pick<Speaker, 'model' | 'tools'>,
): Draft {
  const { total } = usage.outputTokens
  const data: Payload<'assistant.message'> = {
    messageId,
    model,
    content,
    toolRequests: calls.map(({ id, name, arguments: args }) => ({
      toolCallId: id,
      name,
      arguments: args,
      type: 'function',
      ...serverOf(tools.get(name)),
    })),
    ...keepAside(aside),
    ...(Number.isSafeInteger(total) && { outputTokens: total as number }),
    ...defined({ interactionId, originatingMessageId }),
    apiCallId,
    turnId,
  }
  return { type: 'assistant.message', data }
}

const serverOf = (tool: Tool | undefined) =>
  defined({
    mcpServerName: tool?.server?.mcpServerName,
    mcpToolName: tool?.server?.mcpToolName,
  })

/** A header that is given again is given once, however it is written. */
function withHeaders(config: ModelConfig, more: ModelConfig['headers']): ModelConfig {
  if (more === undefined) return config
  const headers = new Headers(config.headers)
  for (const [name, value] of Object.entries(more)) headers.set(name, value)
  return { ...config, headers: Object.fromEntries(headers) }
}

const warn = (warningType: string, message: string): Draft => ({
  type: 'session.warning',
  data: { warningType, message },
})

/** What a person would otherwise not know of an answer: why it ends where it does, or why there is none. */
function oddityOf({ finishReason, content, calls, aside }: Called): [string, string] | undefined {
  if (calls.length > 0) return undefined
  if (finishReason === 'length')
    return ['cut', 'The answer was cut where the model may say no more at once. Ask it to go on.']
  if (finishReason === 'content-filter')
    return ['filtered', 'The provider ended the answer here, by its rules for content.']
  if (content.trim() !== '') return undefined
  const did = aside.reasoning.length > 0 ? 'thought, and then said' : 'said'
  return ['empty', `The model ${did} nothing. Ask it again, or go on with another message.`]
}

const tooManySteps = (steps: number) =>
  `The turn was ended after ${steps} calls of the model. Send another message to go on.`
