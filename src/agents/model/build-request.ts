/**
 * The request of one call: a pure function of what was said and of the configuration. The same context gives the same
 * bytes before and after a crash, so a provider's cache of the beginning still holds.
 */
import { z } from 'zod'
import { defined } from '../../lib/defined.ts'
import type {
  ModelContext,
  ModelMessage,
  ToolMessage,
  UserMessage,
} from '../../state/model-context.ts'
import type { ToolDefinition } from '../../engine/agent.ts'
import type { JsonSchema, Tool } from '../tools/tool.ts'
import type { Asides } from './reasoning-passback.ts'
import { attachmentPart } from './attachments.ts'
import type { ModelConfig } from './config.ts'
import {
  COMPATIBLE,
  type AssistantPart,
  type CallOptions,
  type FunctionTool,
  type PromptMessage,
  type ProviderOptions,
  type UserPart,
} from './provider.ts'

type RequestConfig = Pick<ModelConfig, 'provider' | 'maxOutputTokens'> & {
  readonly reasoningEffort?: string | undefined
  readonly tools: readonly Tool[]
  readonly asides?: Asides
}

export function buildRequest(context: ModelContext, config: RequestConfig): CallOptions {
  const { provider, maxOutputTokens, reasoningEffort, tools } = config
  const effort = EFFORTS.find((known) => known === reasoningEffort)
  const options = providerOptions(config)
  return {
    prompt: promptOf(context, config),
    ...(tools.length > 0 && { tools: tools.map(functionTool), toolChoice: { type: 'auto' } }),
    ...defined({ maxOutputTokens }),
    ...(effort !== undefined && provider !== 'openai-compatible' && { reasoning: effort }),
    ...defined({ providerOptions: options }),
  }
}

const EFFORTS = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const

function providerOptions({
  provider,
  reasoningEffort,
}: RequestConfig): ProviderOptions | undefined {
  // The log is what remembers the conversation, not the provider.
  if (provider === 'openai') {
    return {
      openai: { store: false, ...(reasoningEffort !== undefined && { reasoningSummary: 'auto' }) },
    }
  }
  // Arguments are wanted whole and valid, not a moment earlier.
  if (provider === 'anthropic') return { anthropic: { toolStreaming: false } }
  // An endpoint that is only compatible may have efforts of its own.
  if (provider === 'openai-compatible' && reasoningEffort !== undefined)
    return { [COMPATIBLE]: { reasoningEffort } }
  return undefined
}

function promptOf({ system, messages }: ModelContext, config: RequestConfig): PromptMessage[] {
  const prompt: PromptMessage[] = []
  if (system !== undefined) prompt.push({ role: 'system', content: system })
  // A result is a text in most dialects: what tools showed is said by the user, after all results of the answer.
  let shown: UserPart[] = []
  for (const [index, message] of messages.entries()) {
    const last = prompt.at(-1)
    if (message.role === 'tool' && last?.role === 'tool') last.content.push(resultPart(message))
    else if (message.role === 'user')
      prompt.push({ role: 'user', content: [...shown.splice(0), ...userParts(message)] })
    else prompt.push(promptMessage(message, config))
    if (message.role !== 'tool') continue
    shown.push(...(message.attachments ?? []).map(attachmentPart))
    const next = messages[index + 1]?.role
    if (shown.length === 0 || next === 'tool' || next === 'user') continue
    prompt.push({ role: 'user', content: shown })
    shown = []
  }
  return config.provider === 'anthropic' ? withCacheMarks(prompt) : prompt
}

function promptMessage(
  message: Exclude<ModelMessage, UserMessage>,
  config: RequestConfig,
): PromptMessage {
  if (message.role === 'tool') return { role: 'tool', content: [resultPart(message)] }
  const aside = config.asides?.get(message.toolCalls?.[0]?.id ?? '')
  const content: AssistantPart[] = (aside?.reasoning ?? []).map(({ text, options }) => ({
    type: 'reasoning',
    text,
    ...defined({ providerOptions: options }),
  }))
  if (message.content !== '') content.push({ type: 'text', text: message.content })
  for (const call of message.toolCalls ?? []) {
    const options = aside?.calls?.[call.id]
    content.push({
      type: 'tool-call',
      toolCallId: call.id,
      toolName: call.name,
      input: inputOf(call.arguments),
      ...defined({ providerOptions: options }),
    })
  }
  return { role: 'assistant', content }
}

const userParts = ({ content, attachments = [] }: UserMessage) => [
  ...(content === '' ? [] : [{ type: 'text' as const, text: content }]),
  ...attachments.map(attachmentPart),
]

const resultPart = ({ toolCallId, toolName, content, isError }: ToolMessage) => ({
  type: 'tool-result' as const,
  toolCallId,
  toolName,
  output: { type: isError ? ('error-text' as const) : ('text' as const), value: content },
})

/** Providers take an object. What a model gave instead is shown to it as it was. */
const inputOf = (given: unknown): unknown =>
  typeof given === 'object' && given !== null && !Array.isArray(given) ? given : { input: given }

/** The beginning up to these places is kept by the provider: what never changes, and everything so far. */
function withCacheMarks(prompt: PromptMessage[]): PromptMessage[] {
  return prompt.map((message, index) =>
    message.role === 'system' || index === prompt.length - 1
      ? { ...message, providerOptions: { anthropic: { cacheControl: { type: 'ephemeral' } } } }
      : message,
  )
}

const functionTool = (tool: Tool): FunctionTool => ({
  type: 'function',
  name: tool.name,
  description: tool.description,
  inputSchema: (tool.schema ?? schemaOf(tool)) as FunctionTool['inputSchema'],
})

/** What a model is told of a tool, to see how much that is. */
export const definitionOf = (tool: Tool): ToolDefinition => ({
  name: tool.name,
  text: JSON.stringify(functionTool(tool)),
  ...defined({ server: tool.server?.mcpServerName }),
})

/** As they stand in the request, in its order. */
export const definitionsText = (tools: readonly Tool[]): string =>
  JSON.stringify(tools.map(functionTool))

function schemaOf({ args }: Tool): JsonSchema {
  const { $schema: _, ...schema } = z.toJSONSchema(args, { io: 'input' })
  return schema
}
