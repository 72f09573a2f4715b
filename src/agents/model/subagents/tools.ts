/** The tools by which a model gives tasks to sub-agents, asks for what came of them, and goes on speaking with them. */
import { z } from 'zod'
import type { TaskStart } from '../../../engine/agent.ts'
import { namedAgent, type CustomAgent } from '../../../guidance/custom-agents.ts'
import { defined } from '../../../lib/defined.ts'
import { deferred } from '../../../lib/deferred.ts'
import { ToolFailure, type Tool, type ToolResult } from '../../tools/tool.ts'
import type { RunningTasks, Outcome, Working } from './running-tasks.ts'

/** What is known of a sub-agent, at work or at rest. */
export type Known = {
  readonly id: string
  readonly name: string
  readonly agentType: string
  readonly description: string
  readonly status: string
  readonly startedAt: string
  readonly error?: string
}

type TaskParts = {
  readonly desk: RunningTasks
  readonly agents: readonly CustomAgent[]
  /** The sub-agent that has these tools, where it is one. */
  readonly parent?: Working
  /** At work at a time. */
  readonly most: number
  readonly newId: () => string
  known(): readonly Known[]
  /** What it said at the end of each of its rounds, with what it was asked. */
  rounds(id: string): Promise<readonly Round[]>
  /** One that rests goes on. */
  goOn(id: string, message: string): Promise<void>
}

export type Round = { readonly asked: string; readonly answered: string }

export const taskTools = (parts: TaskParts): readonly Tool[] =>
  [task(parts), readAgent(parts), listAgents(parts), writeAgent(parts)] as readonly Tool[]

const free = { isElsewhere: true, permission: async () => undefined } as const

function task({ desk, agents, newId, parent, most }: TaskParts): Tool<z.output<typeof TaskArgs>> {
  const types = agents.map(({ name }) => name)
  const args = TaskArgs.extend({ agent_type: z.enum(types as [string, ...string[]]) })
  return {
    ...free,
    name: 'task',
    description: [
      'Gives a task to a sub-agent, which works in a conversation of its own and gives back its last answer. It knows nothing of this conversation. Several can work side by side.',
      ...agents.map(({ name, description }) => `- ${name}: ${description}`),
    ].join('\n'),
    args: args as unknown as z.ZodType<z.output<typeof TaskArgs>>,
    async run(given, { signal, toolCallId }) {
      const definition = namedAgent(agents, given.agent_type)
      if (definition === undefined)
        throw new ToolFailure('invalid_arguments', unknownType(given.agent_type, types))
      const atWork = desk.all().filter(({ outcome }) => outcome === undefined).length
      if (atWork >= most)
        throw new ToolFailure('failed', `${atWork} sub-agents are at work, and ${TOO_MANY}`)
      const id = newId()
      const request: TaskStart = {
        id,
        agentType: definition.name,
        prompt: given.prompt,
        ...defined({
          name: given.name,
          description: given.description,
          model: given.model,
          reasoningEffort: given.reasoning_effort,
        }),
      }
      const { mode = 'sync' } = given
      const below = parent && { parentId: parent.id, depth: parent.depth + 1 }
      const called = { toolCallId: toolCallId ?? id, mode, ...below }
      const working = desk.start(request, definition, called)
      // Only the agent that people speak with hears by itself how it ended.
      if (mode === 'background') return { content: parent ? toBeRead(id) : inBackground(id) }
      return resultOf(await orStopped(working, signal), id)
    },
  }
}

const TaskArgs = z.object({
  name: z.string().optional().describe('A short name for it.'),
  description: z.string().describe('The task in three to five words, for the user.'),
  prompt: z.string().min(1).describe('The task, with everything that it has to know.'),
  agent_type: z.string(),
  model: z.string().optional().describe('Another model. Only when the user asked for it.'),
  reasoning_effort: z.string().optional().describe('Only when the user asked for it.'),
  mode: z
    .enum(['sync', 'background'])
    .optional()
    .describe(
      'sync (when left out) waits for its answer; background goes on, and tells you when it is done.',
    ),
})

export const unknownType = (type: string, types: readonly string[]): string =>
  `Unknown agent type: ${type}. Valid types: ${types.join(', ')}`

const TOO_MANY = 'no more are allowed at a time. Wait for one of them.'

const toBeRead = (id: string) =>
  `The sub-agent works in the background as agent_id ${id}. Ask with read_agent what came of it.`

