/** Contents by their hash, through the session that names them. */
import { blobChunks, blobSize, HASH, MOST_BLOB_BYTES, putBlob } from '../blobs/blobs.ts'
import { ControlError } from '../control-error.ts'
import { own, readable } from '../sessions/stored-session.ts'
import { route } from './route.ts'

export const blobRoutes = [
  route({
    method: 'PUT',
    path: '/api/sessions/:id/blobs/:hash',
    summary: 'Keeps a content that the session names, by its SHA-256',
    scopes: ['export'],
    mostBytes: MOST_BLOB_BYTES,
    async run({ db, objects, now }, { asker, params: { id: session = '', hash = '' }, bytes }) {
      if (!HASH.test(hash)) throw new ControlError('invalid', 'This is no SHA-256 hash.')
      await own(db.query, asker, session)
      await putBlob({ db, objects }, { tenant: asker.tenant, session, hash }, bytes, now())
      return new Response(null, { status: 204 })
    },
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/blobs/:hash',
    summary: 'Gives a content that the session names',
    scopes: ['watch', 'export'],
    answers: 'application/octet-stream',
    async run({ db, objects }, { asker, params: { id: session = '', hash = '' } }) {
      await readable(db.query, asker, session)
      const name = { tenant: asker.tenant, session, hash }
      const size = await blobSize(db.query, name)
      if (size === undefined)
        throw new ControlError('not_found', 'This session names no such content.')
      const chunks = blobChunks({ db, objects }, name, size)[Symbol.asyncIterator]()
      // Before it is said that it comes: the store of its bytes may be away.
      const first = await chunks.next()
      return new Response(ReadableStream.from(begunWith(first, chunks)), {
        headers: { 'content-type': 'application/octet-stream', 'content-length': String(size) },
      })
    },
  }),
]

async function* begunWith<T>(
  first: IteratorResult<T, unknown>,
  rest: AsyncIterator<T, unknown>,
): AsyncGenerator<T> {
  for (let next = first; next.done !== true; next = await rest.next()) yield next.value
}
