/**
 * Makes what was said acceptable to any provider: the first message is the user's, user and assistant
 * alternate, every tool call has exactly one result directly after its message, no result is without
 * its call, no message is empty, no text has half a character.
 */
import type {
  AssistantMessage,
  ModelMessage,
  ToolCall,
  ToolMessage,
  UserMessage,
} from './model-context.ts'
import { wellFormed } from './well-formed.ts'

export const INTERRUPTED = 'interrupted before a result was recorded'
const MISSING_START = '[What was said before this is not part of this conversation.]'

export function providerValid(said: readonly ModelMessage[]): ModelMessage[] {
  const results = firstResults(said)
  const called = new Set<string>()
  const messages: ModelMessage[] = []
  for (const each of said) {
    if (each.role === 'user') addUser(messages, each)
    if (each.role === 'assistant') addAssistant(messages, each, called)
  }
  return messages.flatMap((message): ModelMessage[] =>
    message.role === 'assistant' ? [message, ...resultsOf(message, results)] : [message],
  )
}

/** The first of two results for one call stays: a context that was sent once must not change later. */
function firstResults(said: readonly ModelMessage[]): Map<string, ToolMessage> {
  const results = new Map<string, ToolMessage>()
  for (const each of said) {
    if (each.role !== 'tool') continue
    const id = each.toolCallId.toWellFormed()
    if (!results.has(id)) results.set(id, each)
  }
  return results
}

function addUser(messages: ModelMessage[], said: UserMessage): void {
  const content = said.content.toWellFormed()
  const attachments = wellFormed(said.attachments ?? [])
  if (content.trim() === '' && attachments.length === 0) return
  const last = messages.at(-1)
  if (last?.role !== 'user') {
    messages.push(userMessage(content, attachments, said.eventId))
    return
  }
  messages[messages.length - 1] = userMessage(
    joined(last.content, content),
    [...(last.attachments ?? []), ...attachments],
    last.eventId,
  )
}

function userMessage(
  content: string,
  attachments: NonNullable<UserMessage['attachments']>,
  eventId: UserMessage['eventId'],
): UserMessage {
  return { role: 'user', content, ...(attachments.length > 0 && { attachments }), eventId }
}

function addAssistant(messages: ModelMessage[], said: AssistantMessage, called: Set<string>): void {
  const content = said.content.toWellFormed()
  const calls = newCalls(said.toolCalls ?? [], called)
  if (content.trim() === '' && calls.length === 0) return
  const last = messages.at(-1)
  if (last === undefined) messages.push(userMessage(MISSING_START, [], said.eventId))
  // After calls come their results; only texts without calls in between belong together.
  if (last?.role !== 'assistant' || last.toolCalls !== undefined) {
    messages.push(assistantMessage(content, calls, said.eventId))
    return
  }
  messages[messages.length - 1] = assistantMessage(
    joined(last.content, content),
    calls,
    last.eventId,
  )
}

function assistantMessage(
  content: string,
  toolCalls: readonly ToolCall[],
  eventId: AssistantMessage['eventId'],
): AssistantMessage {
  return { role: 'assistant', content, ...(toolCalls.length > 0 && { toolCalls }), eventId }
}

/** A call that was announced before is left out: providers refuse the same id twice. */
function newCalls(calls: readonly ToolCall[], called: Set<string>): ToolCall[] {
  const fresh: ToolCall[] = []
  for (const call of calls) {
    const id = call.id.toWellFormed()
    if (id === '' || called.has(id)) continue
    called.add(id)
    const name = call.name.toWellFormed() || 'unknown'
    fresh.push({ id, name, arguments: wellFormed(call.arguments) })
  }
  return fresh
}

function resultsOf(
  message: AssistantMessage,
  results: ReadonlyMap<string, ToolMessage>,
): ToolMessage[] {
  return (message.toolCalls ?? []).map((call) => {
    const result = results.get(call.id)
    return {
      role: 'tool',
      toolCallId: call.id,
      toolName: call.name,
      content: result === undefined ? INTERRUPTED : filled(result.content.toWellFormed()),
      ...(result?.attachments && { attachments: wellFormed(result.attachments) }),
      isError: result?.isError ?? true,
      eventId: result?.eventId ?? message.eventId,
    }
  })
}

const filled = (output: string) => (output.trim() === '' ? '(no output)' : output)

const joined = (one: string, other: string) =>
  [one, other].filter((text) => text.trim() !== '').join('\n\n')
