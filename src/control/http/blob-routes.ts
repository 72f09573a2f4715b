/** Contents by their hash, through the session that names them. */
import { blobChunks, blobSize, HASH, MOST_BLOB_BYTES, putBlob } from '../blobs/blobs.ts'
import { ControlError } from '../control-error.ts'
import type { Control } from '../control.ts'
import { requireScope } from '../people/require-scope.ts'
import type { Asker } from '../people/scopes.ts'
import { own, readable } from '../sessions/session.ts'

export async function putSessionBlob(
  control: Control,
  asker: Asker,
  { session, hash }: { readonly session: string; readonly hash: string },
  body: Uint8Array,
): Promise<Response> {
  requireScope(asker, 'export')
  if (!HASH.test(hash)) throw new ControlError('invalid', 'This is no SHA-256 hash.')
  if (body.length > MOST_BLOB_BYTES)
    throw new ControlError(
      'too_large',
      `A content has at most ${MOST_BLOB_BYTES} bytes. Nothing was kept.`,
    )
  await own(control.db.query, asker, session)
  await putBlob(control.db, { tenant: asker.tenant, session, hash }, body, control.now())
  return new Response(null, { status: 204 })
}

export async function getSessionBlob(
  { db }: Control,
  asker: Asker,
  { session, hash }: { readonly session: string; readonly hash: string },
): Promise<Response> {
  requireScope(asker, 'watch', 'export')
  await readable(db.query, asker, session)
  const name = { tenant: asker.tenant, session, hash }
  const size = await blobSize(db.query, name)
  if (size === undefined) throw new ControlError('not_found', 'This session names no such content.')
  return new Response(ReadableStream.from(blobChunks(db.query, name, size)), {
    headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
  })
}
