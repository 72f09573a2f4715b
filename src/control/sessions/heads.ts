/** How far the logs of many sessions go, in one question. */
import type { Query } from '../database/port.ts'
import { lastRecord, toldOf, type LastRecord } from '../streams/last-record.ts'

type SessionHead = LastRecord & {
  readonly id: string
  readonly generation: number
  readonly events: number
  readonly isTrashed: boolean
  /** When it was begun here. */
  readonly made: number
  /** How often anything but its events was changed. */
  readonly rev: number
}

/** Of a person, also those in the trash; with `ids`, only these. */
export async function headsOf(
  query: Query,
  { tenant, person }: { readonly tenant: string; readonly person: string },
  ids?: readonly string[],
): Promise<readonly SessionHead[]> {
  const found = await withStream(query, tenant)
    .where('sessions.person', '=', person)
    .$if(ids !== undefined, (some) => some.where('sessions.id', 'in', ids ?? []))
    .leftJoin('events', (join) =>
      join
        .onRef('events.tenant', '=', 'streams.tenant')
        .onRef('events.stream', '=', 'streams.id')
        .onRef('events.seq', '=', 'streams.head'),
    )
    .select(['sessions.trashed', 'sessions.made', 'sessions.rev', 'streams.lineage'])
    .select(['streams.id as stream', 'events.id as last', 'events.line', 'events.raw'])
    .execute()
  return Promise.all(
    found.map(async ({ id, generation, head, trashed, made, rev, last, line, raw, ...at }) => {
      const { stream, lineage } = at
      // A generation that begins where an older one was cut, and has nothing of its own yet.
      const isInherited = line === null && raw === null && stream !== null && lineage !== null
      return {
        id,
        generation: Number(generation),
        events: Number(head ?? 0),
        isTrashed: trashed !== null,
        made: Number(made),
        rev: Number(rev),
        ...(isInherited
          ? await lastRecord(query, { tenant, id: stream, lineage, head: Number(head) })
          : toldOf(stream === null ? undefined : { id: last, line, raw })),
      }
    }),
  )
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
