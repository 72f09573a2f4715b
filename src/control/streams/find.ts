/** Looks a stream up by its path. One whose time is over is deleted when it is next looked for. */
import type { Database, Query } from '../database/port.ts'
import type { Stream } from './append-decision.ts'
import { removeIn } from './remove.ts'

type StreamName = { readonly tenant: string; readonly path: string }

export async function findStream(
  db: Database,
  query: Query,
  { tenant, path }: StreamName,
  now: number,
): Promise<Stream | undefined> {
  const found = await query
    .selectFrom('streams')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('path', '=', path)
    .executeTakeFirst()
  if (found === undefined || found.gone === 1 || !isOver(found, now)) return found
  if (!query.isTransaction) {
    await db.transact((tx) => findStream(db, tx, { tenant, path }, now))
    return findStream(db, query, { tenant, path }, now)
  }
  return removeIn(query, found)
}

/** Under a lock until the transaction ends: nobody appends to it, forks or deletes it meanwhile. */
export const lockStream = (
  db: Database,
  tx: Query,
  { tenant, path }: StreamName,
): Promise<Stream | undefined> =>
  db
    .locked(
      tx.selectFrom('streams').selectAll().where('tenant', '=', tenant).where('path', '=', path),
    )
    .executeTakeFirst()

const isOver = ({ ttl, expires, touched }: Stream, now: number): boolean =>
  (expires !== null && expires <= now) || (ttl !== null && touched + ttl * 1000 <= now)

/** A stream with a time to live lives on while it is read; it is not written down for every read. */
export async function touch(db: Database, stream: Stream, now: number): Promise<void> {
  if (stream.ttl === null || now - stream.touched < 200) return
  await db.query
    .updateTable('streams')
    .set({ touched: now })
    .where('tenant', '=', stream.tenant)
    .where('id', '=', stream.id)
    .execute()
}
