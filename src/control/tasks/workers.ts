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
export async function requireOwnWorker(
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

/** One that was not heard of for so long is not told of any more. */
const GONE_MS = 24 * 3600 * 1000

export const workersOf = (query: Query, tenant: string, now: number): Promise<Worker[]> =>
  query
    .selectFrom('workers')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('heard', '>', now - GONE_MS)
    .orderBy('heard', 'desc')
    .execute()

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
