/** Sub-agents of a session, and work that programs do beside it, as tasks in the words of the SDK. */
import { z } from 'zod'
import type { ShownTask } from '../../../engine/turn/subagent-tasks.ts'
import { defined } from '../../../lib/defined.ts'
import type { HostedSession } from '../hosted-session.ts'
import { passOn, sessionMethod, type Methods } from '../method.ts'
import { workspaceOf } from './session.ts'

const one = { id: z.string() }

const message = z.string().optional()
const update = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('progress'),
    status: z.enum(['running', 'idle']).optional(),
    message,
    phase: z.string().nullish(),
    percentage: z.number().min(0).max(100).nullish(),
  }),
  z.strictObject({ kind: z.literal('completed'), message, result: z.unknown().optional() }),
  z.strictObject({
    kind: z.literal('failed'),
    message,
    error: z.string(),
    code: z.string().optional(),
  }),
  z.strictObject({ kind: z.literal('cancelled'), message, reason: z.string().optional() }),
])

export const taskMethods: Methods = {
  'session.tasks.list': sessionMethod(
    'Sub-agents of a session, commands that its agent runs, and work of its clients.',
    async (session) => ({
      tasks: [
        ...(await tasksOf(session)),
        ...session.shellTasks.list(),
        ...session.clientTasks.list(),
      ],
    }),
  ),
  'session.tasks.register': sessionMethod(
    'Shows work that the client does beside the session, or takes up work whose client has gone.',
    {
      type: z.literal('client'),
      clientTaskId: z.string().min(1),
      description: z.string(),
      displayName: z.string().optional(),
      cancellable: z.boolean(),
      expectedSequence: z.int().min(0).optional(),
    },
    (session, { clientTaskId, description, cancellable, ...more }, { client }) => {
      const { displayName, expectedSequence } = more
      const given = { clientTaskId, description, cancellable }
      return session.clientTasks.register(client, {
        ...given,
        ...defined({ displayName, expectedSequence }),
      })
    },
  ),
  'session.tasks.update': sessionMethod(
    'Says how far such work is, or how it ended. Updates are numbered from 1; one that came before changes nothing.',
    { ...one, sequence: z.int().positive(), update },
    (session, { id, sequence, update: said }, { client }) =>
      session.clientTasks.update(client, id, sequence, said),
  ),
  'session.tasks.startAgent': passOn('tasks.start', {
    summary: 'Sets a sub-agent to work in the background. The agent hears what came of it.',
    takes: {
      agentType: z.string().min(1),
      prompt: z.string().min(1),
      name: z.string().optional(),
      description: z.string().optional(),
      model: z.string().optional(),
    },
    needsAgent: true,
    to: ({ agentType, prompt, name, description, model }) => [
      { agentType, prompt, ...defined({ name, description, model }) },
    ],
    from: (agentId) => ({ agentId }),
  }),
  'session.tasks.sendMessage': passOn('tasks.message', {
    summary: 'Says something to a sub-agent; one that rests goes on.',
    takes: { ...one, message: z.string().min(1) },
    to: ({ id, message }) => [id, message],
    from: (sent, { id }) =>
      sent ? { sent } : { sent, error: `There is no sub-agent ${id} that could hear it.` },
  }),
  'session.tasks.cancel': sessionMethod(
    'Stops a sub-agent that is at work or a command that the agent runs, or asks a client to stop its work.',
    one,
    async (session, { id }) => {
      const { ops, clientTasks, shellTasks, agent } = session
      if (shellTasks.progress(id) !== undefined)
        return { cancelled: agent.agent.stopCommand?.(workspaceOf(session), id) ?? false }
      if (clientTasks.has(id))
        return { cancelled: await clientTasks.cancel(id, 'cancel_requested') }
      return { cancelled: await ops.tasks.cancel(id) }
    },
  ),
  'session.tasks.remove': sessionMethod(
    'Leaves a sub-agent that failed or was stopped, or work of a client that is over, out of the list.',
    one,
    async (session, { id }) => {
      if (session.clientTasks.has(id)) return { removed: session.clientTasks.remove(id) }
      const task = (await tasksOf(session)).find((each) => each.id === id)
      const removed = task?.status === 'failed' || task?.status === 'cancelled'
      if (removed) session.removedTasks.add(id)
      return { removed }
    },
  ),
  'session.tasks.getProgress': sessionMethod(
    'What a sub-agent did last, what a command said last, or how far work of a client is.',
    one,
    async (session, { id }) => {
      const progress = session.shellTasks.progress(id)
      if (progress !== undefined) return { progress }
      if (session.clientTasks.has(id)) return { progress: session.clientTasks.progress(id) }
      const isThere = (await tasksOf(session)).some((each) => each.id === id)
      if (!isThere) return { progress: null }
      return { progress: { type: 'agent', recentActivity: await session.ops.tasks.progress(id) } }
    },
  ),
  'session.tasks.refresh': passOn('tasks.list', {
    summary: 'Reads what other processes wrote of sub-agents.',
    answer: {},
  }),
  'session.tasks.waitForPending': sessionMethod(
    'Returns when no sub-agent and no work of a client goes on, and the agent has heard what came of the former.',
    async ({ ops, clientTasks }) => {
      await Promise.all([ops.tasks.ended(), clientTasks.ended()])
      return {}
    },
  ),
  'session.tasks.getCurrentPromotable': sessionMethod(
    'The sub-agent that the agent waits for, if it waits for one.',
    async (session) => defined({ task: await promotable(session) }),
  ),
  'session.tasks.promoteToBackground': passOn('tasks.promote', {
    summary: 'Has the agent go on without waiting for a sub-agent.',
    takes: one,
    to: ({ id }) => [id],
    from: (promoted) => ({ promoted }),
  }),
  'session.tasks.promoteCurrentToBackground': sessionMethod(
    'Has the agent go on without waiting for the sub-agent that it waits for.',
    async (session) => {
      const task = await promotable(session)
      if (task === undefined || !(await session.ops.tasks.promote(task.id))) return {}
      return { task: { ...task, executionMode: 'background', canPromoteToBackground: false } }
    },
  ),
  'session.cancelAllBackgroundAgents': sessionMethod(
    'Stops all sub-agents that are at work.',
    async (session) => {
      const running = (await tasksOf(session)).filter(({ status }) => status === 'running')
      const stopped = await Promise.all(running.map(({ id }) => session.ops.tasks.cancel(id)))
      return { cancelledCount: stopped.filter(Boolean).length }
    },
  ),
}

async function promotable(session: HostedSession) {
  return (await tasksOf(session)).findLast((task) => task.canPromoteToBackground)
}

async function tasksOf({ ops, removedTasks }: HostedSession) {
  return (await ops.tasks.list()).filter(({ id }) => !removedTasks.has(id)).map(taskInfo)
}

function taskInfo(task: ShownTask) {
  const { id, toolCallId, displayName, description, status, executionMode, model, error } = task
  const { startedAt, activeSince: activeStartedAt, activeMs: activeTimeMs, endedAt } = task
  const isIdle = status === 'idle'
  return {
    type: 'agent',
    id,
    toolCallId,
    displayName,
    description,
    status,
    agentType: task.agentName,
    prompt: task.asked ?? '',
    executionMode,
    canPromoteToBackground: status === 'running' && executionMode === 'sync',
    activeTimeMs,
    startedAt,
    ...defined({ resolvedModel: model, latestResponse: task.answered, activeStartedAt, error }),
    ...(endedAt !== undefined && (isIdle ? { idleSince: endedAt } : { completedAt: endedAt })),
  }
}
