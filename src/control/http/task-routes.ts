/** Tasks that people leave for workers, and the workers that take them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { SESSION_ID } from '../../format/ids.ts'
import { TASK_STATES, TaskResult, TaskWish } from '../../format/task.ts'
import { defined } from '../../lib/defined.ts'
import { identifyRemote } from '../../lib/git-remote.ts'
import { ControlError } from '../control-error.ts'
import type { Control } from '../control.ts'
import { record } from '../people/audit.ts'
import type { Asker } from '../people/scopes.ts'
import { beginSession } from '../sessions/begin.ts'
import { hear, takeNoMore } from '../sessions/presence.ts'
import {
  archiveTask,
  cancelTask,
  isOver,
  addTask,
  claimTask,
  keepTask,
  taskOf,
  tasksOf,
  type Task,
} from '../tasks/tasks.ts'
import { dismissWorker, hearAgain, hearWorker, workersOf } from '../tasks/workers.ts'
import { checked } from './checked-query.ts'
import { route } from './route.ts'

/** No dots alone: they would mean another address. */
const id = z.string().regex(/^(?!\.+$)[\w.:-]{1,100}$/)
const sessionId = z.string().regex(SESSION_ID).max(100)
const pool = z.string().max(100).optional()
const NewTask = TaskWish.extend({ id: id.optional(), session: sessionId.optional(), pool })
const TasksQuery = z.object({
  state: z.enum(TASK_STATES).optional(),
  archived: z.enum(['true', 'false']).optional(),
})
const Claim = z.object({
  worker: id,
  pool,
  agent: z.string().max(500),
  policy: z.string().max(2000),
  slots: z.int().min(1).max(1000),
  busy: z.int().min(0).max(1000),
  wait: z.int().min(0).max(60).optional(),
})
const Keep = z.object({ worker: id, result: TaskResult.optional() })
const End = Keep.extend({
  state: z.enum(['done', 'failed', 'cancelled']),
  reason: z.string().max(2000).optional(),
})
const Archive = z.object({ archived: z.boolean() })

const WATCH = ['watch', 'start', 'export'] as const
/** How often one that waits looks for a task that came by another node. */
const LOOK_MS = 1000

