/**
 * Large contents, once a tenant by their hash: in pieces of a megabyte, or in an object store. The only way to one is a session that names
 * it: whether a hash is there otherwise is never told.
 */
import { createHash, randomUUID } from 'node:crypto'
import type { Database, Query } from '../database/port.ts'
import { ControlError } from '../control-error.ts'
import {
  DELETED,
  deletedMeanwhile,
  loosen,
  named,
  objectChunks,
  putLoose,
  type Objects,
} from './objects.ts'

export const CHUNK_BYTES = 1024 * 1024
export const MOST_BLOB_BYTES = 64 * CHUNK_BYTES
export const HASH = /^[0-9a-f]{64}$/

type BlobName = { readonly tenant: string; readonly session: string; readonly hash: string }

/** What is kept, and where: in the database, or beside it in an object store. */
export type Blobs = { readonly db: Database; readonly objects?: Objects | undefined }

/** The bytes are sent whole each time: that a tenant has them already must not shorten an upload. */
export async function putBlob(
  { db, objects }: Blobs,
  { tenant, session, hash }: BlobName,
  bytes: Uint8Array,
  now: number,
): Promise<void> {
  if (createHash('sha256').update(bytes).digest('hex') !== hash)
    throw new ControlError('invalid', 'The bytes are not those of the hash. Nothing was kept.')
  const object =
    objects === undefined
      ? null
      : await putLoose({ db, objects }, `${tenant}/${hash}/${randomUUID()}`, bytes, now)
  await db.transact(async (tx) => {
    const made = await tx
      .insertInto('blobs')
      .values({ tenant, hash, size: bytes.length, made: now, object })
      .onConflict((on) => on.doNothing())
      .returning('hash')
      .execute()
    if (made.length > 0) await (object === null ? putChunks(tx) : named(tx, object))
    await tx
      .insertInto('blob_names')
      .values({ tenant, session, hash })
      .onConflict((on) => on.doNothing())
      .execute()
  })

  async function putChunks(tx: Query): Promise<void> {
    for (let at = 0, part = 0; at < bytes.length; at += CHUNK_BYTES, part++)
      await tx
        .insertInto('chunks')
        .values({ tenant, hash, part, bytes: bytes.subarray(at, at + CHUNK_BYTES) })
        .execute()
  }
}

/** Undefined when the session does not name it. The caller has looked whether the session may be read. */
export async function blobSize(
  query: Query,
  { tenant, session, hash }: BlobName,
): Promise<number | undefined> {
  const row = await query
    .selectFrom('blob_names')
    .innerJoin('blobs', (join) =>
      join
        .onRef('blobs.tenant', '=', 'blob_names.tenant')
        .onRef('blobs.hash', '=', 'blob_names.hash'),
    )
    .select('blobs.size')
    .where('blob_names.tenant', '=', tenant)
    .where('blob_names.session', '=', session)
    .where('blob_names.hash', '=', hash)
    .executeTakeFirst()
  return row?.size
}

/** Piece by piece. */
export async function* blobChunks(
  { db: { query }, objects }: Blobs,
  { tenant, hash }: BlobName,
  size: number,
): AsyncGenerator<Uint8Array> {
  const blob = await query
    .selectFrom('blobs')
    .select('object')
    .where('tenant', '=', tenant)
    .where('hash', '=', hash)
    .executeTakeFirst()
  if (typeof blob?.object === 'string') return yield* objectChunks(objects, blob.object)
  for (let part = 0; part * CHUNK_BYTES < size; part++) {
    const row = await query
      .selectFrom('chunks')
      .select('bytes')
      .where('tenant', '=', tenant)
      .where('hash', '=', hash)
      .where('part', '=', part)
      .executeTakeFirst()
    if (row === undefined) throw deletedMeanwhile()
    yield row.bytes
  }
}

/** What a session named; contents that no other session names go with it. */
export async function forgetBlobs(
  query: Query,
  { tenant, session }: Pick<BlobName, 'tenant' | 'session'>,
): Promise<void> {
  const named = await query
    .deleteFrom('blob_names')
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .returning('hash')
    .execute()
  for (const { hash } of named) {
    const other = await query
      .selectFrom('blob_names')
      .select('session')
      .where('tenant', '=', tenant)
      .where('hash', '=', hash)
      .limit(1)
      .executeTakeFirst()
    if (other !== undefined) continue
    await query.deleteFrom('chunks').where('tenant', '=', tenant).where('hash', '=', hash).execute()
    const gone = await query
      .deleteFrom('blobs')
      .where('tenant', '=', tenant)
      .where('hash', '=', hash)
      .returning('object')
      .execute()
    await loosen(query, new Set(gone.flatMap(({ object }) => object ?? [])), DELETED)
  }
}
