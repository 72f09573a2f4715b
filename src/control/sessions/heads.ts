/** How far the logs of many sessions go, in one question. */
import type { Query } from '../database/port.ts'

type SessionHead = {
  readonly id: string
  readonly generation: number
  readonly events: number
  readonly isTrashed: boolean
  /** When it was begun here. */
  readonly made: number
  /** How often anything but its events was changed. */
  readonly rev: number
}

/** Of a person, also those in the trash. */
export async function headsOf(
  query: Query,
  { tenant, person }: { readonly tenant: string; readonly person: string },
): Promise<readonly SessionHead[]> {
  const found = await withStream(query, tenant)
    .where('sessions.person', '=', person)
    .select(['sessions.trashed', 'sessions.made', 'sessions.rev'])
    .execute()
  return found.map(({ id, generation, head, trashed, made, rev }) => ({
    id,
    generation: Number(generation),
    events: Number(head ?? 0),
    isTrashed: trashed !== null,
    made: Number(made),
    rev: Number(rev),
  }))
}

/** Of everything that a tenant has. */
export async function eventCounts(
  query: Query,
  tenant: string,
): Promise<ReadonlyMap<string, number>> {
  const found = await withStream(query, tenant).where('sessions.trashed', 'is', null).execute()
  return new Map(found.map(({ id, head }) => [id, Number(head ?? 0)]))
}

const withStream = (query: Query, tenant: string) =>
  query
    .selectFrom('sessions')
    .leftJoin('streams', (join) =>
      join
        .onRef('streams.tenant', '=', 'sessions.tenant')
        .onRef('streams.session', '=', 'sessions.id')
        .onRef('streams.generation', '=', 'sessions.generation')
        .on('streams.gone', '=', 0),
    )
    .where('sessions.tenant', '=', tenant)
    .select(['sessions.id', 'sessions.generation', 'streams.head'])
