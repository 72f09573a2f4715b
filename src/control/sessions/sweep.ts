/** What is too old goes to the trash, what lay there long enough is deleted for good. Any node may do it, at any time. */
import type { Database } from '../database/port.ts'
import { tenantsOf } from '../people/people.ts'
import { settingsIn } from '../people/tenant-settings.ts'
import { moved } from './moved.ts'
import { deleteIn } from './trash.ts'

const DAY_MS = 24 * 3600 * 1000
const AT_ONCE = 100

type Swept = { readonly trashed: number; readonly deleted: number }

export async function sweep(db: Database, now: number): Promise<Swept> {
  const total = { trashed: 0, deleted: 0 }
  for (const { id: tenant, settings } of await tenantsOf(db.query)) {
    const { keepDays, trashDays } = settingsIn(settings)
    if (keepDays !== undefined) {
      const { numUpdatedRows } = await db.query
        .updateTable('sessions')
        .set((row) => ({ trashed: now, ...moved(row, now) }))
        .where('tenant', '=', tenant)
        .where('trashed', 'is', null)
        .where('pinned', '=', 0)
        .where('changed', '<', now - keepDays * DAY_MS)
        .executeTakeFirst()
      total.trashed += Number(numUpdatedRows)
    }
    total.deleted += await empty(db, { tenant, before: now - trashDays * DAY_MS }, now)
  }
  return total
}

/** One transaction a session: nobody waits long for another. */
async function empty(
  db: Database,
  { tenant, before }: { readonly tenant: string; readonly before: number },
  now: number,
): Promise<number> {
  let deleted = 0
  for (;;) {
    const old = await db.query
      .selectFrom('sessions')
      .select('id')
      .where('tenant', '=', tenant)
      .where('trashed', '<=', before)
      .limit(AT_ONCE)
      .execute()
    if (old.length === 0) return deleted
    for (const { id } of old)
      await db.transact(async (tx) => {
        const row = await db
          .locked(
            tx
              .selectFrom('sessions')
              .selectAll()
              .where('tenant', '=', tenant)
              .where('id', '=', id)
              .where('trashed', '<=', before),
          )
          .executeTakeFirst()
        // Its person took it back in this moment, or another node was faster.
        if (row === undefined) return
        await deleteIn(tx, row, now)
        deleted += 1
      })
  }
}
