/** Sub-agents of a session, as the log tells of them: which there were, which are at work, and where their words are. */
import type { Envelope, EventOf, Payload } from '../format/event.ts'
import { defined } from '../lib/defined.ts'
import type { ByteRange } from './positioned-event.ts'

export type TaskStatus = 'running' | 'idle' | 'failed' | 'cancelled'

export type Task = {
  /** Its events carry it as their `agentId`. */
  readonly id: string
  /** The call that set it to work, or its own id when a person did. */
  readonly toolCallId: string
  /** Of its definition. */
  readonly agentName: string
  readonly displayName: string
  readonly description: string
  readonly executionMode: string
  readonly status: TaskStatus
  readonly model?: string
  readonly startedAt: string
  /** When it was last set to work, while it is. */
  readonly activeSince?: string
  /** For how long it has been at work until then. */
  readonly activeMs: number
  readonly endedAt?: string
  readonly error?: string
  /** How often it was given something to do. */
  readonly turns: number
  /** Where its events begin. */
  readonly start: number
  /** Where the last thing that it was asked is, and the last thing that it said. */
  readonly prompt?: ByteRange
  readonly said?: ByteRange
}

/** The oldest that are at rest are let go: the log still tells of them. */
const MOST = 32

export type Tasks = Map<string, Task>

export function started(
  tasks: Tasks,
  { agentId, timestamp, data }: EventOf<'subagent.started'>,
  { start }: ByteRange,
): void {
  const id = agentId ?? data.toolCallId
  const { toolCallId, agentName, agentDisplayName: displayName, model } = data
  tasks.delete(id)
  tasks.set(id, {
    id,
    toolCallId,
    agentName,
    displayName,
    description: data.agentDescription,
    executionMode: data.executionMode ?? 'sync',
    status: 'running',
    ...defined({ model }),
    startedAt: timestamp,
    activeSince: timestamp,
    activeMs: 0,
    turns: 0,
    start,
  })
  for (const task of tasks.values()) {
    if (tasks.size <= MOST) return
    if (task.status !== 'running') tasks.delete(task.id)
  }
}

export function ended(
  tasks: Tasks,
  event: EventOf<'subagent.completed'> | EventOf<'subagent.failed'>,
): void {
  const { data } = event
  const id = event.agentId ?? data.toolCallId
  const status =
    'error' in data ? 'failed' : isCancelled(data) ? ('cancelled' as const) : ('idle' as const)
  rest(tasks, id, event, status, 'error' in data ? data.error : undefined)
}

const isCancelled = (data: Payload<'subagent.completed'>) => data.cancelled === true

/** It was asked something, at first or again. */
export function asked(tasks: Tasks, event: EventOf<'user.message'>, place: ByteRange): void {
  const task = taskOf(tasks, event)
  if (task === undefined) return
  const { endedAt: _ended, error: _error, ...before } = task
  tasks.set(task.id, {
    ...before,
    status: 'running',
    activeSince: task.activeSince ?? event.timestamp,
    turns: event.data.delivery === 'steering' ? task.turns : task.turns + 1,
    prompt: place,
  })
}

export function said(tasks: Tasks, event: EventOf<'assistant.message'>, place: ByteRange): void {
  const task = taskOf(tasks, event)
  if (task !== undefined && event.data.content !== '') tasks.set(task.id, { ...task, said: place })
}

/** A later round ends without being told as completed again. */
export function roundEnded(tasks: Tasks, event: EventOf<'assistant.turn_end'>): void {
  const task = taskOf(tasks, event)
  if (task !== undefined && task.turns > 1) rest(tasks, task.id, event, 'idle')
}

/** A call that ends before the sub-agent that it set to work: nobody waits for it there any more. */
export function callEnded(tasks: Tasks, toolCallId: string): void {
  for (const task of tasks.values())
    if (task.toolCallId === toolCallId && task.status === 'running')
      tasks.set(task.id, { ...task, executionMode: 'background' })
}

/** The process that ran them is gone. */
export function interrupted(tasks: Tasks, event: Envelope): void {
  for (const task of tasks.values())
    if (task.status === 'running') rest(tasks, task.id, event, 'failed', 'interrupted')
}

function rest(
  tasks: Tasks,
  id: string,
  { timestamp }: Envelope,
  status: TaskStatus,
  error?: string,
): void {
  const task = tasks.get(id)
  if (task === undefined) return
  const { activeSince, ...before } = task
  const worked = activeSince === undefined ? 0 : Date.parse(timestamp) - Date.parse(activeSince)
  tasks.set(id, {
    ...before,
    status,
    activeMs: task.activeMs + (Number.isFinite(worked) ? Math.max(0, worked) : 0),
    endedAt: timestamp,
    ...defined({ error }),
  })
}

const taskOf = (tasks: Tasks, { agentId }: Envelope): Task | undefined =>
  agentId === undefined ? undefined : tasks.get(agentId)
