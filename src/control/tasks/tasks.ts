/**
 * Work for the workers of a tenant: one takes it under a lease, and when the lease runs out another may, who goes on
 * from the session's log. Each task has its session from the beginning on, which is its person's.
 */
import { MACHINE_POOL, type TaskState } from '../../format/task.ts'
import { defined } from '../../lib/defined.ts'
import type { Database, Query } from '../database/port.ts'
import type { Row } from '../database/tables.ts'

export type Task = Row<'tasks'>

export const TASK_LEASE_MS = 30_000

export async function addTask(
  query: Query,
  task: Pick<Task, 'tenant' | 'id' | 'session' | 'person' | 'kind' | 'content'> & {
    readonly pool?: string
  },
  now: number,
): Promise<void> {
  await query
    .insertInto('tasks')
    .values({ ...task, state: 'queued', worker: null, lease: null, made: now, changed: now })
    .onConflict((on) => on.doNothing())
    .execute()
}

type Claimant = {
  readonly tenant: string
  readonly worker: string
  readonly pool?: string
  /** Only tasks of this person; without one, of everybody. */
  readonly person?: string | undefined
  readonly leaseMs?: number
}

/** The oldest that nobody holds. */
export const claimTask = (
  db: Database,
  { tenant, worker, pool = '', person, leaseMs = TASK_LEASE_MS }: Claimant,
  now: number,
): Promise<Task | undefined> =>
  db.transact(async (tx) => {
    let free = tx
      .selectFrom('tasks')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('pool', '=', pool)
      .where('cancelled', 'is', null)
      .where((is) =>
        is.or([
          is('state', '=', 'queued'),
          is.and([is('state', '=', 'running'), is('lease', '<=', now)]),
        ]),
      )
      // Of an older server: no address leads to them, so nobody could ever end them.
      .where('id', 'not in', ['.', '..'])
      .orderBy('made')
      .orderBy('id')
      .limit(1)
    if (person !== undefined) free = free.where('person', '=', person)
    const task = await db.locked(free).executeTakeFirst()
    if (task === undefined) return undefined
    const claim = {
      state: 'running',
      worker,
      lease: now + leaseMs,
      changed: now,
      attempts: task.attempts + 1,
    }
    await tx
      .updateTable('tasks')
      .set(claim)
      .where('tenant', '=', tenant)
      .where('id', '=', task.id)
      .execute()
    return { ...task, ...claim }
  })

type Keeping = Pick<Task, 'tenant' | 'id'> & {
  readonly worker: string
  readonly end?: 'done' | 'failed' | 'cancelled'
  /** What came of it so far, or in the end. */
  readonly result?: string | undefined
  readonly reason?: string | undefined
  readonly leaseMs?: number
}

/** False when another worker has it by now: this one has to stop. */
export async function keepTask(
  query: Query,
  { tenant, id, worker, end, result, reason, leaseMs = TASK_LEASE_MS }: Keeping,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('tasks')
    .set({
      changed: now,
      ...(end === undefined ? { lease: now + leaseMs } : { state: end, lease: null }),
      ...defined({ result, reason }),
    })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('worker', '=', worker)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** One that runs is ended by its worker, which is told; one that nobody has ends at once. */
export async function cancelTask(
  query: Query,
  { tenant, id }: Pick<Task, 'tenant' | 'id'>,
  now: number,
): Promise<void> {
  const its = query.updateTable('tasks').where('tenant', '=', tenant).where('id', '=', id)
  await its
    .set({ cancelled: now, changed: now })
    .where('state', 'in', ['queued', 'running'])
    .execute()
  await its
    .set({ state: 'cancelled', changed: now })
    .where((is) =>
      is.or([
        is('state', '=', 'queued'),
        is.and([is('state', '=', 'running'), is('lease', '<=', now)]),
      ]),
    )
    .execute()
}

export async function archiveTask(
  query: Query,
  { tenant, id, isArchived }: Pick<Task, 'tenant' | 'id'> & { readonly isArchived: boolean },
  now: number,
): Promise<void> {
  await query
    .updateTable('tasks')
    .set({ archived: isArchived ? now : null })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .execute()
}

export const taskOf = (
  query: Query,
  { tenant, id, person }: Pick<Task, 'tenant' | 'id'> & { readonly person?: string | undefined },
): Promise<Task | undefined> => {
  const found = query.selectFrom('tasks').selectAll().where('tenant', '=', tenant)
  const one = found.where('id', '=', id)
  return (person === undefined ? one : one.where('person', '=', person)).executeTakeFirst()
}

/** Sessions of a machine's own go on after they were begun; of any other, no worker is there any more. */
export async function isOver(query: Query, tenant: string, session: string): Promise<boolean> {
  const task = await query
    .selectFrom('tasks')
    .select('state')
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .where('pool', 'not like', `${MACHINE_POOL}%`)
    .where('state', 'in', ['done', 'failed', 'cancelled'])
    .executeTakeFirst()
  return task !== undefined
}

type TasksQuery = {
  readonly tenant: string
  readonly person?: string | undefined
  readonly state?: TaskState | undefined
  readonly isArchived?: boolean | undefined
}

/** The newest first. */
export function tasksOf(
  query: Query,
  { tenant, person, state, isArchived = false }: TasksQuery,
  limit: number,
): Promise<Task[]> {
  let wanted = query
    .selectFrom('tasks')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('archived', isArchived ? 'is not' : 'is', null)
  if (person !== undefined) wanted = wanted.where('person', '=', person)
  if (state !== undefined) wanted = wanted.where('state', '=', state)
  return wanted.orderBy('made', 'desc').orderBy('id').limit(limit).execute()
}
