/** Contents in an object store beside the database: nothing without its bytes, no bytes that nobody knows of. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { globSync } from 'node:fs'
import { describe, test } from 'node:test'
import { blobChunks, blobSize, putBlob } from '../../src/control/blobs/blobs.ts'
import { sweepObjects, type Objects } from '../../src/control/blobs/objects.ts'
import { openS3 } from '../../src/control/blobs/s3.ts'
import { backUp, restore } from '../../src/control/database/backup.ts'
import type { Database } from '../../src/control/database/port.ts'
import { beginSession } from '../../src/control/sessions/begin.ts'
import { deleteSession } from '../../src/control/sessions/trash.ts'
import { asker } from './asker.ts'
import { BUCKET, startS3, type S3 } from './s3.ts'

const NOW = Date.parse('2030-01-01T00:00:00Z')
const LATER = NOW + 2 * 3600 * 1000
const tenant = 'main'
const content = Buffer.alloc(3 * 1024 * 1024 + 17, 'large ')
const hash = createHash('sha256').update(content).digest('hex')
const at = (session: string) => ({ tenant, session, hash })

async function opened(s3: S3): Promise<Objects> {
  Object.assign(process.env, s3.env)
  return openS3(`s3://${BUCKET}/under`, process.env)
}

const inBucket = ({ folder }: S3) => globSync('**/*_object', { cwd: folder }).length

export function describeObjects(name: string, open: () => Promise<Database>): void {
  describe(`${name}, contents in an object store`, () => {
    test('are read back whole, lie there once, and go with the last session that names them', async () => {
      await using s3 = await startS3()
      await using db = await open()
      using objects = await opened(s3)
      const ann = asker('ann')
      for (const id of ['one', 'two']) {
        await beginSession(db, ann, { id }, NOW)
        await putBlob({ db, objects }, at(id), content, NOW)
      }
      assert.deepEqual(await db.query.selectFrom('chunks').select('part').execute(), [])
      const size = (await blobSize(db.query, at('two'))) ?? 0
      const parts = await Array.fromAsync(blobChunks({ db, objects }, at('two'), size))
      assert.ok(Buffer.concat(parts).equals(content))
      await assert.rejects(Array.fromAsync(blobChunks({ db }, at('two'), size)), {
        code: 'unavailable',
      })
      assert.equal(await sweepObjects({ db, objects }, LATER), 1)
      assert.equal(inBucket(s3), 1)
      await deleteSession(db, ann, 'one', NOW)
      assert.equal(await sweepObjects({ db, objects }, NOW), 0)
      await deleteSession(db, ann, 'two', NOW)
      assert.equal(await sweepObjects({ db, objects }, NOW), 1)
      assert.equal(inBucket(s3), 0)
    })

    test('a store that is away is told in words, before anything is promised', async () => {
      const s3 = await startS3()
      using objects = await opened(s3)
      await s3[Symbol.asyncDispose]()
      const asked = [() => objects.get('x'), () => objects.put('x', content)]
      for (const ask of asked)
        await assert.rejects(ask, { code: 'unavailable', message: /^The object store/ })
    })

    test('an upload that ended half-way is named by nothing, and taken away later', async () => {
      await using s3 = await startS3()
      await using db = await open()
      using objects = await opened(s3)
      const dying: Objects = {
        ...objects,
        async put(key, bytes) {
          await objects.put(key, bytes)
          throw new Error('The node died here.')
        },
      }
      await assert.rejects(putBlob({ db, objects: dying }, at('one'), content, NOW))
      assert.equal(await blobSize(db.query, at('one')), undefined)
      assert.equal(await sweepObjects({ db, objects }, NOW), 0)
      assert.equal(inBucket(s3), 1)
      assert.equal(await sweepObjects({ db, objects }, LATER), 1)
      assert.equal(inBucket(s3), 0)
    })

    test('a backup that is restored names what lies there; what came after it is taken away', async () => {
      await using s3 = await startS3()
      await using db = await open()
      using objects = await opened(s3)
      await putBlob({ db, objects }, at('one'), content, NOW)
      const lines: string[] = []
      await backUp(db, async (line) => void lines.push(line))
      const other = Buffer.from('came later')
      const later = { ...at('two'), hash: createHash('sha256').update(other).digest('hex') }
      await putBlob({ db, objects }, later, other, NOW)
      await restore(
        db,
        (async function* () {
          yield* lines
        })(),
        { replace: true, now: NOW },
      )
      assert.equal(await sweepObjects({ db, objects }, LATER), 1)
      const parts = await Array.fromAsync(blobChunks({ db, objects }, at('one'), content.length))
      assert.ok(Buffer.concat(parts).equals(content))
      assert.equal(inBucket(s3), 1)
    })

    test('a bucket that is not there is told at the start', async () => {
      await using s3 = await startS3()
      Object.assign(process.env, s3.env)
      await assert.rejects(openS3('s3://nowhere', process.env), {
        code: 'unavailable',
        message: /there is no bucket of that name/,
      })
      await assert.rejects(openS3('http://nowhere', process.env), { code: 'invalid' })
    })
  })
}
