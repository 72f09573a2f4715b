/**
 * One call of the model. Text, reasoning and arguments are told as they come and stored nowhere; what the call came to
 * is given back whole. A stream that ends without saying that it is complete counts as failed.
 */
import type { AgentItem } from '../../engine/agent.ts'
import type { Notice } from '../../format/notice.ts'
import { defined } from '../../lib/defined.ts'
import type { ToolCall } from '../../state/model-context.ts'
import type { Aside, Thought } from './reasoning-passback.ts'
import { CutStream } from './errors.ts'
import { withIdleLimit } from './idle-limit.ts'
import type { CallOptions, LanguageModel, ProviderOptions, StreamPart } from './provider.ts'
import type { WholeAnswers } from './collect-response.ts'

export type StepResult = {
  readonly messageId: string
  readonly content: string
  readonly calls: readonly ToolCall[]
  readonly aside: Aside
  readonly usage: Usage
  readonly finishReason: string
  readonly responseId?: string
  readonly timeToFirstTokenMs?: number
}

export type Usage = Extract<StreamPart, { type: 'finish' }>['usage']

type StepOptions = {
  readonly messageId: string
  readonly now: () => number
  readonly idleTimeoutMs: number
  /** Gives a call an id that no other call of the session has. */
  readonly callId: (given: string) => string
  readonly stream: WholeAnswers['stream']
}

export async function* streamStep(
  model: LanguageModel,
  request: CallOptions,
  options: StepOptions,
  signal: AbortSignal,
): AsyncGenerator<AgentItem, StepResult, undefined> {
  const { messageId, now, callId } = options
  const started = now()
  const idle = withIdleLimit(signal, options.idleTimeoutMs)
  const gathering = gather(messageId, callId)
  let timeToFirstTokenMs: number | undefined
  try {
    for await (const part of await options.stream(model, {
      ...request,
      abortSignal: idle.signal,
    })) {
      idle.alive()
      for (const notice of gathering.add(part)) {
        timeToFirstTokenMs ??= now() - started
        yield { notice }
      }
    }
  } catch (error) {
    signal.throwIfAborted()
    throw idle.isOver ? new CutStream('nothing came for too long') : error
  } finally {
    idle.end()
  }
  signal.throwIfAborted()
  return {
    ...gathering.result(),
    ...defined({ timeToFirstTokenMs }),
  }
}

function gather(messageId: string, callId: (given: string) => string) {
  let content = ''
  let textId: string | undefined
  let finish: Extract<StreamPart, { type: 'finish' }> | undefined
  let responseId: string | undefined
  const thoughts = new Map<string, { text: string; options: ProviderOptions | undefined }>()
  const calls: ToolCall[] = []
  const callOptions: Record<string, ProviderOptions> = {}
  const ids = new Map<string, string>()
  const names = new Map<string, string>()

  const idOf = (given: string) => {
    let id = ids.get(given)
    if (id === undefined) ids.set(given, (id = callId(given)))
    return id
  }

  function* text(id: string, delta: string): Generator<Notice> {
    if (delta === '') return
    if (textId === undefined) yield { type: 'assistant.message_start', data: { messageId } }
    const piece = textId !== undefined && textId !== id ? `\n\n${delta}` : delta
    textId = id
    content += piece
    yield { type: 'assistant.message_delta', data: { messageId, deltaContent: piece } }
  }

  /** Some seal a thought when it begins, some while it grows, some at its end. */
  function think(id: string, delta: string, options: ProviderOptions | undefined): void {
    const thought = thoughts.get(id) ?? { text: '', options: undefined }
    thought.text += delta
    if (options !== undefined) thought.options = merged(thought.options, options)
    thoughts.set(id, thought)
  }

  function* add(part: StreamPart): Generator<Notice> {
    switch (part.type) {
      case 'text-delta':
        yield* text(part.id, part.delta)
        return
      case 'reasoning-start':
      case 'reasoning-end':
        think(part.id, '', part.providerMetadata)
        return
      case 'reasoning-delta':
        think(part.id, part.delta, part.providerMetadata)
        if (part.delta === '') return
        yield {
          type: 'assistant.reasoning_delta',
          data: { reasoningId: `${messageId}-${part.id}`, deltaContent: part.delta },
        }
        return
      case 'tool-input-start':
        names.set(part.id, part.toolName)
        return
      case 'tool-input-delta': {
        const toolName = names.get(part.id)
        yield {
          type: 'assistant.tool_call_delta',
          data: {
            toolCallId: idOf(part.id),
            inputDelta: part.delta,
            ...defined({ toolName }),
          },
        }
        return
      }
      case 'tool-call': {
        if (part.providerExecuted === true) return
        const id = idOf(part.toolCallId)
        calls.push({ id, name: part.toolName, arguments: parsed(part.input) })
        const options = part.providerMetadata
        // The only mark on a call that a provider insists on; ids of its own store are none.
        if (
          options !== undefined &&
          Object.values(options).some((own) => 'thoughtSignature' in own)
        )
          callOptions[id] = options
        return
      }
      case 'response-metadata':
        responseId = part.id ?? responseId
        return
      case 'finish':
        finish = part
        return
      case 'error':
        throw part.error
    }
  }

  function result(): StepResult {
    const finishReason = finish?.finishReason.unified
    if (finish === undefined || finishReason === undefined || UNFINISHED.has(finishReason))
      throw new CutStream('the answer ended before it was complete')
    const reasoning = [...thoughts.values()].map(({ text: words, options }): Thought => ({
      text: words,
      ...(options !== undefined && hasContent(options) && { options }),
    }))
    return {
      messageId,
      content,
      calls,
      aside: {
        reasoning: reasoning.filter(
          (thought) => thought.text !== '' || thought.options !== undefined,
        ),
        ...(Object.keys(callOptions).length > 0 && { calls: callOptions }),
      },
      usage: finish.usage,
      finishReason,
      ...defined({ responseId }),
    }
  }

  return { add, result }
}

const UNFINISHED: ReadonlySet<string> = new Set(['interrupted', 'error'])

const hasContent = (options: ProviderOptions) =>
  Object.values(options).some((own) => Object.keys(own).length > 0)

function merged(one: ProviderOptions | undefined, other: ProviderOptions): ProviderOptions {
  const result: ProviderOptions = { ...one }
  for (const [provider, own] of Object.entries(other))
    result[provider] = { ...result[provider], ...own }
  return result
}

/** What is no JSON stays as it was said: the tool refuses it, and the model sees what it wrote. */
function parsed(input: string): unknown {
  if (input.trim() === '') return {}
  try {
    return JSON.parse(input) as unknown
  } catch {
    // The tool that refuses it tells.
    return input
  }
}
