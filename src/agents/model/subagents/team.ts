/**
 * The sub-agents of one turn, put together: whom a task can be given to, with which tools and words each works, what is
 * known of those of earlier turns, and what the agent is told when one in the background is done.
 */
import type { AgentItem, TaskRequest, TaskStart, Turn } from '../../../engine/agent.ts'
import { EngineError } from '../../../engine/errors.ts'
import type { Payload } from '../../../format/event.ts'
import type { CustomAgent } from '../../../guidance/custom-agents.ts'
import type { Guidance } from '../../../guidance/guidance.ts'
import { defined } from '../../../lib/defined.ts'
import { deferred } from '../../../lib/deferred.ts'
import type { Merging } from '../../../lib/merging.ts'
import type { ModelMessage } from '../../../state/model-context.ts'
import { ToolFailure, type Tool } from '../../tools/tool.ts'
import type { Conversation } from '../conversation.ts'
import { callTools } from '../call-tools.ts'
import type { SubagentSettings } from '../config.ts'
import { allAgents, offeredAgents } from './definitions.ts'
import { openDesk, type RunningTasks, type Outcome, type Working } from './running-tasks.ts'
import { taskTools, unknownType, type Known, type Round } from './tools.ts'
import { workOf, type Prepared } from './work.ts'

type Items<Result> = AsyncGenerator<AgentItem, Result, undefined>

export interface Team {
  readonly desk: RunningTasks
  readonly tools: readonly Tool[]
  /** Those of a sub-agent, by which it has some of its own; none when it is too deep. */
  toolsFor(task: Working): readonly Tool[]
  start(request: TaskStart): void
  /** What a person asked for in place of a message. */
  take(request: TaskRequest): Promise<void>
  /** Waits for those in the background, and for people. True when the agent has heard something. */
  more(tools: ReadonlyMap<string, Tool>, conversation: Conversation): Items<boolean>
  close(): void
}

export function gatherTeam(
  turn: Turn,
  guidance: Guidance,
  items: Merging<AgentItem>,
  given: {
    readonly newId: () => string
    readonly settings: () => SubagentSettings
    prepare(task: Working): Promise<Prepared>
  },
  signal: AbortSignal,
): Team {
  const { newId, settings } = given
  const desk = openDesk(turn, items, (task) => workOf(turn, task, given.prepare, signal))
  const contextOf = async (id: string): Promise<readonly ModelMessage[]> =>
    (await turn.contextOf?.(id))?.messages ?? []

  function start(request: TaskStart): void {
    const definition = definitionOf(guidance, request.agentType, settings())
    desk.start(request, definition, { toolCallId: request.id, mode: 'background' })
  }

  async function goOn(id: string, message: string): Promise<void> {
    const here = desk.all().find((each) => each.id === id)
    const before = turn.state.tasks.find((each) => each.id === id)
    const { name = before?.displayName ?? id, description = before?.description ?? '' } = here ?? {}
    const { toolCallId = before?.toolCallId ?? id } = here ?? {}
    const definition =
      here?.definition ?? definitionOf(guidance, before?.agentName ?? '', settings())
    desk.goOn(id, message, {
      definition,
      name,
      description,
      toolCallId,
      before: await contextOf(id),
    })
  }

  async function* more(
    tools: ReadonlyMap<string, Tool>,
    conversation: Conversation,
  ): Items<boolean> {
    for (;;) {
      const ended = desk.takeEnded().filter(({ outcome }) => outcome.status !== 'cancelled')
      if (ended.length > 0) {
        yield* tellEnded(ended, tools, conversation)
        return true
      }
      if (!desk.isBusy()) return false
      yield { notice: { type: 'assistant.idle', data: {} } }
      await somethingNew()
      signal.throwIfAborted()
      if (conversation.heard(turn.steering())) return true
    }
  }

  async function somethingNew(): Promise<void> {
    const stop = new AbortController()
    const either = AbortSignal.any([signal, stop.signal])
    const { promise: stopped, resolve } = deferred<void>()
    signal.addEventListener('abort', () => resolve(), { once: true })
    try {
      await Promise.race([desk.changed(), stopped, turn.awaitMessage?.(either) ?? stopped])
    } finally {
      stop.abort()
    }
  }

  async function* tellEnded(
    ended: ReturnType<RunningTasks['takeEnded']>,
    tools: ReadonlyMap<string, Tool>,
    conversation: Conversation,
  ): Items<void> {
    for (const { task, outcome } of ended) {
      const data = notification(task, outcome)
      yield { draft: { type: 'system.notification', data } }
      conversation.told(data)
    }
    if (!tools.has('read_agent')) return
    const calls = await Promise.all(
      ended.map(async ({ task: { id } }) => {
        const { length } = roundsIn(await contextOf(id))
        const args = { agent_id: id, since_turn: Math.max(0, length - 1) }
        return { id: newId(), name: 'read_agent', arguments: args }
      }),
    )
    const { turnId } = turn
    yield {
      draft: {
        type: 'assistant.message',
        data: {
          messageId: newId(),
          content: '',
          toolRequests: calls.map(({ id, name, arguments: args }) => ({
            toolCallId: id,
            name,
            arguments: args,
            type: 'function' as const,
          })),
          turnId,
        },
      },
    }
    conversation.answered({ content: '', calls, aside: { reasoning: [] } })
    conversation.gave((yield* callTools(turn, tools, calls, signal)).results)
  }

  const toolsOf = (parent?: Working): readonly Tool[] =>
    taskTools({
      desk,
      agents: offeredAgents(guidance.agents, settings()),
      ...defined({ parent }),
      most: settings().maxConcurrency ?? Infinity,
      newId,
      known: () => knownTasks(turn.state.tasks, desk.all()),
      rounds: async (id) => roundsIn(await contextOf(id)),
      async goOn(id, message) {
        try {
          await goOn(id, message)
        } catch (error) {
          throw error instanceof EngineError ? new ToolFailure('failed', error.message) : error
        }
      },
    })

  return {
    desk,
    tools: toolsOf(),
    toolsFor: (task) => (task.depth < (settings().maxDepth ?? DEPTH) ? toolsOf(task) : []),
    start,
    take: async (request) =>
      'message' in request ? goOn(request.id, request.message) : start(request),
    more,
    close() {
      for (const task of desk.all()) if (task.outcome === undefined) task.stop.abort()
    },
  }
}

