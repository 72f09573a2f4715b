/** Reads the records after a number, a page at a time: what a stream inherits first, then its own. */
import type { Query } from '../database/port.ts'
import { bytesOf } from './content.ts'
import type { Stream } from './append-decision.ts'
import { partsAfter } from './lineage.ts'

export type Page = {
  readonly records: readonly StreamRecord[]
  /** The number of the last record of the page, or where the reader was. */
  readonly next: number
  /** Nothing came after it when it was read. */
  readonly isEnd: boolean
}

export type StreamRecord = {
  readonly seq: number
  readonly id: string | null
  readonly type: string | null
  readonly bytes: Uint8Array
}

const PAGE_BYTES = 1024 * 1024
const PAGE_ROWS = 200

export async function readPage(query: Query, stream: Stream, after: number): Promise<Page> {
  const records: StreamRecord[] = []
  let next = Math.min(after, stream.head)
  let size = 0
  for (const [holder, last] of partsAfter(stream, next)) {
    while (next < last && size < PAGE_BYTES) {
      const rows = await query
        .selectFrom('events')
        .select(['seq', 'id', 'type', 'line', 'raw'])
        .where('tenant', '=', stream.tenant)
        .where('stream', '=', holder)
        .where('seq', '>', next)
        .where('seq', '<=', last)
        .orderBy('seq')
        .limit(PAGE_ROWS)
        .execute()
      for (const { seq, id, type, ...content } of rows) {
        if (size >= PAGE_BYTES) break
        const bytes = bytesOf(content)
        records.push({ seq, id, type, bytes })
        size += bytes.length
        next = seq
      }
      // A stream that was deleted meanwhile has no rows left.
      if (rows.length === 0) return { records, next, isEnd: true }
    }
  }
  return { records, next, isEnd: next >= stream.head }
}