export const taskRoutes = [
  route({
    method: 'POST',
    path: '/api/tasks',
    summary:
      'Leaves work for a worker; the same id twice does nothing. Its session is there at once',
    scopes: ['start'],
    status: 201,
    body: NewTask,
    async run(control, { asker, body: { id: task, session: wanted, pool: of = '', ...wish } }) {
      const { db, now } = control
      const name = { tenant: asker.tenant, id: task ?? crypto.randomUUID() }
      const before = await taskOf(db.query, name)
      if (before !== undefined) return told(requireOwn(asker, before))
      const session = wanted ?? crypto.randomUUID()
      await beginSession(db, asker, { id: session }, now())
      const about = defined({
        name: wish.name,
        summary: wish.prompt?.slice(0, 200).replaceAll(/\s+/g, ' '),
        repository: identifyRemote(wish.repository?.url ?? '')?.repository,
        branch: wish.repository?.branch,
      })
      await hear(db.query, { tenant: asker.tenant, id: session }, about, now())
      await addTask(
        db.query,
        {
          ...name,
          session,
          person: asker.person,
          kind: 'session',
          content: JSON.stringify(wish),
          pool: of,
        },
        now(),
      )
      await record(db.query, asker, { action: 'task.started', subject: name.id }, now())
      control.moved({ tenant: asker.tenant, id: session })
      return told(await found(control, asker, name.id))
    },
  }),
  route({
    method: 'GET',
    path: '/api/tasks',
    summary: 'Lists one’s own tasks, the newest first',
    scopes: WATCH,
    async run({ db }, { asker, query }) {
      const { state, archived } = checked(TasksQuery, query)
      const { tenant, person } = asker
      const wish = { tenant, person, state, isArchived: archived === 'true' }
      return { tasks: (await tasksOf(db.query, wish, 500)).map(told) }
    },
  }),
  route({
    method: 'GET',
    path: '/api/tasks/:id',
    summary: 'One task: what is wanted, who has it, and what came of it',
    scopes: WATCH,
    async run(control, { asker, params }) {
      const task = await found(control, asker, params['id'] ?? '')
      return { ...told(task), result: parsed(task.result), wish: parsed(task.content) }
    },
  }),
  route({
    method: 'POST',
    path: '/api/tasks/:id/cancel',
    summary: 'Wants a task no more: its worker ends it',
    scopes: ['start'],
    async run(control, { asker, params }) {
      const task = await found(control, asker, params['id'] ?? '')
      await cancelTask(control.db.query, task, control.now())
      await record(
        control.db.query,
        asker,
        { action: 'task.cancelled', subject: task.id },
        control.now(),
      )
      return told(await found(control, asker, task.id))
    },
  }),
  route({
    method: 'POST',
    path: '/api/tasks/:id/archive',
    summary: 'Takes a task out of the list, or puts it back',
    scopes: ['start'],
    body: Archive,
    async run(control, { asker, params, body }) {
      const task = await found(control, asker, params['id'] ?? '')
      await archiveTask(control.db.query, { ...task, isArchived: body.archived }, control.now())
      return told(await found(control, asker, task.id))
    },
  }),
  route({
    method: 'POST',
    path: '/api/workers/claim',
    summary: 'A worker tells of itself and is given a task, now or as soon as there is one',
    scopes: ['export'],
    body: Claim,
    run: (control, { asker, body, signal }) => claim(control, asker, body, signal),
  }),
  route({
    method: 'POST',
    path: '/api/tasks/:id/keep',
    summary: 'The worker that has a task says that it goes on, and what came of it so far',
    scopes: ['export'],
    body: Keep,
    async run({ db, now, settings }, { asker, params, body: { worker, result } }) {
      const { tenant } = asker
      await hearAgain(db.query, asker, { id: worker, now: now() })
      const name = { tenant, id: params['id'] ?? '' }
      const text = result === undefined ? undefined : JSON.stringify(result)
      const keeping = { ...name, worker, leaseMs: settings.taskLeaseMs, result: text }
      const isYours = await keepTask(db.query, keeping, now())
      const task = await taskOf(db.query, name)
      return { isYours, isCancelled: task?.cancelled != null }
    },
  }),
  route({
    method: 'POST',
    path: '/api/tasks/:id/end',
    summary: 'The worker that has a task says what came of it',
    scopes: ['export'],
    body: End,
    async run(control, { asker, params, body: { worker, result, state, reason } }) {
      const { db, now } = control
      await hearAgain(db.query, asker, { id: worker, now: now() })
      const name = { tenant: asker.tenant, id: params['id'] ?? '' }
      const text = result === undefined ? undefined : JSON.stringify(result)
      const ending = { ...name, worker, end: state, result: text, reason }
      const isYours = await keepTask(db.query, ending, now())
      const task = await taskOf(db.query, name)
      if (isYours && task?.session != null) {
        const session = { tenant: asker.tenant, id: task.session }
        if (await isOver(db.query, asker.tenant, task.session))
          await takeNoMore(db.query, session, now())
        control.moved(session)
      }
      return { isYours, isCancelled: task?.cancelled != null }
    },
  }),
  route({
    method: 'GET',
    path: '/api/workers',
    summary: 'Lists the workers: where they are, for what, and what each may do without asking',
    scopes: WATCH,
    async run({ db, now }, { asker }) {
      const rows = await workersOf(db.query, asker.tenant, now())
      return {
        workers: rows.map(({ tenant: _tenant, heard, ...worker }) => ({
          ...worker,
          heardAt: new Date(heard).toISOString(),
          isStale: heard + STALE_MS <= now(),
        })),
      }
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/workers/:id',
    summary: 'A worker has ended: it is listed no more',
    scopes: ['export'],
    async run({ db }, { asker, params: { id: worker = '' } }) {
      if (await dismissWorker(db.query, asker, worker)) return { ok: true }
      throw new ControlError('not_found', 'There is no such worker. Nothing was changed.')
    },
  }),
]

const STALE_MS = 60_000

async function claim(
  control: Control,
  asker: Asker,
  { wait = 0, worker, pool: of = '', ...told }: z.output<typeof Claim>,
  signal: AbortSignal,
) {
  const { db, now, settings, stopping } = control
  const { tenant, person, machine } = asker
  const claimant = {
    tenant,
    worker,
    pool: of,
    leaseMs: settings.taskLeaseMs,
    person: asker.scopes.includes('work') ? undefined : person,
  }
  const over = AbortSignal.any([signal, stopping, AbortSignal.timeout(wait * 1000 + 1)])
  for (;;) {
    await hearWorker(db.query, {
      tenant,
      id: worker,
      person,
      machine,
      pool: of,
      heard: now(),
      ...told,
    })
    const task = told.busy < told.slots ? await claimTask(db, claimant, now()) : undefined
    if (task !== undefined)
      return {
        task: { id: task.id, session: task.session, person: task.person, attempts: task.attempts },
        wish: parsed(task.content),
        result: parsed(task.result),
        leaseMs: settings.taskLeaseMs,
      }
    if (wait === 0 || over.aborted) return { task: null }
    await sleep(LOOK_MS, undefined, { signal: over }).catch(() => {}) // its end is looked at above
    if (signal.aborted) return { task: null }
  }
}

/** Another person's is answered like one that is not there. */
async function found(control: Control, asker: Asker, task: string): Promise<Task> {
  const { tenant, person } = asker
  const row = await taskOf(control.db.query, { tenant, id: task, person })
  if (row !== undefined) return row
  throw new ControlError('not_found', 'There is no such task.')
}

function requireOwn({ person }: Asker, task: Task): Task {
  if (task.person === person) return task
  throw new ControlError('conflict', 'A task of this id cannot be made here. Nothing was changed.')
}

const parsed = (text: string | null): unknown => (text === null ? null : JSON.parse(text))

const told = (task: Task) => ({
  id: task.id,
  session: task.session,
  state: task.cancelled !== null && task.state === 'running' ? 'cancelling' : task.state,
  pool: task.pool,
  worker: task.worker,
  attempts: task.attempts,
  reason: task.reason,
  name: nameOf(task),
  isArchived: task.archived !== null,
  made: new Date(task.made).toISOString(),
  changed: new Date(task.changed).toISOString(),
})

function nameOf({ content }: Task): string | null {
  const { name, prompt } = TaskWish.partial().safeParse(parsed(content)).data ?? {}
  return name ?? prompt?.slice(0, 80) ?? null
}
