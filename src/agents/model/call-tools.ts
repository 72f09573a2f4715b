/**
 * Runs the tools that one answer asked for, in their order; those that only read and stand side by side run together.
 * Gives what the model is told of each, exactly as the log has it.
 */
import type { AgentItem, ToolTurn, Turn } from '../../engine/agent.ts'
import type { Payload } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import { picturesOf } from '../../state/attachments.ts'
import type { ToolCall, ToolMessage } from '../../state/model-context.ts'
import { modelText } from '../../state/outcome-text.ts'
import { runTool } from '../run-tool.ts'
import { ToolFailure } from '../tools/tool.ts'
import type { Tool } from '../tools/tool.ts'
import { z } from 'zod'
import { fitResult } from './fit-result.ts'

type Called = {
  readonly results: readonly ToolMessage[]
  /** A person said no to one of them, and nothing more: the turn is over. */
  readonly isRejected: boolean
}

export async function* callTools(
  turn: Turn,
  tools: ReadonlyMap<string, Tool>,
  calls: readonly ToolCall[],
  signal: AbortSignal,
): AsyncGenerator<AgentItem, Called, undefined> {
  const results: ToolMessage[] = []
  let isRejected = false
  for (const group of groups(calls, tools)) {
    const running = group.map((call) => callTool(turn, tools, call, signal))
    for await (const item of together(running)) {
      yield item
      if (!('draft' in item) || item.draft.type !== 'tool.execution_complete') continue
      results.push(resultOf(item.draft.data))
      isRejected ||= item.draft.data.error?.code === 'rejected'
    }
  }
  return { results, isRejected }
}

/** One call, with a result that a model can be given; a tool that is not there fails like any other. */
export async function* callTool(
  turn: ToolTurn,
  tools: ReadonlyMap<string, Tool>,
  { id, name, arguments: args }: ToolCall,
  signal: AbortSignal,
): AsyncGenerator<AgentItem, void, undefined> {
  const tool = toolNamed(name, tools) ?? unknownTool(name, tools)
  for await (const item of runTool(turn, tool, { toolCallId: id, arguments: args }, signal))
    yield 'draft' in item ? { draft: fitResult(item.draft) } : item
}

/** The same rule by which the model context is projected from the log. */
function resultOf(data: Payload<'tool.execution_complete'>): ToolMessage {
  const attachments = picturesOf(data)
  return {
    role: 'tool',
    toolCallId: data.toolCallId,
    toolName: '',
    content: modelText(data) ?? (data.success ? '' : 'failed'),
    ...(attachments.length > 0 && { attachments }),
    isError: !data.success,
    eventId: '' as EventId,
  }
}

function groups(calls: readonly ToolCall[], tools: ReadonlyMap<string, Tool>): ToolCall[][] {
  const found: { isReadOnly: boolean; calls: ToolCall[] }[] = []
  for (const call of calls) {
    const isReadOnly = tools.get(call.name)?.isReadOnly === true
    const last = found.at(-1)
    if (isReadOnly && last?.isReadOnly) last.calls.push(call)
    else found.push({ isReadOnly, calls: [call] })
  }
  return found.map((group) => group.calls)
}

/** Items of several generators as they come. When one fails, or the reader leaves, all are ended. */
async function* together<Item>(
  running: readonly AsyncGenerator<Item, void, undefined>[],
): AsyncGenerator<Item, void, undefined> {
  type Step = { index: number; next: IteratorResult<Item, void> }
  const step = async (index: number): Promise<Step> => ({
    index,
    next: (await running[index]?.next()) ?? { done: true, value: undefined },
  })
  const waiting = new Map(running.map((_, index) => [index, step(index)]))
  try {
    while (waiting.size > 0) {
      const { index, next } = await Promise.race(waiting.values())
      if (next.done) {
        waiting.delete(index)
        continue
      }
      yield next.value
      waiting.set(index, step(index))
    }
  } finally {
    // The first failure is the one that is thrown; what the others say while they are ended is not told.
    for (const each of waiting.values()) each.catch(() => {})
    await Promise.allSettled([...waiting.keys()].map((index) => running[index]?.return()))
  }
}

const toolNamed = (name: string, tools: ReadonlyMap<string, Tool>): Tool | undefined =>
  tools.get(name) ?? tools.values().find(({ formerName }) => formerName === name)

const unknownTool = (name: string, tools: ReadonlyMap<string, Tool>): Tool => ({
  name,
  description: '',
  args: z.unknown(),
  permission: () => {
    const known = [...tools.keys()].join(', ')
    throw new ToolFailure('invalid_arguments', `There is no tool ${name}. There are: ${known}.`)
  },
  run: () => Promise.resolve({ content: '' }),
})
