/**
 * Contents that lie in an object store, beside the database. An object is loose from before it is uploaded until a blob
 * names it, and again when its blob was deleted; what stays loose is taken away. So a crash at any point leaves neither
 * a blob without its bytes nor bytes that nobody knows of.
 */
import type { Database, Query } from '../database/port.ts'
import { ControlError } from '../control-error.ts'

/** An object store. A key is used once: an object is never written again. */
export interface Objects extends Disposable {
  /** When it resolves, the object is durable. */
  put(key: string, bytes: Uint8Array): Promise<void>
  /** Undefined when there is none. */
  get(key: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** No failure when there is none. */
  remove(key: string): Promise<void>
}

/** Longer than any upload takes. */
const LOOSE_MS = 3600 * 1000

/** Since when what was deleted is loose: it is taken away the next time. */
export const DELETED = 0

type Kept = { readonly db: Database; readonly objects: Objects }

export async function putLoose(
  { db, objects }: Kept,
  object: string,
  bytes: Uint8Array,
  now: number,
): Promise<string> {
  await loosen(db.query, new Set([object]), now)
  await objects.put(object, bytes)
  return object
}

export async function loosen(
  query: Query,
  objects: ReadonlySet<string>,
  since: number,
): Promise<void> {
  for (const object of objects)
    await query.insertInto('loose_objects').values({ object, since }).execute()
}

/** A blob names it from this transaction on. */
export async function named(tx: Query, object: string): Promise<void> {
  await tx.deleteFrom('loose_objects').where('object', '=', object).execute()
}

export async function* objectChunks(
  objects: Objects | undefined,
  key: string,
): AsyncGenerator<Uint8Array> {
  if (objects === undefined)
    throw new ControlError(
      'unavailable',
      'This content lies in an object store, and the server was started without --blobs.',
    )
  const chunks = await objects.get(key)
  if (chunks === undefined) throw deletedMeanwhile()
  yield* chunks
}

export const deletedMeanwhile = () =>
  new ControlError('gone', 'This content was deleted meanwhile.')

/** Every object that the database knows of. */
export async function objectsOf(query: Query): Promise<Set<string>> {
  const blobs = await query.selectFrom('blobs').select('object').execute()
  const loose = await query.selectFrom('loose_objects').select('object').execute()
  return new Set([...blobs, ...loose].flatMap(({ object }) => object ?? []))
}

/** Takes loose objects away. Any node may do it, at any time; what fails is tried the next time. */
export async function sweepObjects({ db, objects }: Kept, now: number): Promise<number> {
  const loose = await db.query
    .selectFrom('loose_objects')
    .select('object')
    .where('since', '<', now - LOOSE_MS)
    .execute()
  for (const { object } of loose) {
    await objects.remove(object)
    await named(db.query, object)
  }
  return loose.length
}
