/**
 * One tool call from its start to its end, the same for every agent: hooks may change or deny it, it is recorded that
 * it starts, the policy allows it, the work is done, and it is recorded what came of it. A call that was
 * cancelled has no end here: the engine settles it with everything else that the turn left open.
 */
import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import type {
  AgentItem,
  HookChange,
  HookVerdict,
  PermissionDecision,
  ToolTurn,
} from '../engine/agent.ts'
import type { Payload } from '../format/event.ts'
import { defined } from '../lib/defined.ts'
import { errorText } from '../lib/error-text.ts'
import { realPath } from '../lib/real-path.ts'
import { tracedItems } from '../lib/telemetry.ts'
import {
  ToolFailure,
  type Deed,
  type Tool,
  type ToolContext,
  type ToolResult,
} from './tools/tool.ts'

type Call = { readonly toolCallId: string; readonly arguments: unknown }

export type ToolOutcome =
  | { readonly success: true; readonly result: ToolResult }
  | {
      readonly success: false
      readonly failure: ToolFailure
      readonly deniedBy?: PermissionDecision['by']
    }

export async function* runTool<Args>(
  turn: ToolTurn,
  tool: Tool<Args>,
  call: Call,
  signal: AbortSignal,
): AsyncGenerator<AgentItem, ToolOutcome, undefined> {
  const { toolCallId } = call
  const { turnId, model } = turn
  const before = await hookBefore(turn, tool, call)
  const args = before.instead?.arguments ?? call.arguments
  yield {
    draft: {
      type: 'tool.execution_start',
      data: {
        toolCallId,
        toolName: tool.name,
        arguments: args,
        ...defined({ turnId, model }),
        ...tool.server,
        ...tool.started?.(args),
      },
    },
  }
  const outcome = yield* tracedItems(
    'tool',
    { session_id: turn.sessionId, turn_id: turnId, tool_call_id: toolCallId, tool_name: tool.name },
    attempt(turn, tool, { toolCallId, arguments: args, before }, signal),
    (ended) => (ended.success ? {} : { outcome: 'failed', error_kind: ended.failure.code }),
  )
  if (outcome.success) yield* outcome.result.told ?? []
  yield { draft: { type: 'tool.execution_complete', data: completion(turn, call, outcome) } }
  return outcome
}

async function* attempt<Args>(
  turn: ToolTurn,
  tool: Tool<Args>,
  call: Call & { readonly before: HookVerdict },
  signal: AbortSignal,
): AsyncGenerator<AgentItem, ToolOutcome, undefined> {
  const { toolCallId, before } = call
  const parsed = tool.args.safeParse(call.arguments)
  if (!parsed.success) {
    const wrong =
      typeof call.arguments === 'string'
        ? 'They are no whole JSON object.'
        : z.prettifyError(parsed.error)
    const message = `The arguments of ${tool.name} are not right:\n${wrong}`
    return annotated(failed(new ToolFailure('invalid_arguments', message)), before.notes)
  }
  if (before.denied !== undefined) {
    const message = `A hook denied this: ${before.denied}. Nothing was done.`
    return annotated(failed(new ToolFailure('denied', message)), before.notes)
  }
  const context: ToolContext = {
    cwd: await realPath(turn.cwd),
    workspacePath: turn.workspacePath,
    signal,
    ask: (question) => turn.ask({ ...question, toolCallId }),
    editor: turn.switchboard?.editor(turn.sessionId),
    mayRead: turn.mayRead,
    asksToRead: turn.asksToRead,
    sandbox: turn.sandbox,
    leaveSandbox: (deed) => turn.permit({ ...deed, toolCallId }),
    toolCallId,
  }
  const refusal = await leaveFor(turn, tool, parsed.data, call, context)
  if (refusal !== undefined) return annotated(refusal, before.notes)
  const requestMeta = await metaFrom(turn, tool, call)
  const asked = requestMeta === undefined ? context : { ...context, requestMeta }
  const outcome = yield* attemptWork(tool, parsed.data, call, asked)
  const after = await turn.hook({
    type: 'postToolUse',
    ...namesOf(tool),
    toolCallId,
    arguments: call.arguments,
    success: outcome.success,
    result: textOf(outcome),
  })
  return annotated(changed(outcome, after), [...before.notes, ...after.notes])
}

/** Calls that make no sense are not worth a question. */
async function hookBefore<Args>(
  turn: ToolTurn,
  tool: Tool<Args>,
  { toolCallId, arguments: given }: Call,
): Promise<HookVerdict> {
  if (!tool.args.safeParse(given).success) return { notes: [] }
  return turn.hook({ type: 'preToolUse', ...namesOf(tool), toolCallId, arguments: given })
}

/** What hooks want to go with the request to a tool server. */
async function metaFrom<Args>(
  turn: ToolTurn,
  tool: Tool<Args>,
  { toolCallId, arguments: args }: Call,
): Promise<HookChange['requestMeta']> {
  if (tool.server === undefined) return undefined
  const { mcpServerName, mcpToolName } = tool.server
  const about = { ...namesOf(tool), toolCallId, arguments: args, mcpServerName, mcpToolName }
  return (await turn.hook({ type: 'preMcpToolCall', ...about })).instead?.requestMeta
}

