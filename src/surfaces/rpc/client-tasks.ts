/**
 * Work that a program does beside a session and shows in it: a build, a deployment. It is the program's own; the session
 * shows how far it is, asks the program to stop it, and keeps it when the program goes, until one takes it up again.
 */
import { isDeepStrictEqual } from 'node:util'
import type { Notice } from '../../format/notice.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { deferred } from '../../lib/deferred.ts'
import { RpcFailure } from '../../lib/json-rpc/failure.ts'
import type { Client } from './client.ts'

/** A task is not as the program thinks: another update came before. */
const TASK_CONFLICT = -32012

type Registration = {
  readonly clientTaskId: string
  readonly description: string
  readonly displayName?: string | undefined
  readonly cancellable: boolean
  /** The last update that the program knows of, when it takes a task up again. */
  readonly expectedSequence?: number | undefined
}

type TaskUpdate =
  | {
      readonly kind: 'progress'
      readonly status?: 'running' | 'idle' | undefined
      readonly message?: string | undefined
      readonly phase?: string | null | undefined
      readonly percentage?: number | null | undefined
    }
  | { readonly kind: 'completed'; readonly message?: string | undefined; readonly result?: unknown }
  | {
      readonly kind: 'failed'
      readonly message?: string | undefined
      readonly error: string
      readonly code?: string | undefined
    }
  | {
      readonly kind: 'cancelled'
      readonly message?: string | undefined
      readonly reason?: string | undefined
    }

type Status = 'running' | 'idle' | 'orphaned' | 'completed' | 'failed' | 'cancelled'

type ClientTask = Registration & {
  readonly id: string
  readonly startedAt: string
  owner: Client | undefined
  ownerId: string
  status: Status
  sequence: number
  updatedAt: string
  lastUpdate?: TaskUpdate
  /** Since when it is at work without a break. */
  activeSinceMs: number | undefined
  activeMs: number
  times: Record<'idleSince' | 'orphanedAt' | 'reclaimedAt' | 'completedAt', string | undefined>
  outcome: Readonly<Record<string, unknown>>
  phase: string | undefined
  percentage: number | undefined
  activity: { message: string; timestamp: string }[]
}

const MOST_ACTIVITY = 20

export interface ClientTasks {
  register(client: Client, given: Registration): object
  update(client: Client, id: string, sequence: number, update: TaskUpdate): object
  has(id: string): boolean
  list(): readonly object[]
  progress(id: string): object
  /** Asks the program that does it. True when it says that it stopped. */
  cancel(id: string, reason: 'cancel_requested' | 'session_shutdown'): Promise<boolean>
  remove(id: string): boolean
  /** The program has gone, and its work may go on. */
  orphan(client: Client): void
  /** Resolves when none is at work. */
  ended(): Promise<void>
}

export function createClientTasks(
  sessionId: SessionId,
  tell: (notice: Notice) => void,
): ClientTasks {
  const tasks = new Map<string, ClientTask>()
  const ids = new WeakMap<Client, string>()
  let settled = deferred<void>()

  const idOf = (client: Client): string => {
    const id = ids.get(client) ?? crypto.randomUUID()
    ids.set(client, id)
    return id
  }
  const changed = () => {
    tell({ type: 'session.background_tasks_changed', data: {} })
    if (tasks.values().some(isAtWork)) return
    settled.resolve()
    settled = deferred()
  }
  const required = (id: string): ClientTask => {
    const task = tasks.get(id)
    if (task === undefined) throw new RpcFailure(-32010, 'TASK_NOT_FOUND', { id })
    return task
  }

  return {
    register(client, given) {
      const known = tasks
        .values()
        .find(
          (task) =>
            task.clientTaskId === given.clientTaskId &&
            (task.owner === client || task.status === 'orphaned'),
        )
      const isReclaimed = known?.status === 'orphaned'
      if (known !== undefined) {
        if (given.expectedSequence !== undefined && given.expectedSequence !== known.sequence)
          throw conflict(known)
        if (isReclaimed) {
          setStatus(known, 'running')
          Object.assign(known, { owner: client, ownerId: idOf(client) })
          known.times.reclaimedAt = known.updatedAt
          changed()
        }
        return { task: shown(known), created: false, reclaimed: isReclaimed }
      }
      const now = new Date().toISOString()
      const task: ClientTask = {
        ...given,
        id: crypto.randomUUID(),
        startedAt: now,
        updatedAt: now,
        owner: client,
        ownerId: idOf(client),
        status: 'running',
        sequence: 0,
        activeSinceMs: Date.now(),
        activeMs: 0,
        times: {
          idleSince: undefined,
          orphanedAt: undefined,
          reclaimedAt: undefined,
          completedAt: undefined,
        },
        outcome: {},
        phase: undefined,
        percentage: undefined,
        activity: [],
      }
      tasks.set(task.id, task)
      changed()
      return { task: shown(task), created: true, reclaimed: false }
    },
    update(client, id, sequence, update) {
      const task = required(id)
      if (task.owner !== client) throw conflict(task)
      if (sequence === task.sequence && isDeepStrictEqual(update, task.lastUpdate))
        return { task: shown(task), applied: false, duplicate: true }
      if (sequence !== task.sequence + 1 || isOver(task)) throw conflict(task)
      const before = task.status
      task.sequence = sequence
      task.lastUpdate = update
      apply(task, update)
      if (task.status !== before) changed()
      return { task: shown(task), applied: true, duplicate: false }
    },
    has: (id) => tasks.has(id),
    list: () => Array.from(tasks.values(), shown),
    progress(id) {
      const { status, sequence, phase, percentage, updatedAt, activity } = required(id)
      const lastMessage = activity.at(-1)?.message
      return {
        type: 'client',
        status,
        sequence,
        ...defined({ phase, percentage, lastMessage }),
        updatedAt,
        recentActivity: activity,
      }
    },
    async cancel(id, reason) {
      const task = required(id)
      if (!task.cancellable || isOver(task) || task.owner === undefined) return false
      const params = { sessionId, id, clientTaskId: task.clientTaskId, reason }
      const answer = await task.owner.peer
        .request('tasks.cancel', { ...params, cancellationId: crypto.randomUUID() })
        // A program that cannot be asked, or knows no such request, has stopped nothing.
        .catch(() => undefined)
      const { cancelled } = (answer ?? {}) as { cancelled?: unknown }
      if (cancelled !== true) return false
      if (!isOver(task)) {
        apply(task, { kind: 'cancelled', reason })
        changed()
      }
      return true
    },
    remove(id) {
      if (!isOver(required(id))) return false
      tasks.delete(id)
      changed()
      return true
    },
    orphan(client) {
      const left = Array.from(tasks.values()).filter((task) => task.owner === client)
      for (const task of left) {
        task.owner = undefined
        if (!isOver(task)) setStatus(task, 'orphaned')
      }
      if (left.length > 0) changed()
    },
    async ended() {
      while (tasks.values().some(isAtWork)) await settled.promise
    },
  }
}

