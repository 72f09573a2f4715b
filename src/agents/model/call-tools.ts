/**
 * Runs the tools that one answer asked for side by side, their questions too; a call waits only for earlier ones that may
 * write what it reads or writes. Gives what the model is told of each, exactly as the log has it.
 */
import type { AgentItem, ToolTurn, Turn } from '../../engine/agent.ts'
import type { Payload } from '../../format/event.ts'
import type { EventId } from '../../format/ids.ts'
import { picturesOf } from '../../state/attachments.ts'
import type { ToolCall, ToolMessage } from '../../state/model-context.ts'
import { modelText } from '../../state/outcome-text.ts'
import { deferred } from '../../lib/deferred.ts'
import { together } from '../../lib/merge-async.ts'
import { runTool } from '../run-tool.ts'
import { ToolFailure, type Tool } from '../tools/tool.ts'
import { z } from 'zod'
import { waitsOf } from './call-order.ts'
import { fitResult } from './fit-result.ts'

type Called = {
  readonly results: readonly ToolMessage[]
  /** A person said no to one of them, and nothing more: the turn is over. */
  readonly isRejected: boolean
}

export async function* callTools(
  turn: Turn & Pick<ToolTurn, 'model'>,
  tools: ReadonlyMap<string, Tool>,
  calls: readonly ToolCall[],
  signal: AbortSignal,
): AsyncGenerator<AgentItem, Called, undefined> {
  const stop = new AbortController()
  const all = AbortSignal.any([signal, stop.signal])
  const waits = await waitsOf(calls, (name) => toolNamed(name, tools), turn)
  const ended = calls.map(() => deferred<void>())
  const results: ToolMessage[] = []
  let isRejected = false
  async function* inOrder(
    call: ToolCall,
    index: number,
  ): AsyncGenerator<AgentItem, void, undefined> {
    try {
      await Promise.all((waits[index] ?? []).map((at) => ended[at]?.promise))
      all.throwIfAborted()
      // What had not begun when a person said no does not begin.
      if (!isRejected) yield* callTool(turn, tools, call, all)
    } finally {
      ended[index]?.resolve()
    }
  }
  for await (const item of together(calls.map(inOrder), () => stop.abort())) {
    yield item
    if (!('draft' in item) || item.draft.type !== 'tool.execution_complete') continue
    results.push(resultOf(item.draft.data))
    isRejected ||= item.draft.data.error?.code === 'rejected'
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

const toolNamed = (name: string, tools: ReadonlyMap<string, Tool>): Tool | undefined =>
  tools.get(name) ?? [...tools.values()].find(({ formerName }) => formerName === name)

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