const namesOf = ({ name, formerName }: Pick<Tool, 'name' | 'formerName'>) => ({
  toolName: name,
  ...defined({ formerName }),
})

/** What a hook says of a result is what the agent is told. */
function changed(outcome: ToolOutcome, { instead }: HookVerdict): ToolOutcome {
  if (!outcome.success || instead?.result === undefined) return outcome
  return { ...outcome, result: { ...outcome.result, content: instead.result } }
}

/** Undefined when everything that the call would do is allowed. */
async function leaveFor<Args>(
  turn: ToolTurn,
  tool: Tool<Args>,
  args: Args,
  { toolCallId }: Call,
  context: ToolContext,
): Promise<ToolOutcome | undefined> {
  let deeds: readonly Deed[]
  try {
    deeds = await deedsOf(tool, args, context)
  } catch (error) {
    return failed(error)
  }
  for (const deed of deeds) {
    context.signal.throwIfAborted()
    // Not caught: a question that could not be put is no failure of the tool.
    const decision = await turn.permit({ ...deed, toolCallId })
    if (decision.kind === 'deny') return denied(decision)
  }
  if (deeds.length === 0) return undefined
  try {
    // Files and links may have changed while a person thought about it; leave was given for what was shown.
    if (isDeepStrictEqual(await deedsOf(tool, args, context), deeds)) return undefined
    const message = 'What would be done changed while permission was asked for. Nothing was done.'
    return failed(new ToolFailure('failed', message))
  } catch (error) {
    return failed(error)
  }
}

async function deedsOf<Args>(
  tool: Tool<Args>,
  args: Args,
  context: ToolContext,
): Promise<readonly Deed[]> {
  const deeds = (await tool.permission(args, context)) ?? []
  return Array.isArray(deeds) ? (deeds as readonly Deed[]) : [deeds as Deed]
}

async function* attemptWork<Args>(
  tool: Tool<Args>,
  args: Args,
  call: Call,
  context: ToolContext,
): AsyncGenerator<AgentItem, ToolOutcome, undefined> {
  try {
    context.signal.throwIfAborted()
    return yield* work(tool, args, call, context)
  } catch (error) {
    context.signal.throwIfAborted()
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
  const message = errorText(error)
  return { success: false, failure: new ToolFailure('failed', message) }
}

const textOf = (outcome: ToolOutcome): string =>
  outcome.success ? outcome.result.content : outcome.failure.message

/** What hooks want the agent to know stands after what the tool said. */
function annotated(outcome: ToolOutcome, notes: readonly string[]): ToolOutcome {
  if (notes.length === 0) return outcome
  const and = (text: string) => [text, ...notes].filter((part) => part !== '').join('\n\n')
  const noted = (result: ToolResult) => ({ ...result, content: and(result.content) })
  if (outcome.success) return { ...outcome, result: noted(outcome.result) }
  const { code, message, result } = outcome.failure
  const failure =
    code === 'failure' && result !== undefined
      ? new ToolFailure(code, message, noted(result))
      : new ToolFailure(code, and(message), result)
  return { ...outcome, failure }
}

const refusals: Readonly<Record<PermissionDecision['by'], string>> = {
  person: 'A person denied this.',
  policy: 'A rule of the host denied this.',
  nobody: 'This needs permission, and nobody could be asked for it.',
}

const PLAN =
  'Blocked: plan mode is read-only, but for the plan. Nothing was done. A person allows edits with /mode interactive.'

function denied({ by, because, feedback: given }: PermissionDecision): ToolOutcome {
  const feedback = given?.trim() === '' ? undefined : given
  if (because !== undefined && 'mode' in because && because.mode === 'plan')
    return { success: false, failure: new ToolFailure('denied', PLAN), deniedBy: by }
  const rule = because !== undefined && 'rule' in because ? ` The rule is ${because.rule}.` : ''
  const lead = by === 'person' ? 'They said: ' : ''
  const said = feedback === undefined ? '' : ` ${lead}${feedback}`
  const code = by === 'person' && feedback === undefined ? 'rejected' : 'denied'
  const failure = new ToolFailure(code, `${refusals[by]} Nothing was done.${rule}${said}`)
  return { success: false, failure, deniedBy: by }
}

function completion(
  { turnId, message, model }: ToolTurn,
  { toolCallId }: Call,
  outcome: ToolOutcome,
): Payload<'tool.execution_complete'> {
  const {
    exitCode,
    told: _told,
    ...result
  } = (outcome.success ? outcome.result : outcome.failure.result) ?? ({} as Partial<ToolResult>)
  return {
    toolCallId,
    success: outcome.success,
    ...defined({ interactionId: message.interactionId }),
    ...(result.content !== undefined && { result: { ...result, content: result.content } }),
    ...(!outcome.success && {
      error: { message: outcome.failure.message, code: outcome.failure.code },
    }),
    ...defined({ turnId, model }),
    ...(exitCode !== undefined && { shellExecution: { exitCode } }),
  }
}
