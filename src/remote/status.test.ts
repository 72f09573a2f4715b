import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asSessionId } from '../format/ids.ts'
import { inHome, logPath, sessionDir } from '../format/paths.ts'
import { openMemory } from '../fs/memory.ts'
import { encodeText } from '../lib/bytes.ts'
import { writeLink } from './link.ts'
import { lastStatus } from './status.ts'

test('a process that has sent nothing yet says how the copy was left', async () => {
  const fs = openMemory()
  const id = asSessionId('00000000-0000-4000-8000-000000000001')
  const dir = sessionDir(id)
  assert.equal(await lastStatus(fs, id), undefined)
  await fs.writeAtomic(inHome('remoteDue', { id }), new Uint8Array(), { durable: false })
  assert.equal((await lastStatus(fs, id))?.state, 'error', 'none of it was taken there')
  const head = { generation: 0, events: 1, lastEventId: 'e' }
  const copy = { head, logSize: 4, left: [] }
  await writeLink(fs, dir, { version: 1, server: 'http://there', copy })
  await fs.writeAtomic(logPath(dir), encodeText('one\n'), { durable: false })
  assert.equal((await lastStatus(fs, id))?.state, 'active')
  await fs.writeAtomic(logPath(dir), encodeText('one\ntwo\n'), { durable: false })
  assert.equal((await lastStatus(fs, id))?.state, 'error')
})
