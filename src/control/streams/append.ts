/**
 * Many appends, one transaction, one sync. Each is judged under the lock of its stream's row, one after the other, so
 * that numbers have no hole; an event that the stream has already, in its own part or in what it inherits, is not
 * written again. What was acknowledged is on the disk; what failed has changed nothing.
 */
import { defined } from '../../lib/defined.ts'
import { settleIn } from '../commands/commands.ts'
import type { Database, Tx } from '../database/port.ts'
import type { NewRow } from '../database/tables.ts'
import { storedOf, type Content } from './content.ts'
import { freshOf, otherEvent } from './fresh.ts'
import { judge, type AppendWish, type Stream, type Verdict } from './append-decision.ts'
import {
  keyOf,
  knownContents,
  knownIds,
  producersOf,
  type ProducerRow,
} from './append-preconditions.ts'

export type Append = Omit<AppendWish, 'count'> & {
  readonly records: readonly Content[]
  /** Besides those that the events themselves name. */
  readonly applied?: readonly Applied[]
  /** By which secrets were taken out before it was sent. */
  readonly policy?: string
  /** An event that is there already has to be the same, byte for byte. */
  readonly isExact?: boolean
}

/** A command, and the event that shows it. */
export type Applied = { readonly command: string; readonly event: string }

export type Appended = {
  readonly verdict: Verdict
  /** As it is after this append. */
  readonly stream?: Stream
  /** How many were not there before. */
  readonly written: number
  readonly bytes: number
}

export async function appendAll(
  db: Database,
  appends: readonly Append[],
  now: number,
): Promise<readonly Appended[]> {
  const results = await db.transact(async (tx) => {
    const streams = await lockStreams(db, tx, appends)
    const producers = await producersOf(tx, streams, appends)
    const known = await knownIds(tx, streams, appends)
    const contents = await knownContents(tx, streams, appends.some(isExact) ? known : NONE)
    const rows: NewRow<'events'>[] = []
    const said = new Map<string, ProducerRow>()
    const grown = new Map<string, Stream>()
    const policies: NewRow<'redactions'>[] = []
    const settled: (Applied & { readonly stream: Stream })[] = []
    const done = appends.map((wish): Appended => {
      const key = keyOf(wish)
      const stream = streams.get(key)
      const name = `${stream?.id} ${wish.producer?.id}`
      const verdict = judge(stream, producers.get(name), { ...wish, count: wish.records.length })
      if (stream === undefined || verdict.kind !== 'append')
        return { verdict, written: 0, bytes: 0, ...defined({ stream }) }
      const other = isExact(wish) ? otherEvent(stream, wish.records, known, contents) : undefined
      if (other !== undefined)
        return { verdict: { kind: 'other_event', id: other }, written: 0, bytes: 0, stream }
      const fresh = freshOf(stream, wish.records, known)
      for (const { id, bytes } of fresh)
        if (id !== undefined) contents.set(`${stream.id} ${id}`, bytes)
      fresh.forEach((record, at) =>
        rows.push({
          tenant: stream.tenant,
          stream: stream.id,
          seq: stream.head + 1 + at,
          ...storedOf(record),
        }),
      )
      for (const applied of appliedBy(wish)) settled.push({ ...applied, stream })
      const next = grownBy(stream, wish, fresh, now)
      const { tenant, id, head } = stream
      if (next.policy !== null && next.policy !== stream.policy)
        policies.push({ tenant, stream: id, seq: head + 1, policy: next.policy })
      streams.set(key, next)
      grown.set(key, next)
      if (wish.producer !== undefined) {
        const { id: producer, epoch, seq } = wish.producer
        const row = { tenant: stream.tenant, stream: stream.id, producer, epoch, seq }
        producers.set(name, row)
        said.set(name, row)
      }
      return { verdict, stream: next, written: fresh.length, bytes: next.bytes - stream.bytes }
    })
    await write(tx, rows, [...grown.values()], [...said.values()])
    if (policies.length > 0) await tx.insertInto('redactions').values(policies).execute()
    for (const { command: id, event, stream } of settled)
      await settleIn(
        tx,
        { tenant: stream.tenant, session: stream.session ?? '', id },
        { state: 'applied', event },
        now,
      )
    return done
  })
  return results
}

/** A command ends in the transaction that stores its event: nobody sees one without the other. */
const appliedBy = ({ records, applied = [] }: Append): readonly Applied[] => [
  ...applied,
  ...records.flatMap(({ id, command }) =>
    id === undefined || command === undefined ? [] : { command, event: id },
  ),
]

async function lockStreams(
  db: Database,
  tx: Tx,
  appends: readonly Append[],
): Promise<Map<string, Stream>> {
  const found = new Map<string, Stream>()
  for (const [tenant, own] of Map.groupBy(appends, (each) => each.tenant)) {
    const paths = [...new Set(own.map(({ path }) => path))]
    const rows = tx
      .selectFrom('streams')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('path', 'in', paths)
      // Always in one order: two nodes never wait for each other.
      .orderBy('id')
    for (const row of await db.locked(rows).execute()) found.set(keyOf(row), row)
  }
  return found
}

const AT_ONCE = 500

const NONE: ReadonlyMap<string, number> = new Map()
const isExact = (wish: Append): boolean => wish.isExact === true

function grownBy(stream: Stream, wish: Append, fresh: readonly Content[], now: number): Stream {
  const { producer, writerSeq, close } = wish
  return {
    ...stream,
    head: stream.head + fresh.length,
    bytes: stream.bytes + fresh.reduce((sum, { bytes }) => sum + bytes.length, 0),
    closed: close ? 1 : stream.closed,
    closed_by:
      close && producer ? `${producer.id} ${producer.epoch} ${producer.seq}` : stream.closed_by,
    writer_seq: writerSeq ?? stream.writer_seq,
    policy: (fresh.length > 0 ? wish.policy : undefined) ?? stream.policy,
    touched: now,
  }
}

async function write(
  tx: Tx,
  rows: readonly NewRow<'events'>[],
  grown: readonly Stream[],
  said: readonly ProducerRow[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += AT_ONCE)
    await tx
      .insertInto('events')
      .values(rows.slice(at, at + AT_ONCE))
      .execute()
  for (let at = 0; at < grown.length; at += AT_ONCE)
    await tx
      .insertInto('streams')
      .values(grown.slice(at, at + AT_ONCE))
      .onConflict((on) =>
        on.columns(['tenant', 'id']).doUpdateSet((row) => ({
          head: row.ref('excluded.head'),
          bytes: row.ref('excluded.bytes'),
          closed: row.ref('excluded.closed'),
          closed_by: row.ref('excluded.closed_by'),
          writer_seq: row.ref('excluded.writer_seq'),
          touched: row.ref('excluded.touched'),
          policy: row.ref('excluded.policy'),
        })),
      )
      .execute()
  if (said.length > 0)
    await tx
      .insertInto('producers')
      .values([...said])
      .onConflict((on) =>
        on.columns(['tenant', 'stream', 'producer']).doUpdateSet((row) => ({
          epoch: row.ref('excluded.epoch'),
          seq: row.ref('excluded.seq'),
        })),
      )
      .execute()
}
