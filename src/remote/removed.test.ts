/** What was removed from Mission Control, while somebody may still bring it back. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asSessionId } from '../format/ids.ts'
import { inHome } from '../format/paths.ts'
import { openMemory } from '../fs/memory.ts'
import type { ServerHead } from './server-heads.ts'
import { isLookDue, LOOK_MS, noteRemoved, removedAgain } from './removed.ts'

const DAY_MS = 24 * 3600 * 1000
const [one, two, other] = [asSessionId('one'), asSessionId('two'), asSessionId('other')]
const url = 'http://control.example'
const note = { server: url, forGood: true, at: 1000 }

test('the server is asked about what was removed there alone, and notes are cleared after a year', async () => {
  const fs = openMemory()
  await noteRemoved(fs, one, note)
  await noteRemoved(fs, two, note)
  await noteRemoved(fs, other, { ...note, server: 'http://elsewhere.example' })
  const asked: (readonly string[] | undefined)[] = []
  const head = { generation: 0, events: 3, isTrashed: false, rev: 0 }
  const server = {
    url,
    async heads(ids?: readonly string[]): Promise<readonly ServerHead[]> {
      asked.push(ids?.toSorted())
      return [
        { ...head, id: 'one', made: 500 },
        { ...head, id: 'two', made: 2000 },
        { ...head, id: 'other', made: 500 },
      ]
    },
  }
  const again = await removedAgain({ fs, now: Date.now }, server)
  assert.deepEqual([...again], [['one', { forGood: true }]])
  assert.deepEqual(asked, [['one', 'other', 'two']])
  const nextYear = () => Date.now() + 400 * DAY_MS
  assert.equal((await removedAgain({ fs, now: nextYear }, server)).size, 0)
  assert.equal(asked.length, 1, 'nothing is left to ask about')
  assert.equal(await fs.stat(inHome('remoteRemoved', { id: one })), undefined)
})

test('one process of a home looks, once an hour, where anything was removed', async () => {
  const fs = openMemory()
  const now = Date.now()
  assert.equal(await isLookDue(fs, now), false)
  await noteRemoved(fs, one, note)
  assert.equal(await isLookDue(fs, now), true)
  assert.equal(await isLookDue(fs, now), false)
  assert.equal(await isLookDue(fs, now + LOOK_MS + 5000), true)
})
