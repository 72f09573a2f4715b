/**
 * What becomes of one append, decided without a database: by the head of its stream, by what its producer said last,
 * and by who has claimed the session. Both engines ask this, under the lock of the stream's row.
 */
import type { Row } from '../database/tables.ts'
import { sameType } from './content-type.ts'

export type Stream = Row<'streams'>

export type Producer = { readonly id: string; readonly epoch: number; readonly seq: number }

export type AppendWish = {
  readonly tenant: string
  readonly path: string
  readonly type?: string
  readonly count: number
  readonly producer?: Producer
  readonly writerSeq?: string
  readonly close: boolean
}

export type Verdict =
  /** `last` is the highest number that was accepted of the producer. */
  | { readonly kind: 'append' }
  | { readonly kind: 'duplicate'; readonly last: number }
  | { readonly kind: 'stale'; readonly epoch: number }
  | { readonly kind: 'bad_epoch' }
  | { readonly kind: 'gap'; readonly expected: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'other_type' }
  | { readonly kind: 'old_writer_seq' }
  /** An event of this id is there, and is not the same. */
  | { readonly kind: 'other_event'; readonly id: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'missing' }

export function judge(
  stream: Stream | undefined,
  known: { readonly epoch: number; readonly seq: number } | undefined,
  wish: AppendWish,
): Verdict {
  if (stream === undefined) return { kind: 'missing' }
  if (stream.gone === 1) return { kind: 'gone' }
  const said = wish.producer === undefined ? undefined : judgeProducer(known, wish.producer)
  if (said?.kind === 'duplicate') return said
  const claim = claimOf(stream, wish.producer)
  if (claim !== undefined) return claim
  if (said?.kind === 'stale') return said
  if (stream.closed === 1)
    return wish.count === 0 && wish.producer === undefined ? { kind: 'append' } : { kind: 'closed' }
  if (wish.count > 0 && !sameType(wish.type ?? '', stream.type)) return { kind: 'other_type' }
  if (said !== undefined && said.kind !== 'append') return said
  const { writerSeq } = wish
  if (writerSeq !== undefined && stream.writer_seq !== null && writerSeq <= stream.writer_seq)
    return { kind: 'old_writer_seq' }
  return { kind: 'append' }
}

/** Only the machine with the last claim appends to a session's stream, whatever its producer has said before. */
function claimOf({ epoch, holder }: Stream, producer: Producer | undefined): Verdict | undefined {
  if (epoch === null) return undefined
  if (producer !== undefined && producer.id === holder && producer.epoch === epoch) return undefined
  return { kind: 'stale', epoch }
}

function judgeProducer(
  known: { readonly epoch: number; readonly seq: number } | undefined,
  { epoch, seq }: Producer,
): Verdict {
  if (known === undefined || epoch > known.epoch) {
    if (seq === 0) return { kind: 'append' }
    return known === undefined ? { kind: 'gap', expected: 0 } : { kind: 'bad_epoch' }
  }
  if (epoch < known.epoch) return { kind: 'stale', epoch: known.epoch }
  if (seq <= known.seq) return { kind: 'duplicate', last: known.seq }
  return seq === known.seq + 1 ? { kind: 'append' } : { kind: 'gap', expected: known.seq + 1 }
}
