/** Work for any worker of a tenant: one takes it under a lease, and when the lease runs out another may. */
import type { Database, Query } from '../database/port.ts'
import type { Row } from '../database/tables.ts'

export type Task = Row<'tasks'>

export const TASK_LEASE_MS = 30_000

export async function addTask(
  query: Query,
  task: Pick<Task, 'tenant' | 'id' | 'session' | 'person' | 'kind' | 'content'>,
  now: number,
): Promise<void> {
  await query
    .insertInto('tasks')
    .values({ ...task, state: 'queued', worker: null, lease: null, made: now, changed: now })
    .onConflict((on) => on.doNothing())
    .execute()
}

/** The oldest that nobody holds. */
export const claimTask = (
  db: Database,
  { tenant, worker }: { readonly tenant: string; readonly worker: string },
  now: number,
): Promise<Task | undefined> =>
  db.transact(async (tx) => {
    const free = tx
      .selectFrom('tasks')
      .selectAll()
      .where('tenant', '=', tenant)
      .where((is) =>
        is.or([
          is('state', '=', 'queued'),
          is.and([is('state', '=', 'running'), is('lease', '<=', now)]),
        ]),
      )
      .orderBy('made')
      .orderBy('id')
      .limit(1)
    const task = await db.locked(free).executeTakeFirst()
    if (task === undefined) return undefined
    const claim = { state: 'running', worker, lease: now + TASK_LEASE_MS, changed: now }
    await tx
      .updateTable('tasks')
      .set(claim)
      .where('tenant', '=', tenant)
      .where('id', '=', task.id)
      .execute()
    return { ...task, ...claim }
  })

/** False when another worker has it by now: this one has to stop. */
export async function keepTask(
  query: Query,
  {
    tenant,
    id,
    worker,
    end,
  }: Pick<Task, 'tenant' | 'id'> & { readonly worker: string; readonly end?: 'done' | 'failed' },
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('tasks')
    .set(
      end === undefined
        ? { lease: now + TASK_LEASE_MS, changed: now }
        : { state: end, lease: null, changed: now },
    )
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('worker', '=', worker)
    .where('state', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const tasksOf = (query: Query, tenant: string, limit: number): Promise<Task[]> =>
  query
    .selectFrom('tasks')
    .selectAll()
    .where('tenant', '=', tenant)
    .orderBy('made', 'desc')
    .limit(limit)
    .execute()
