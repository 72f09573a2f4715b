/**
 * What its person does not want on the server any more lies in the trash for a while, and is then deleted for good:
 * every generation, what was said to it, its contents. That it was deleted is kept, without content: a machine that goes
 * on exporting it is refused, and a backup that is restored forgets it again.
 */
import type { Transaction } from 'kysely'
import { forgetBlobs } from '../blobs/blobs.ts'
import { ControlError } from '../control-error.ts'
import type { Database, Query } from '../database/port.ts'
import type { Tables } from '../database/tables.ts'
import { record } from '../people/audit.ts'
import type { Asker } from '../people/scopes.ts'
import { removeIn } from '../streams/remove.ts'
import { moved } from './moved.ts'
import { lockOwn } from './stored-session.ts'

type Name = { readonly tenant: string; readonly id: string }

/** How often it had been changed by then. */
export const trashSession = (
  db: Database,
  asker: Asker,
  id: string,
  now: number,
): Promise<number> =>
  db.transact(async (tx) => {
    const { rev } = await lockOwn(db, tx, asker, id)
    await setTrashed(tx, { tenant: asker.tenant, id }, now, now)
    await record(tx, asker, { action: 'session.trashed', subject: id }, now)
    return Number(rev) + 1
  })

/** Out of the trash; one that was deleted for good may be exported again. */
export const restoreSession = (
  db: Database,
  asker: Asker,
  id: string,
  now: number,
): Promise<{ readonly isThere: boolean }> =>
  db.transact(async (tx) => {
    const { tenant } = asker
    const { numDeletedRows } = await tx
      .deleteFrom('deletions')
      .where('tenant', '=', tenant)
      .where('session', '=', id)
      .where('person', '=', asker.person)
      .executeTakeFirst()
    await record(tx, asker, { action: 'session.restored', subject: id }, now)
    if (numDeletedRows > 0n) return { isThere: false }
    await lockOwn(db, tx, asker, id, { isTrashed: true })
    await setTrashed(tx, { tenant, id }, null, now)
    return { isThere: true }
  })

async function setTrashed(
  query: Query,
  { tenant, id }: Name,
  trashed: number | null,
  now: number,
): Promise<void> {
  await query
    .updateTable('sessions')
    .set((row) => ({ trashed, ...moved(row, now) }))
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .execute()
}

/** For good, by its person, from wherever it is. */
export const deleteSession = (db: Database, asker: Asker, id: string, now: number): Promise<void> =>
  db.transact(async (tx) => {
    const { person } = await lockOwn(db, tx, asker, id, { isTrashed: 'either' })
    await deleteIn(tx, { tenant: asker.tenant, id, person }, now)
    await record(tx, asker, { action: 'session.deleted', subject: id }, now)
  })

/** The caller has the session locked, or nobody else can be at it. */
export async function deleteIn(
  tx: Transaction<Tables>,
  { tenant, id, person }: Name & { readonly person: string },
  now: number,
): Promise<void> {
  await removeGenerations(tx, tenant, id)
  await forgetBlobs(tx, { tenant, session: id })
  for (const table of ['commands', 'tasks', 'grants', 'tokens'] as const)
    await tx.deleteFrom(table).where('tenant', '=', tenant).where('session', '=', id).execute()
  await tx.deleteFrom('sessions').where('tenant', '=', tenant).where('id', '=', id).execute()
  await tx
    .insertInto('deletions')
    .values({ tenant, session: id, person, at: now })
    .onConflict((on) => on.doNothing())
    .execute()
}

/** The newest first: a generation goes after those that were forked from it. */
async function removeGenerations(query: Query, tenant: string, session: string): Promise<void> {
  const streams = await query
    .selectFrom('streams')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .orderBy('generation', 'desc')
    .execute()
  for (const stream of streams) await removeIn(query, stream)
}

/** What was deleted is not made again by a machine that has not heard of it. */
export async function refuseDeleted(
  query: Query,
  { tenant, person }: Pick<Asker, 'tenant' | 'person'>,
  session: string,
): Promise<void> {
  const row = await query
    .selectFrom('deletions')
    .select(['at', 'person'])
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .executeTakeFirst()
  if (row === undefined) return
  if (row.person !== person) throw takenName()
  throw new ControlError(
    'gone',
    `This session was deleted here on ${new Date(row.at).toISOString().slice(0, 10)}. Nothing was made; its person allows it again with POST /api/sessions/{id}/restore.`,
  )
}

/** Whether another person has a session of this id, or had one, is not told. */
export const takenName = () =>
  new ControlError('conflict', 'A session of this id cannot be made here. Nothing was changed.')
