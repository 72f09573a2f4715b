/**
 * Says what a provider would refuse in a model context. Written against the providers' rules, not
 * against the projection, so that one can be tested by the other.
 */
import type { AssistantMessage, ModelContext, ModelMessage } from '../../src/state/model-context.ts'

export function validateModelContext({ system, messages }: ModelContext): string[] {
  const problems: string[] = []
  if (system !== undefined && !system.isWellFormed()) problems.push('system: half a character')
  if (messages[0] !== undefined && messages[0].role !== 'user') {
    problems.push("0: the first message is not the user's")
  }
  const seen = new Set<string>()
  messages.forEach((message, index) => {
    const say = (problem: string) => void problems.push(`${index}: ${problem}`)
    checkText(message, say)
    checkPlace(messages, index, say)
    if (message.role === 'assistant') checkCalls(message, messages.slice(index + 1), seen, say)
  })
  return problems
}

type Say = (problem: string) => void

function checkText(message: ModelMessage, say: Say): void {
  if (/\\ud[89a-f]/i.test(JSON.stringify(message).replaceAll('\\\\', ''))) say('half a character')
  const hasMore =
    (message.role === 'user' && (message.attachments?.length ?? 0) > 0) ||
    (message.role === 'assistant' && (message.toolCalls?.length ?? 0) > 0)
  if (message.content.trim() === '' && !hasMore) say(`the ${message.role} message is empty`)
}

function checkPlace(messages: readonly ModelMessage[], index: number, say: Say): void {
  const message = messages[index]
  const before = messages[index - 1]
  if (message === undefined || before === undefined) return
  if (message.role !== 'tool' && before.role === message.role) say(`two ${message.role} messages`)
  if (message.role !== 'tool') return
  const caller = messages.slice(0, index).findLast((earlier) => earlier.role !== 'tool')
  const isCalled =
    caller?.role === 'assistant' &&
    (caller.toolCalls ?? []).some((call) => call.id === message.toolCallId)
  if (!isCalled) say(`result ${message.toolCallId} has no call directly before it`)
}

function checkCalls(
  message: AssistantMessage,
  after: readonly ModelMessage[],
  seen: Set<string>,
  say: Say,
): void {
  const calls = message.toolCalls ?? []
  const gap = after.findIndex((next) => next.role !== 'tool')
  const results = gap === -1 ? after : after.slice(0, gap)
  if (message.toolCalls?.length === 0) say('an empty list of calls')
  for (const { id, name } of calls) {
    if (id === '' || name === '') say('a call without id or name')
    if (seen.has(id)) say(`call ${id} is made twice`)
    seen.add(id)
    const own = results.filter((result) => result.role === 'tool' && result.toolCallId === id)
    if (own.length !== 1) say(`call ${id} has ${own.length} results`)
  }
  if (results.length !== calls.length) say(`${calls.length} calls and ${results.length} results`)
}
