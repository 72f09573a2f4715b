/** The last record of a stream: which event it is, and a hash by which another machine knows that it has the same bytes. */
import { createHash } from 'node:crypto'
import type { Row } from '../database/tables.ts'
import type { Query } from '../database/port.ts'
import { bytesOf } from './content.ts'
import type { Stream } from './append-decision.ts'
import { partsAfter } from './lineage.ts'

export type LastRecord = {
  readonly lastEventId: string | null
  /** SHA-256 of its bytes; null in an empty stream. */
  readonly tailHash: string | null
}

type Stored = Pick<Row<'events'>, 'id' | 'line' | 'raw'>

/** One that is inherited, too. */
export async function lastRecord(
  query: Query,
  stream: Pick<Stream, 'tenant' | 'id' | 'lineage' | 'head'>,
): Promise<LastRecord> {
  const [holder] = partsAfter(stream, stream.head - 1)
  if (holder === undefined) return toldOf(undefined)
  const row = await query
    .selectFrom('events')
    .select(['id', 'line', 'raw'])
    .where('tenant', '=', stream.tenant)
    .where('stream', '=', holder[0])
    .where('seq', '=', stream.head)
    .executeTakeFirst()
  return toldOf(row)
}

export const toldOf = (row: Stored | undefined): LastRecord => ({
  lastEventId: row?.id ?? null,
  tailHash: row === undefined ? null : createHash('sha256').update(bytesOf(row)).digest('hex'),
})
