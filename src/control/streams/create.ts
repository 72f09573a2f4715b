/** Makes a stream, empty, with a first content, or as a fork of another. The same wish twice changes nothing. */
import { randomBytes } from 'node:crypto'
import type { Database, Query, Tx } from '../database/port.ts'
import { bytesOf, storedOf, type Content } from './content.ts'
import { DEFAULT_TYPE, isJson, sameType } from './content-type.ts'
import { findStream, lockStream } from './find.ts'
import type { Stream } from './append-decision.ts'
import { lineageOfFork, partsAfter } from './lineage.ts'

type CreateWish = {
  readonly tenant: string
  readonly path: string
  readonly type?: string
  readonly ttl?: number
  readonly expires?: number
  readonly close: boolean
  readonly records: readonly Content[]
  readonly fork?: Fork
  /** Given for the stream of a session's generation. */
  readonly session?: Pick<Stream, 'session' | 'generation' | 'epoch' | 'holder'>
}

/** Without `head`, at its end. `part`: so much of the next record too, in bytes, or in values of JSON. */
export type Fork = { readonly path: string; readonly head?: number; readonly part: number }

export type Created =
  | { readonly kind: 'created' | 'exists'; readonly stream: Stream }
  | { readonly kind: 'conflict' | 'missing_source' | 'beyond' }

export const createStream = (db: Database, wish: CreateWish, now: number): Promise<Created> =>
  db.transact((tx) => createIn(db, tx, wish, now))

export async function createIn(
  db: Database,
  tx: Tx,
  wish: CreateWish,
  now: number,
): Promise<Created> {
  const there = await findStream(db, tx, wish, now)
  if (there !== undefined)
    return isSame(there, wish) ? { kind: 'exists', stream: there } : { kind: 'conflict' }
  const begun = wish.fork === undefined ? BARE : await forkOf(db, tx, wish, wish.fork, now)
  if ('kind' in begun) return begun
  const { prefix, ...inherited } = begun
  const records = [...prefix, ...wish.records]
  const stream: Stream = {
    ...EMPTY,
    tenant: wish.tenant,
    id: randomBytes(12).toString('base64url'),
    path: wish.path,
    ...inherited,
    type: wish.type ?? inherited.type,
    ttl: wish.ttl ?? (wish.expires === undefined ? inherited.ttl : null),
    expires: wish.expires ?? (wish.ttl === undefined ? inherited.expires : null),
    head: (inherited.source_head ?? 0) + records.length,
    bytes: records.reduce((sum, { bytes }) => sum + bytes.length, 0),
    closed: wish.close ? 1 : 0,
    touched: now,
    made: now,
    ...wish.session,
  }
  // Another node may have made it in this moment; then it is looked at as if it had been there before.
  const made = await tx
    .insertInto('streams')
    .values(stream)
    .onConflict((on) => on.doNothing())
    .returning('id')
    .execute()
  if (made.length === 0) return createIn(db, tx, wish, now)
  await insertAll(tx, stream, records)
  return { kind: 'created', stream }
}

const EMPTY = {
  closed_by: null,
  gone: 0,
  writer_seq: null,
  session: null,
  generation: null,
  epoch: null,
  holder: null,
  successor: null,
  policy: null,
}

const BARE = {
  type: DEFAULT_TYPE,
  ttl: null,
  expires: null,
  source: null,
  source_path: null,
  source_head: null,
  source_part: null,
  lineage: '[]',
  prefix: [] as readonly Content[],
}

type Begun = {
  readonly [K in keyof typeof BARE]: K extends 'prefix'
    ? readonly Content[]
    : Stream[K & keyof Stream]
}

async function forkOf(
  db: Database,
  tx: Tx,
  { tenant, type }: CreateWish,
  { path, head, part }: Fork,
  now: number,
): Promise<Begun | { readonly kind: 'missing_source' | 'conflict' | 'beyond' }> {
  const isThere = (await findStream(db, tx, { tenant, path }, now)) !== undefined
  const source = isThere ? await lockStream(db, tx, { tenant, path }) : undefined
  if (source === undefined) return { kind: 'missing_source' }
  if (source.gone === 1 || (type !== undefined && !sameType(type, source.type)))
    return { kind: 'conflict' }
  // Values of JSON are records of their own here: so many more of them are another place to cut.
  const cut = (head ?? source.head) + (isJson(source.type) ? part : 0)
  if (cut > source.head) return { kind: 'beyond' }
  const prefix = isJson(source.type) ? [] : await beginningOf(tx, source, cut, part)
  if (prefix === undefined) return { kind: 'beyond' }
  return {
    type: source.type,
    ttl: source.ttl,
    expires: source.expires,
    source: source.id,
    source_path: path,
    source_head: cut,
    source_part: part,
    lineage: lineageOfFork(source, cut),
    prefix,
  }
}

/** The first bytes of the record behind the cut, as a record of the fork's own. */
async function beginningOf(
  query: Query,
  source: Stream,
  cut: number,
  part: number,
): Promise<readonly Content[] | undefined> {
  if (part === 0) return []
  const [holder] = partsAfter(source, cut)
  const row =
    holder &&
    (await query
      .selectFrom('events')
      .select(['line', 'raw'])
      .where('tenant', '=', source.tenant)
      .where('stream', '=', holder[0])
      .where('seq', '=', cut + 1)
      .executeTakeFirst())
  const bytes = row && bytesOf(row)
  return bytes === undefined || part > bytes.length
    ? undefined
    : [{ bytes: bytes.subarray(0, part) }]
}

function isSame(there: Stream, { type, ttl, expires, close, fork }: CreateWish): boolean {
  if (there.gone === 1 || (there.closed === 1) !== close) return false
  if (fork === undefined)
    return (
      there.source === null &&
      sameType(there.type, type ?? DEFAULT_TYPE) &&
      there.ttl === (ttl ?? null) &&
      there.expires === (expires ?? null)
    )
  const cut = fork.head === undefined ? undefined : fork.head + (isJson(there.type) ? fork.part : 0)
  return (
    there.source_path === fork.path &&
    (cut === undefined || there.source_head === cut) &&
    there.source_part === fork.part &&
    (type === undefined || sameType(there.type, type)) &&
    (ttl === undefined || there.ttl === ttl) &&
    (expires === undefined || there.expires === expires)
  )
}

async function insertAll(tx: Tx, stream: Stream, records: readonly Content[]): Promise<void> {
  const { tenant, id, head } = stream
  const first = head - records.length + 1
  for (let at = 0; at < records.length; at += 500)
    await tx
      .insertInto('events')
      .values(
        records.slice(at, at + 500).map((record, place) => ({
          tenant,
          stream: id,
          seq: first + at + place,
          ...storedOf(record),
        })),
      )
      .execute()
}