/** Of this turn and of those before it. */
function knownTasks(before: Turn['state']['tasks'], here: readonly Working[]): readonly Known[] {
  const ids = new Set(here.map(({ id }) => id))
  return [
    ...before
      .filter(({ id }) => !ids.has(id))
      .map(({ displayName: name, agentName: agentType, ...task }) => ({
        ...task,
        name,
        agentType,
      })),
    ...here.map(({ id, name, definition, description, outcome }) => ({
      id,
      name,
      agentType: definition.name,
      description,
      status: statusOf(outcome),
      startedAt: '',
      ...(outcome?.status === 'failed' && { error: outcome.text }),
    })),
  ]
}

/** A task that is given on and on is given on without end. */
const DEPTH = 3

export function definitionOf(
  { agents }: Pick<Guidance, 'agents'>,
  type: string,
  settings: SubagentSettings,
): CustomAgent {
  const all = allAgents(agents, settings)
  const found = all.find(({ name }) => name === type)
  if (found !== undefined) return found
  const types = all.map(({ name }) => name)
  throw new EngineError('invalid', `${unknownType(type, types)}. Nothing was started.`)
}

const statusOf = (outcome: Outcome | undefined): string =>
  outcome === undefined ? 'running' : outcome.status === 'rejected' ? 'failed' : outcome.status

function notification(task: Working, outcome: Outcome): Payload<'system.notification'> {
  const { id: agentId, name: displayName, definition, description } = task
  const about = { agentId, agentType: definition.name, displayName, description }
  const what = `Sub-agent "${displayName}" (${definition.name})`
  return outcome.status === 'idle'
    ? { content: `${what} is done and waits.`, kind: { type: 'agent_idle', ...about } }
    : {
        content: `${what} failed: ${'text' in outcome ? outcome.text : ''}`,
        kind: { type: 'agent_completed', ...about, status: 'failed' },
      }
}

/** What it was asked, and the last thing that it said to it. */
function roundsIn(messages: readonly ModelMessage[]): readonly Round[] {
  const rounds: { asked: string; answered: string }[] = []
  for (const message of messages) {
    if (message.role === 'user') rounds.push({ asked: message.content, answered: '' })
    const last = rounds.at(-1)
    if (message.role === 'assistant' && message.content !== '' && last !== undefined)
      last.answered = message.content
  }
  return rounds
}
