/**
 * What a database knows already of appends: what their producers have said, and which of their events are there. Each
 * is looked for in its own stream alone, so that five hundred appends cost five hundred looks into an index.
 */
import type { Tx } from '../database/port.ts'
import { sql } from 'kysely'
import type { NewRow } from '../database/tables.ts'
import { bytesOf } from './content.ts'
import type { Stream } from './append-decision.ts'
import { ancestorsOf } from './lineage.ts'

export type ProducerRow = NewRow<'producers'>

/** As much of an append as is looked for. */
type Looked = {
  readonly tenant: string
  readonly path: string
  readonly producer?: { readonly id: string } | undefined
  readonly records: readonly { readonly id?: string | undefined }[]
}

/** Rows of a statement. */
const AT_ONCE = 500

export const keyOf = ({ tenant, path }: { readonly tenant: string; readonly path: string }) =>
  `${tenant} ${path}`

export async function producersOf(
  tx: Tx,
  streams: ReadonlyMap<string, Stream>,
  appends: readonly Looked[],
): Promise<Map<string, ProducerRow>> {
  const wanted = appends.flatMap((each): Wanted[] => {
    const stream = streams.get(keyOf(each))
    return stream === undefined || each.producer === undefined
      ? []
      : [{ tenant: stream.tenant, stream: stream.id, name: each.producer.id }]
  })
  const found = new Map<string, ProducerRow>()
  for (const pairs of inParts(wanted)) {
    const { rows } = await sql<ProducerRow>`${wantedOf(pairs)}
      select producers.* from wanted inner join producers on producers.tenant = wanted.tenant
        and producers.stream = wanted.stream and producers.producer = wanted.name`.execute(tx)
    for (const row of rows) found.set(`${row.stream} ${row.producer}`, row)
  }
  return found
}

/** `stream id` of every event that is there already, with its number. */
export async function knownIds(
  tx: Tx,
  streams: ReadonlyMap<string, Stream>,
  appends: readonly Looked[],
): Promise<Map<string, number>> {
  const wanted = appends.flatMap((each) => {
    const stream = streams.get(keyOf(each))
    if (stream === undefined) return []
    const { tenant, id: own } = stream
    const holders = [own, ...ancestorsOf(stream).map(([id]) => id)]
    const ids = each.records.flatMap(({ id }) => id ?? [])
    return ids.flatMap((name) => holders.map((holder) => ({ tenant, stream: holder, name })))
  })
  const known = new Map<string, number>()
  for (const pairs of inParts(wanted)) {
    // One look into the index for each: a join may become a walk over all events.
    const { rows } = await sql<{ stream: string; name: string; seq: number | null }>`
      ${wantedOf(pairs)} select wanted.stream, wanted.name, (select events.seq from events
        where events.tenant = wanted.tenant and events.stream = wanted.stream
        and events.id = wanted.name) as seq from wanted`.execute(tx)
    for (const { stream, name, seq } of rows) if (seq !== null) known.set(`${stream} ${name}`, seq)
  }
  return known
}

/** What is kept of events that are there already, by `stream id`: the same id again must be the same event. */
export async function knownContents(
  tx: Tx,
  streams: ReadonlyMap<string, Stream>,
  known: ReadonlyMap<string, number>,
): Promise<Map<string, Uint8Array>> {
  const tenants = new Map([...streams.values()].flatMap((each) => holdersOf(each)))
  const wanted = [...known.keys()].flatMap((key): Wanted[] => {
    const [stream = '', name = ''] = splitOnce(key)
    const tenant = tenants.get(stream)
    return tenant === undefined ? [] : [{ tenant, stream, name }]
  })
  const contents = new Map<string, Uint8Array>()
  for (const pairs of inParts(wanted)) {
    const is = sql`events.tenant = wanted.tenant and events.stream = wanted.stream and events.id = wanted.name`
    const { rows } = await sql<Wanted & { line: string | null; raw: Uint8Array | null }>`
      ${wantedOf(pairs)} select wanted.stream, wanted.name, (select events.line from events where ${is}) as line,
        (select events.raw from events where ${is}) as raw from wanted`.execute(tx)
    for (const row of rows) contents.set(`${row.stream} ${row.name}`, bytesOf(row))
  }
  return contents
}

const holdersOf = (stream: Stream): [string, string][] =>
  [stream.id, ...ancestorsOf(stream).map(([id]) => id)].map((id) => [id, stream.tenant])

/** Ids of streams are without a blank, those of events may have one. */
function splitOnce(key: string): readonly string[] {
  const at = key.indexOf(' ')
  return [key.slice(0, at), key.slice(at + 1)]
}

/** What is looked for, each in its own stream: lists beside each other would be looked for in all of them. */
type Wanted = { readonly tenant: string; readonly stream: string; readonly name: string }

const wantedOf = (pairs: readonly Wanted[]) =>
  sql`with wanted(tenant, stream, name) as (values ${sql.join(
    pairs.map(({ tenant, stream, name }) => sql`(${tenant}, ${stream}, ${name})`),
  )})`

function* inParts(wanted: readonly Wanted[]): Generator<readonly Wanted[]> {
  for (let at = 0; at < wanted.length; at += AT_ONCE) yield wanted.slice(at, at + AT_ONCE)
}
