/** The headers of a stream, and of where a reader of an old generation goes on. */
import { ControlError } from '../control-error.ts'
import type { Query } from '../database/port.ts'
import type { Stream } from '../streams/append-decision.ts'
import { commonHead } from '../streams/lineage.ts'
import { offsetOf } from '../../format/stream-offset.ts'
import { PREFIX } from './stream-access.ts'

type HeaderFields = Record<string, string>

/** `next`: where the reader is after this answer. Only at the end is it told that nothing will come. */
export function headersOf(stream: Stream, next: number): HeaderFields {
  return {
    'stream-next-offset': offsetOf(next),
    ...(stream.closed === 1 && next >= stream.head && { 'stream-closed': 'true' }),
  }
}

/** A rewound generation: which one goes on, and from where. */
type Successor = { readonly successor: string; readonly successorOffset: string }

export async function successorOf(query: Query, stream: Stream): Promise<Successor | undefined> {
  if (stream.successor === null) return undefined
  const next = await query
    .selectFrom('streams')
    .selectAll()
    .where('tenant', '=', stream.tenant)
    .where('path', '=', stream.successor)
    .executeTakeFirst()
  if (next === undefined) throw new ControlError('gone', 'This session was deleted.')
  return {
    successor: `${PREFIX}${next.path}`,
    successorOffset: offsetOf(commonHead(stream, next)),
  }
}

export const successorHeaders = (successor: Successor | undefined): HeaderFields =>
  successor === undefined
    ? {}
    : {
        'stream-successor': successor.successor,
        'stream-successor-offset': successor.successorOffset,
      }

const CURSOR_MS = 20_000
const CURSOR_EPOCH = Date.parse('2026-01-01T00:00:00Z')

/** Grows with time; a reader that has this one already gets a higher one, so that no cache answers it twice. */
export function cursorOf(now: number, given: string | null): string {
  const current = Math.floor((now - CURSOR_EPOCH) / CURSOR_MS)
  const had = given !== null && /^\d{1,15}$/.test(given) ? Number(given) : -1
  return String(had >= current ? had + 1 + Math.floor(Math.random() * 10) : current)
}
