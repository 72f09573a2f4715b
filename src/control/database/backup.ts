/**
 * Everything that a database holds, as lines of JSON, the same for both engines: a backup of one is restored into the
 * other. It is one moment of the database, taken while nodes go on. What was deleted since is forgotten again when an
 * older backup is restored: of that a list is kept, without content.
 */
import type { Transaction } from 'kysely'
import { loosen, objectsOf } from '../blobs/objects.ts'
import { ControlError } from '../control-error.ts'
import { deleteIn } from '../sessions/trash.ts'
import type { Database, Query } from './port.ts'
import type { Tables } from './tables.ts'

/** Every table, and the columns that tell its rows apart. */
const keys: { readonly [T in keyof Tables]: readonly (keyof Tables[T] & string)[] } = {
  tenants: ['id'],
  people: ['tenant', 'id'],
  tokens: ['tenant', 'id'],
  logins: ['hash'],
  identities: ['tenant', 'issuer', 'subject'],
  audit: ['tenant', 'at', 'id'],
  sessions: ['tenant', 'id'],
  grants: ['tenant', 'session', 'person'],
  streams: ['tenant', 'id'],
  events: ['tenant', 'stream', 'seq'],
  producers: ['tenant', 'stream', 'producer'],
  redactions: ['tenant', 'stream', 'seq'],
  commands: ['tenant', 'session', 'id'],
  tasks: ['tenant', 'id'],
  workers: ['tenant', 'id'],
  blobs: ['tenant', 'hash'],
  chunks: ['tenant', 'hash', 'part'],
  blob_names: ['tenant', 'session', 'hash'],
  loose_objects: ['object'],
  deletions: ['tenant', 'session'],
  usage: ['tenant', 'day'],
}
const TABLES = Object.keys(keys) as (keyof Tables)[]
const HEAD = { reprise: 'control backup', version: 1 }
const PAGE = 200

type AnyRow = Record<string, unknown>

/** Lines without their ends. */
export const backUp = (db: Database, write: (line: string) => Promise<void>): Promise<number> =>
  db.snapshot(async (query) => {
    await write(JSON.stringify(HEAD))
    let rows = 0
    for (const table of TABLES)
      for await (const row of rowsOf(query, table)) {
        await write(JSON.stringify([table, packed(row)]))
        rows += 1
      }
    return rows
  })

async function* rowsOf(query: Query, table: keyof Tables): AsyncGenerator<AnyRow> {
  const columns = keys[table] as readonly never[]
  for (let last: AnyRow | undefined; ;) {
    let select = query.selectFrom(table).selectAll().limit(PAGE)
    for (const column of columns) select = select.orderBy(column)
    const from = last
    if (from !== undefined)
      select = select.where((is) =>
        is(
          is.refTuple(...(columns as unknown as [never, never])),
          '>',
          is.tuple(...(columns.map((column) => from[column]) as [never, never])),
        ),
      )
    const page = (await select.execute()) as AnyRow[]
    yield* page
    last = page.at(-1)
    if (page.length < PAGE) return
  }
}

const packed = (row: AnyRow): AnyRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof Uint8Array ? { base64: Buffer.from(value).toString('base64') } : value,
    ]),
  )

const unpacked = (row: AnyRow): AnyRow =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null && 'base64' in value
        ? Buffer.from(String(value.base64), 'base64')
        : value,
    ]),
  )

type Restored = { readonly rows: number; readonly forgotten: number }

/** All or nothing. A database that has sessions is only replaced when that is said. */
export const restore = (
  db: Database,
  lines: AsyncIterable<string>,
  { replace, now }: { readonly replace: boolean; readonly now: number },
): Promise<Restored> =>
  db.transact(async (tx) => {
    const deleted = await tx.selectFrom('deletions').selectAll().execute()
    const there = await tx.selectFrom('sessions').select('id').limit(1).execute()
    if (there.length > 0 && !replace)
      throw new ControlError(
        'conflict',
        'This database has sessions. Nothing was changed; --replace puts the backup in their place.',
      )
    const objects = await objectsOf(tx)
    for (const table of TABLES) await tx.deleteFrom(table).execute()
    const rows = await insertAll(tx, lines)
    await loosen(tx, objects.difference(await objectsOf(tx)), now)
    const all = [...deleted, ...(await tx.selectFrom('deletions').selectAll().execute())]
    let forgotten = 0
    for (const { tenant, session: id, person, at } of all) {
      const session = await tx
        .selectFrom('sessions')
        .select('id')
        .where('tenant', '=', tenant)
        .where('id', '=', id)
        .executeTakeFirst()
      if (session !== undefined) forgotten += 1
      await deleteIn(tx, { tenant, id, person }, at)
    }
    await tx.updateTable('sessions').set({ moved: now }).execute()
    return { rows, forgotten }
  })

function valueIn(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (cause) {
    throw damaged(cause)
  }
}

function rowIn(value: unknown): readonly [table: keyof Tables, row: AnyRow] {
  const [name, row] = Array.isArray(value) ? (value as unknown[]) : []
  if (typeof name !== 'string' || typeof row !== 'object' || row === null) throw damaged()
  const table = TABLES.find((each) => each === name)
  if (table === undefined)
    throw new ControlError('invalid', 'The backup is of a later version. Nothing was changed.')
  return [table, row as AnyRow]
}

const damaged = (cause?: unknown): ControlError =>
  new ControlError('invalid', 'This backup is damaged. Nothing was changed.', { cause })

async function insertAll(tx: Transaction<Tables>, lines: AsyncIterable<string>): Promise<number> {
  let count = 0
  let isFirst = true
  let waiting: { table: keyof Tables; rows: AnyRow[] } | undefined
  const flush = async () => {
    if (waiting !== undefined)
      await tx
        .insertInto(waiting.table)
        .values(waiting.rows as never)
        .execute()
    waiting = undefined
  }
  for await (const line of lines) {
    const value = valueIn(line)
    if (isFirst && JSON.stringify(value) !== JSON.stringify(HEAD))
      throw new ControlError(
        'invalid',
        'This is no backup of Mission Control. Nothing was changed.',
      )
    if (!isFirst) {
      const [table, row] = rowIn(value)
      if (waiting?.table !== table || waiting.rows.length >= PAGE) await flush()
      waiting ??= { table, rows: [] }
      waiting.rows.push(unpacked(row))
      count += 1
    }
    isFirst = false
  }
  await flush()
  return count
}