const isAtWork = ({ status }: ClientTask): boolean => status === 'running'

const isOver = ({ status }: ClientTask): boolean =>
  status === 'completed' || status === 'failed' || status === 'cancelled'

const conflict = ({ sequence }: ClientTask) =>
  new RpcFailure(TASK_CONFLICT, 'TASK_CONFLICT', { sequence })

function apply(task: ClientTask, update: TaskUpdate): void {
  if (update.message !== undefined) {
    const timestamp = new Date().toISOString()
    task.activity = [...task.activity, { message: update.message, timestamp }].slice(-MOST_ACTIVITY)
  }
  if (update.kind === 'progress') {
    if (update.phase !== undefined) task.phase = update.phase ?? undefined
    if (update.percentage !== undefined) task.percentage = update.percentage ?? undefined
    setStatus(task, update.status ?? task.status)
    return
  }
  if (update.kind === 'completed') task.outcome = defined({ result: update.result })
  if (update.kind === 'failed')
    task.outcome = { error: update.error, ...defined({ errorCode: update.code }) }
  if (update.kind === 'cancelled') task.outcome = defined({ cancellationReason: update.reason })
  setStatus(task, update.kind)
}

function setStatus(task: ClientTask, status: Status): void {
  const nowMs = Date.now()
  task.updatedAt = new Date(nowMs).toISOString()
  if (task.status === status) return
  if (task.activeSinceMs !== undefined) task.activeMs += nowMs - task.activeSinceMs
  task.activeSinceMs = status === 'running' ? nowMs : undefined
  task.status = status
  task.times.idleSince = status === 'idle' ? task.updatedAt : undefined
  if (status === 'orphaned') task.times.orphanedAt = task.updatedAt
  if (isOver(task)) task.times.completedAt = task.updatedAt
}

/** In the words of the SDK. */
function shown(task: ClientTask): object {
  const { id, clientTaskId, displayName, description, status, sequence, outcome } = task
  const { startedAt, updatedAt, activeSinceMs, activeMs, times, ownerId } = task
  return {
    type: 'client',
    id,
    clientTaskId,
    ...defined({ displayName }),
    description,
    status,
    executionMode: 'background',
    canCancel: task.cancellable && !isOver(task) && task.owner !== undefined,
    sequence,
    ...outcome,
    activeTimeMs: activeMs,
    startedAt,
    updatedAt,
    ...defined(times),
    ...(activeSinceMs !== undefined && { activeStartedAt: new Date(activeSinceMs).toISOString() }),
    owner: {
      participantId: ownerId,
      joinId: ownerId,
      kind: 'sdk',
      presence: task.owner === undefined ? 'disconnected' : 'connected',
      ...(task.owner === undefined && { disconnectedAt: times.orphanedAt ?? updatedAt }),
    },
  }
}
