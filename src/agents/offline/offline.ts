/**
 * The agent that needs no network and no key. It carries out what is spelled out, through the same tools and
 * permissions as any other agent, and says plainly that no model is connected when words are meant for one.
 */
import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { Agent, AgentItem, Turn } from '../../engine/agent.ts'
import type { Payload } from '../../format/event.ts'
import { layout } from '../../format/layout.ts'
import { defined } from '../../lib/defined.ts'
import { runTool } from '../run-tool.ts'
import { builtinTools } from '../tools/builtin.ts'
import { kindOf } from '../tools/paths.ts'
import type { Tool } from '../tools/tool.ts'
import { noModel, tell, unclear } from './answers.ts'
import { callsOf, type PlannedCall, type ToolCommand } from './calls.ts'
import { parse, type Command } from './parse.ts'
import { notRun, report, type Report } from './reports.ts'

const MODEL = 'offline'

type OfflineOptions = { readonly newId?: () => string }

type Items<Result> = AsyncGenerator<AgentItem, Result, undefined>

export function offlineAgent({ newId = randomUUID }: OfflineOptions = {}): Agent {
  async function* run(turn: Turn, signal: AbortSignal): Items<void> {
    const parsed = parse(turn.message.content)
    if (parsed.kind === 'talk') return yield* say(turn, noModel)
    if (parsed.kind === 'unclear') return yield* say(turn, unclear(parsed.line, parsed.expected))
    yield* say(turn, yield* carryOut(turn, parsed.commands, signal))
  }

  async function* carryOut(
    turn: Turn,
    commands: readonly Command[],
    signal: AbortSignal,
  ): Items<string> {
    const said: string[] = []
    for (const [index, command] of commands.entries()) {
      signal.throwIfAborted()
      const { text, isDone } =
        command.verb === 'tell'
          ? { text: tell(command.about, turn), isDone: true }
          : yield* useTools(turn, command, signal)
      said.push(text)
      if (isDone) continue
      const left = commands.slice(index + 1)
      if (left.length > 0) said.push(notRun(left))
      break
    }
    return said.join('\n\n')
  }

  async function* useTools(turn: Turn, command: ToolCommand, signal: AbortSignal): Items<Report> {
    const refusal = await planRefusal(turn, command)
    if (refusal !== undefined) return refusal
    const texts: string[] = []
    for (const call of callsOf(command, turn.workspacePath)) {
      const { text, isDone } = report(command, yield* useTool(turn, call, signal))
      texts.push(text)
      if (!isDone) return { text: texts.join('\n'), isDone }
    }
    return { text: texts.join('\n'), isDone: true }
  }

  async function* useTool(turn: Turn, call: PlannedCall, signal: AbortSignal) {
    const toolCallId = newId()
    const request = { toolCallId, name: call.tool, arguments: call.arguments, type: 'function' }
    yield message(turn, { messageId: newId(), content: '', toolRequests: [request] })
    const tool: Tool = builtinTools[call.tool]
    return yield* runTool(turn, tool, { toolCallId, arguments: call.arguments }, signal)
  }

  /** Told piece by piece, as a model would, then kept whole. */
  async function* say(turn: Turn, content: string): Items<void> {
    const messageId = newId()
    yield { notice: { type: 'assistant.message_start', data: { messageId } } }
    for (const [deltaContent] of content.matchAll(/[^\n]*\n|[^\n]+/g)) {
      yield { notice: { type: 'assistant.message_delta', data: { messageId, deltaContent } } }
    }
    yield message(turn, { messageId, content })
  }

  return { name: MODEL, run }
}

function message(
  { turnId, message: { interactionId } }: Turn,
  said: Pick<Payload<'assistant.message'>, 'messageId' | 'content' | 'toolRequests'>,
): AgentItem {
  return {
    draft: {
      type: 'assistant.message',
      data: {
        ...said,
        model: MODEL,
        turnId,
        ...defined({ interactionId }),
      },
    },
  }
}

/** A plan that is not there, or that no tool on this disk can reach, is not asked for. */
async function planRefusal(
  { workspacePath }: Turn,
  { verb }: ToolCommand,
): Promise<Report | undefined> {
  if (verb !== 'plan' && verb !== 'set-plan') return undefined
  if ((await kindOf(workspacePath)) !== 'folder') {
    return {
      text: 'This session does not live on this disk: its plan cannot be reached.',
      isDone: false,
    }
  }
  if (
    verb === 'set-plan' ||
    (await kindOf(join(workspacePath, layout.session.plan.path))) === 'file'
  )
    return undefined
  return { text: 'There is no plan. `plan: <text>` sets one.', isDone: true }
}
