/** What its person changes of a session on the server: who sees it, and how long it is kept. */
import type { Database, Query } from '../database/port.ts'
import { record } from '../people/audit.ts'
import type { Asker } from '../people/scopes.ts'
import { moved } from './moved.ts'
import { lockOwn, type SessionRow, type Sharing } from './stored-session.ts'

export const shareSession = (
  db: Database,
  asker: Asker,
  { id, sharing }: { readonly id: string; readonly sharing: Sharing },
  now: number,
): Promise<SessionRow> =>
  db.transact(async (tx) => {
    const changed = await change(db, tx, asker, id, { sharing }, now)
    await record(tx, asker, { action: 'session.shared', subject: `${id} ${sharing}` }, now)
    return changed
  })

/** A pinned session is kept whatever its age. */
export const pinSession = (
  db: Database,
  asker: Asker,
  { id, pinned }: { readonly id: string; readonly pinned: boolean },
  now: number,
): Promise<SessionRow> =>
  db.transact((tx) => change(db, tx, asker, id, { pinned: pinned ? 1 : 0 }, now))

async function change(
  db: Database,
  tx: Query,
  asker: Asker,
  id: string,
  to: Partial<Pick<SessionRow, 'sharing' | 'pinned'>>,
  now: number,
): Promise<SessionRow> {
  const session = await lockOwn(db, tx, asker, id)
  await tx
    .updateTable('sessions')
    .set((row) => ({ ...to, ...moved(row, now) }))
    .where('tenant', '=', asker.tenant)
    .where('id', '=', id)
    .execute()
  return { ...session, ...to }
}
