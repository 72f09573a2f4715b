/**
 * Deletes a stream. While a fork still reads it, only its name is gone: its records stay until the last fork is
 * deleted, and then go by themselves.
 */
import type { Query } from '../database/port.ts'
import type { Stream } from './append-decision.ts'

/** The caller has it locked. What is left of it under its name: nothing, or a stream that is gone. */
export async function removeIn(query: Query, stream: Stream): Promise<Stream | undefined> {
  if (await hasForks(query, stream)) {
    await query
      .updateTable('streams')
      .set({ gone: 1 })
      .where('tenant', '=', stream.tenant)
      .where('id', '=', stream.id)
      .execute()
    return { ...stream, gone: 1 }
  }
  await forget(query, stream)
  const source =
    stream.source === null ? undefined : await byId(query, stream.tenant, stream.source)
  if (source?.gone === 1) await removeIn(query, source)
  return undefined
}

const byId = (query: Query, tenant: string, id: string): Promise<Stream | undefined> =>
  query
    .selectFrom('streams')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst()

async function hasForks(query: Query, { tenant, id }: Stream): Promise<boolean> {
  const fork = await query
    .selectFrom('streams')
    .select('id')
    .where('tenant', '=', tenant)
    .where('source', '=', id)
    .limit(1)
    .executeTakeFirst()
  return fork !== undefined
}

async function forget(query: Query, { tenant, id }: Stream): Promise<void> {
  for (const table of ['events', 'producers', 'redactions'] as const)
    await query.deleteFrom(table).where('tenant', '=', tenant).where('stream', '=', id).execute()
  await query.deleteFrom('streams').where('tenant', '=', tenant).where('id', '=', id).execute()
}
