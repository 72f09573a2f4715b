/** The workers of a tenant: where each runs, for what, what it may do without asking, and when it was last heard of. */
import { ControlError } from '../control-error.ts'
import type { Query } from '../database/port.ts'
import type { NewRow, Row } from '../database/tables.ts'
import type { Asker } from '../people/scopes.ts'

type Worker = Row<'workers'>

export async function hearWorker(query: Query, worker: NewRow<'workers'>): Promise<void> {
  await requireOwnWorker(query, worker, worker.id)
  const { tenant: _tenant, id: _id, ...told } = worker
  await query
    .insertInto('workers')
    .values(worker)
    .onConflict((on) => on.columns(['tenant', 'id']).doUpdateSet(told))
    .execute()
}

/** Nobody speaks for the worker of another person. */
async function requireOwnWorker(
  query: Query,
  { tenant, person }: Pick<Asker, 'tenant' | 'person'>,
  id: string,
): Promise<void> {
  const found = await query
    .selectFrom('workers')
    .select('person')
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst()
  if (found !== undefined && found.person !== person)
    throw new ControlError('not_found', 'There is no such worker. Nothing was changed.')
}

/** One that works does not ask for more: what it says of its task is a word of it too. */
export async function hearAgain(
  query: Query,
  asker: Pick<Asker, 'tenant' | 'person'>,
  { id, now }: { readonly id: string; readonly now: number },
): Promise<void> {
  await requireOwnWorker(query, asker, id)
  await query
    .updateTable('workers')
    .set({ heard: now })
    .where('tenant', '=', asker.tenant)
    .where('id', '=', id)
    .execute()
}

/** It has ended. What it had is another's when the lease runs out. */
export async function dismissWorker(
  query: Query,
  { tenant, person }: Pick<Asker, 'tenant' | 'person'>,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await query
    .deleteFrom('workers')
    .where('tenant', '=', tenant)
    .where('person', '=', person)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** One that ended without a word is not told of after so long. */
const GONE_MS = 3600 * 1000

/** What each has to do now is counted, not told: one that is full asks for nothing more. */
export async function workersOf(query: Query, tenant: string, now: number): Promise<Worker[]> {
  const workers = await query
    .selectFrom('workers')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('heard', '>', now - GONE_MS)
    .orderBy('heard', 'desc')
    .execute()
  const running = await query
    .selectFrom('tasks')
    .select('worker')
    .where('tenant', '=', tenant)
    .where('state', '=', 'running')
    .where('lease', '>', now)
    .execute()
  return workers.map((worker) => ({
    ...worker,
    busy: running.filter((task) => task.worker === worker.id).length,
  }))
}

/** Whether the asker is the worker that has the task of this session now: it writes there in the name of its person. */
export async function worksOn(
  query: Query,
  { tenant, person }: Asker,
  session: string,
): Promise<boolean> {
  const found = await query
    .selectFrom('tasks')
    .innerJoin('workers', (join) =>
      join.onRef('workers.tenant', '=', 'tasks.tenant').onRef('workers.id', '=', 'tasks.worker'),
    )
    .select('tasks.id')
    .where('tasks.tenant', '=', tenant)
    .where('tasks.session', '=', session)
    .where('tasks.state', '=', 'running')
    .where('workers.person', '=', person)
    .executeTakeFirst()
  return found !== undefined
}