const inBackground = (id: string) =>
  `The sub-agent works in the background as agent_id ${id}. You are told when it is done. Go on with other work, or end your answer.`

/** A sub-agent of a call that is stopped is stopped as well. */
async function orStopped(working: Working, signal: AbortSignal): Promise<Outcome> {
  const stop = () => working.stop.abort()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await working.done.promise
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

function resultOf(outcome: Outcome, id: string): ToolResult {
  switch (outcome.status) {
    case 'idle':
      return { content: outcome.text }
    case 'moved':
      return {
        content: `The sub-agent was sent to the background (agent_id ${id}). You are told when it is done.`,
      }
    case 'cancelled':
      throw new ToolFailure('failed', 'The sub-agent was stopped before it was done.')
    case 'rejected':
      throw new ToolFailure('rejected', outcome.text)
    case 'failed':
      throw new ToolFailure('failed', `The sub-agent failed: ${outcome.text}`)
  }
}

const ReadArgs = z.object({
  agent_id: z.string(),
  wait: z.boolean().optional().describe('Wait until it is done.'),
  timeout: z.number().min(0).max(180).optional().describe('Seconds to wait; 30 when left out.'),
  since_turn: z.number().int().min(0).optional().describe('From this round on; 0 is the first.'),
})

const readAgent = (parts: TaskParts): Tool<z.output<typeof ReadArgs>> => ({
  ...free,
  name: 'read_agent',
  description: 'Tells how far a sub-agent is and what it answered, by its agent_id.',
  args: ReadArgs,
  async run({ agent_id: id, wait = false, timeout = 30, since_turn: from = 0 }, { signal }) {
    const working = parts.desk.find(id)
    if (wait && working !== undefined) await settled(working, timeout * 1000, signal)
    const known = parts.known().find((each) => each.id === id)
    if (known === undefined) throw new ToolFailure('failed', `There is no agent_id ${id}.`)
    const rounds = (await parts.rounds(id)).map((round, index) => ({ ...round, index }))
    const head = `agent_id: ${id}, name: ${known.name}, agent_type: ${known.agentType}, status: ${known.status}, rounds: ${rounds.length}`
    const told = rounds
      .filter(({ index }) => index >= from)
      .map(({ index, asked, answered }) =>
        index === 0
          ? `[Turn 0]\n${answered}`
          : `[Turn ${index}]\n[Message]\n${asked}\n\n[Response]\n${answered}`,
      )
    const failed = known.error === undefined ? [] : [`It failed: ${known.error}`]
    return { content: [head, ...failed, ...told].join('\n\n') }
  },
})

async function settled(working: Working, ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = deferred<void>()
  const timer = setTimeout(() => resolve(), ms)
  signal.addEventListener('abort', () => resolve(), { once: true })
  await Promise.race([working.done.promise, promise])
  clearTimeout(timer)
}

const ListArgs = z.object({
  include_completed: z
    .boolean()
    .optional()
    .describe('Those that are done, too; true when left out.'),
})

const listAgents = (parts: TaskParts): Tool<z.output<typeof ListArgs>> => ({
  ...free,
  name: 'list_agents',
  description: 'Lists the sub-agents of this session, with their agent_id and how far they are.',
  args: ListArgs,
  async run({ include_completed: isAll = true }) {
    const list = parts
      .known()
      .filter(({ status }) => isAll || status === 'running' || status === 'idle')
    if (list.length === 0) return { content: 'There are no sub-agents.' }
    return {
      content: list
        .map(
          ({ id, name, agentType, status, description }) =>
            `${status}: ${name} (${id}), ${agentType}: ${description}`,
        )
        .join('\n'),
    }
  },
})

const WriteArgs = z.object({
  agent_id: z.string(),
  message: z.string().min(1),
})

const writeAgent = (parts: TaskParts): Tool<z.output<typeof WriteArgs>> => ({
  ...free,
  name: 'write_agent',
  description:
    'Says something to a sub-agent: one that works hears it at its next step, one that is done goes on with it in the background.',
  args: WriteArgs,
  async run({ agent_id: id, message }) {
    const working = parts.desk.find(id)
    if (working !== undefined) parts.desk.say(working, message)
    else if (parts.known().some((each) => each.id === id)) await parts.goOn(id, message)
    else throw new ToolFailure('failed', `There is no agent_id ${id}.`)
    return { content: `The message was sent to ${id}. You are told when it is done.` }
  },
})
