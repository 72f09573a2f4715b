import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { inSession } from '../format/paths.ts'
import { openMemory } from '../fs/memory.ts'
import { encodeText } from '../lib/bytes.ts'
import { leavingBlobs } from './upload-blobs.ts'

const DIR = 'session-state/one'
const sha = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const redactText = (text: string): string => text.replaceAll('hunter2', '[REDACTED]')

async function leaving(bytes: Uint8Array) {
  const fs = openMemory()
  const hash = sha(bytes)
  const path = inSession(DIR, 'blob', { sha256: hash })
  await fs.writeAtomic(path, bytes, { durable: false })
  const event = {
    type: 'tool.execution_complete',
    data: { content: `kept in blob ${hash}`, reprise: { blobs: [{ path, sha256: hash }] } },
  }
  const line = encodeText(JSON.stringify(event))
  return { hash, line, left: await leavingBlobs({ fs, redactText }, DIR, line, new Map()) }
}

test('a content without secrets leaves as it is, and so does the line', async () => {
  const bytes = encodeText('all is well')
  const { hash, line, left } = await leaving(bytes)
  assert.deepEqual(left, { line, blobs: [{ hash, bytes }] })
})

test('a secret is taken out, and the line names what is left by its own hash', async () => {
  const { hash, left } = await leaving(encodeText('password hunter2'))
  const clean = encodeText('password [REDACTED]')
  assert.deepEqual(left.blobs, [{ hash: sha(clean), bytes: clean }])
  const told = Buffer.from(left.line).toString()
  assert.ok(!told.includes(hash))
  assert.equal(told.split(sha(clean)).length, 4, 'text, path and hash')
})

test('what is no text leaves as it is; what is not there is left out', async () => {
  const bytes = new Uint8Array([0xff, 0xfe, 0x00])
  assert.deepEqual((await leaving(bytes)).left.blobs[0]?.bytes, bytes)
  const line = encodeText(
    JSON.stringify({ data: { reprise: { blobs: [{ sha256: 'a'.repeat(64) }] } } }),
  )
  const parts = { fs: openMemory(), redactText }
  assert.deepEqual(await leavingBlobs(parts, DIR, line, new Map()), { line, blobs: [] })
})

test('what the server was given is neither read nor sent again, and named as it is there', async () => {
  const { hash, line, left } = await leaving(encodeText('password hunter2'))
  const given = new Map([[hash, left.blobs[0]?.hash ?? '']])
  const again = await leavingBlobs({ fs: openMemory(), redactText }, DIR, line, given)
  assert.deepEqual(again, { line: left.line, blobs: [] })
})
