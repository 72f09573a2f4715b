/**
 * The agent that any model can be: an endpoint that speaks one of three dialects, and tools of ours. A turn calls the
 * model, commits what it said, runs what it asked for, and goes on until it asks for nothing more.
 */
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Agent, AgentItem, Turn } from '../../engine/agent.ts'
import type { Draft, Payload } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import type { Tool } from '../tools/tool.ts'
import { keepAside } from './aside.ts'
import { buildRequest, definitionOf } from './build-request.ts'
import { callTools } from './call-tools.ts'
import type { ModelConfig, ModelParts } from './config.ts'
import { startConversation } from './conversation.ts'
import { findInstructions } from './instruction-files.ts'
import { toolServers } from './mcp.ts'
import { inMode } from './plan-mode.ts'
import { transformed } from './prompt-sections.ts'
import { callModel } from './retry.ts'
import type { Called } from './retry.ts'
import { summarise } from './summarise.ts'
import { promptSections, systemPrompt } from './system-prompt.ts'
import { taskCompleted } from './task-completed.ts'
import { byName, ownTools } from './tool-set.ts'
import { usageItems } from './usage.ts'
import { windowIn } from './windows.ts'

const MAX_STEPS = 200

type Items<Result> = AsyncGenerator<AgentItem, Result, undefined>

const realParts: ModelParts = {
  newId: randomUUID,
  now: () => performance.now(),
  wait: async (ms, signal) => void (await sleep(ms, undefined, { signal })),
}

export function modelAgent(config: ModelConfig, given: Partial<ModelParts> = {}): Agent {
  const parts: ModelParts = { ...realParts, ...given }
  const { offers = () => true } = config
  const own = [
    ...ownTools().filter(({ name }) => offers(name, 'builtin')),
    ...(config.extraTools ?? []),
  ]
  const servers = toolServers(config.mcpServers ?? {}, config.traceparent)
  /** Those of servers are known once they were asked. */
  let known: readonly Tool[] = own

  async function* run(asked: Turn, signal: AbortSignal): Items<void> {
    const turn = inMode(asked)
    const system = await promptFor(turn, signal)
    if (system !== turn.context.system)
      yield { draft: { type: 'system.message', data: { content: system, role: 'system' } } }
    const theirs = (yield* servers.tools(signal)).filter(({ name, formerName }) =>
      offers(name, 'mcp', formerName),
    )
    const tools = byName([...own, ...theirs])
    known = [...tools.values()]
    yield* answer(turn, system, tools, signal)
  }

  async function* answer(
    turn: Turn,
    system: string,
    tools: ReadonlyMap<string, Tool>,
    signal: AbortSignal,
  ): Items<void> {
    const conversation = startConversation(turn, parts.newId)
    const { model = config.model, reasoningEffort = config.reasoningEffort } = turn.state
    const spoken = withHeaders(config, config.turnHeaders?.(turn))
    const maxSteps = config.maxSteps ?? MAX_STEPS
    const left = (turn.left ?? []).map(({ toolCallId: id, toolName: name, arguments: args }) => ({
      id,
      name,
      arguments: args,
    }))
    if (left.length > 0) {
      const { results, isRejected } = yield* callTools(turn, tools, left, signal)
      conversation.gave(results)
      const done = taskCompleted(turn.state.mode, left)
      if (done !== undefined) return yield { draft: done }
      if (isRejected && !conversation.heard(turn.steering())) return yield { draft: STOPPED }
    }
    for (let step = 1; ; step++) {
      conversation.heard(turn.steering())
      const request = buildRequest(await conversation.context(system), {
        ...config,
        reasoningEffort,
        tools: [...tools.values()],
        asides: conversation.asides,
      })
      const { callId } = conversation
      const called = yield* callModel(
        turn,
        { config: spoken, parts, model, request, callId },
        signal,
      )
      conversation.answered(called)
      yield { draft: messageOf(turn, called, model) }
      yield* usageItems(called, { model, reasoningEffort }, config)
      if (called.finishReason === 'length') yield { draft: warn('cut', CUT) }
      if (called.calls.length > 0) {
        const { results, isRejected } = yield* callTools(turn, tools, called.calls, signal)
        conversation.gave(results)
        const done = taskCompleted(turn.state.mode, called.calls)
        if (done !== undefined) return yield { draft: done }
        if (isRejected && !conversation.heard(turn.steering())) return yield { draft: STOPPED }
      } else if (!conversation.heard(turn.steering())) return
      if (step >= maxSteps) return yield { draft: warn('step_limit', tooManySteps(maxSteps)) }
    }
  }

  async function promptFor(
    { cwd, workspacePath, state }: Turn,
    signal: AbortSignal,
  ): Promise<string> {
    const { instructions, promptChange, skipsInstructionFiles = false } = config
    const said = {
      cwd,
      workspacePath,
      project: state.project,
      mode: state.mode,
      instructionFiles: skipsInstructionFiles
        ? []
        : await findInstructions(cwd, state.project.gitRoot),
      ...defined({ instructions }),
    }
    const change = await transformed(promptChange, promptSections(said), signal)
    return systemPrompt({ ...said, ...defined({ change }) })
  }

  return {
    name: `${config.provider}/${config.model}`,
    completesTasks: true,
    continues: true,
    run,
    summarise: (request, signal) => summarise({ config, parts, tools: own }, request, signal),
    contextWindow: (model) => windowIn({ ...config, name: config.model }, model),
    toolDefinitions: () => known.map(definitionOf),
    close: () => servers.close(),
  }
}

function messageOf(
  { turnId, message: { interactionId } }: Turn,
  { messageId, content, calls, aside, usage, apiCallId }: Called,
  model: string,
): Draft {
  const { total } = usage.outputTokens
  const data: Payload<'assistant.message'> = {
    messageId,
    model,
    content,
    ...(calls.length > 0 && {
      toolRequests: calls.map(({ id, name, arguments: args }) => ({
        toolCallId: id,
        name,
        arguments: args,
        type: 'function',
      })),
    }),
    ...keepAside(aside),
    ...(Number.isSafeInteger(total) && { outputTokens: total as number }),
    ...defined({ interactionId }),
    apiCallId,
    turnId,
  }
  return { type: 'assistant.message', data }
}

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

const STOPPED: Draft = { type: 'abort', data: { reason: 'user_initiated' } }
const CUT = 'The answer was cut where the model may say no more at once. Ask it to go on.'
const tooManySteps = (steps: number) =>
  `The turn was ended after ${steps} calls of the model. Send another message to go on.`
