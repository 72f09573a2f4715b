/** Where events are in a stream, inherited ones too: by their ids, and the other way round. */
import type { Query } from '../database/port.ts'
import type { Stream } from './append-decision.ts'
import { ancestorsOf, partsAfter } from './lineage.ts'

const AT_ONCE = 500

/** The numbers of those that are there. */
export async function seqsOf(
  query: Query,
  stream: Stream,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const parts = new Map([...ancestorsOf(stream), [stream.id, Infinity] as const])
  const found = new Map<string, number>()
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const rows = await query
      .selectFrom('events')
      .select(['stream', 'id', 'seq'])
      .where('tenant', '=', stream.tenant)
      .where('stream', 'in', [...parts.keys()])
      .where('id', 'in', ids.slice(at, at + AT_ONCE))
      .execute()
    for (const { stream: part, id, seq } of rows)
      if (id !== null && seq <= (parts.get(part) ?? 0)) found.set(id, seq)
  }
  return found
}

/** Undefined when there is no such record, or it is no event. */
export async function idAt(query: Query, stream: Stream, seq: number): Promise<string | undefined> {
  const [holder] = partsAfter(stream, seq - 1)
  if (holder === undefined) return undefined
  const row = await query
    .selectFrom('events')
    .select('id')
    .where('tenant', '=', stream.tenant)
    .where('stream', '=', holder[0])
    .where('seq', '=', seq)
    .executeTakeFirst()
  return row?.id ?? undefined
}
