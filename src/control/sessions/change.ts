/** What its person changes of a session on the server: who sees it, and whether it is there at all. */
import type { Database, Query } from '../database/port.ts'
import { record } from '../people/audit.ts'
import type { Asker } from '../people/scopes.ts'
import { forgetBlobs } from '../blobs/blobs.ts'
import { removeIn } from '../streams/remove.ts'
import { moved } from './moved.ts'
import { lockOwn } from './session.ts'
import type { SessionRow, Sharing } from './session.ts'

export const shareSession = (
  db: Database,
  asker: Asker,
  { id, sharing }: { readonly id: string; readonly sharing: Sharing },
  now: number,
): Promise<SessionRow> =>
  db.transact(async (tx) => {
    const session = await lockOwn(db, tx, asker, id)
    await tx
      .updateTable('sessions')
      .set((row) => ({ sharing, ...moved(row, now) }))
      .where('tenant', '=', asker.tenant)
      .where('id', '=', id)
      .execute()
    await record(tx, asker, { action: 'session.shared', subject: `${id} ${sharing}` }, now)
    return { ...session, sharing }
  })

/** For good: every generation, what was said to it, and blobs that no other session names. */
export const deleteSession = (db: Database, asker: Asker, id: string, now: number): Promise<void> =>
  db.transact(async (tx) => {
    await lockOwn(db, tx, asker, id)
    await removeGenerations(tx, asker.tenant, id)
    await forgetBlobs(tx, { tenant: asker.tenant, session: id })
    for (const table of ['commands', 'tasks'] as const)
      await tx
        .deleteFrom(table)
        .where('tenant', '=', asker.tenant)
        .where('session', '=', id)
        .execute()
    await tx
      .deleteFrom('sessions')
      .where('tenant', '=', asker.tenant)
      .where('id', '=', id)
      .execute()
    await record(tx, asker, { action: 'session.deleted', subject: id }, now)
  })

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
