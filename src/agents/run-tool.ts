/**
 * One tool call from its start to its end, the same for every agent: it is recorded that it starts, leave is asked for
 * where it is needed, the work is done, and it is recorded what came of it. A call that was cancelled has no end here:
 * the engine settles it with everything else that the turn left open.
 */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type { AgentItem, PermissionDecision, Turn } from '../engine/agent.ts'
import type { Payload } from '../format/event.ts'
import { realPath } from '../lib/real-path.ts'
import { ToolFailure } from './tools/tool.ts'
import type { Deed, Tool, ToolContext, ToolResult } from './tools/tool.ts'

export type Call = { readonly toolCallId: string; readonly arguments: unknown }

export type ToolOutcome =
  | { readonly success: true; readonly result: ToolResult }
  | {
      readonly success: false
      readonly failure: ToolFailure
      readonly deniedBy?: PermissionDecision['by']
    }

export async function* runTool<Args>(
  turn: Turn,
  tool: Tool<Args>,
  call: Call,
  signal: AbortSignal,
): AsyncGenerator<AgentItem, ToolOutcome, undefined> {
  const { toolCallId } = call
  const { turnId } = turn
  yield {
    draft: {
      type: 'tool.execution_start',
      data: { toolCallId, toolName: tool.name, arguments: call.arguments, turnId },
    },
  }
  const outcome = yield* attempt(turn, tool, call, signal)
  yield { draft: { type: 'tool.execution_complete', data: completion(turn, call, outcome) } }
  return outcome
}

async function* attempt<Args>(
  turn: Turn,
  tool: Tool<Args>,
  call: Call,
  signal: AbortSignal,
): AsyncGenerator<AgentItem, ToolOutcome, undefined> {
  const parsed = tool.args.safeParse(call.arguments)
  if (!parsed.success) {
    const message = `The arguments of ${tool.name} are not right:\n${z.prettifyError(parsed.error)}`
    return failed(new ToolFailure('invalid_arguments', message))
  }
  const { cwd, workspacePath } = turn
  const context: ToolContext = { cwd: await realPath(cwd), workspacePath, signal }
  let deed: Deed | undefined
  try {
    deed = await tool.permission(parsed.data, context)
  } catch (error) {
    return failed(error)
  }
  signal.throwIfAborted()
  if (deed !== undefined) {
    // Not caught: a question that could not be put is no failure of the tool.
    const decision = await turn.permit({ ...deed, toolCallId: call.toolCallId })
    if (decision.kind === 'deny') return denied(decision)
  }
  try {
    // Files and links may have changed while somebody thought about it; leave was given for what was shown.
    if (
      deed !== undefined &&
      !isDeepStrictEqual(await tool.permission(parsed.data, context), deed)
    ) {
      const message = 'What would be done changed while permission was asked for. Nothing was done.'
      return failed(new ToolFailure('failed', message))
    }
    return yield* work(tool, parsed.data, call, context)
  } catch (error) {
    signal.throwIfAborted()
    return failed(error)
  }
}

async function* work<Args>(
  tool: Tool<Args>,
  args: Args,
  { toolCallId }: Call,
  context: ToolContext,
): AsyncGenerator<AgentItem, ToolOutcome, undefined> {
  const running = tool.run(args, context)
  if (!(Symbol.asyncIterator in running)) return { success: true, result: await running }
  try {
    for (;;) {
      const next = await running.next()
      if (next.done) return { success: true, result: next.value }
      yield {
        notice: {
          type: 'tool.execution_partial_result',
          data: { toolCallId, partialOutput: next.value },
        },
      }
    }
  } finally {
    await running.return({ content: '' })
  }
}

function failed(error: unknown): ToolOutcome {
  if (error instanceof ToolFailure) return { success: false, failure: error }
  const message = error instanceof Error ? error.message : String(error)
  return { success: false, failure: new ToolFailure('failed', message) }
}

const refusals: Readonly<Record<PermissionDecision['by'], string>> = {
  person: 'A person denied this.',
  policy: 'A rule of the host denied this.',
  nobody: 'This needs permission, and nobody could be asked for it.',
}

function denied({ by, feedback }: PermissionDecision): ToolOutcome {
  const said = feedback === undefined ? '' : ` They said: ${feedback}`
  const failure = new ToolFailure('denied', `${refusals[by]} Nothing was done.${said}`)
  return { success: false, failure, deniedBy: by }
}

function completion(
  { turnId, message }: Turn,
  { toolCallId }: Call,
  outcome: ToolOutcome,
): Payload<'tool.execution_complete'> {
  const { exitCode, ...result } =
    (outcome.success ? outcome.result : outcome.failure.result) ?? ({} as Partial<ToolResult>)
  return {
    toolCallId,
    success: outcome.success,
    ...(message.interactionId !== undefined && { interactionId: message.interactionId }),
    ...(result.content !== undefined && { result: { ...result, content: result.content } }),
    ...(!outcome.success && {
      error: { message: outcome.failure.message, code: outcome.failure.code },
    }),
    turnId,
    ...(exitCode !== undefined && { shellExecution: { exitCode } }),
  }
}
