import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionFs } from '../fs/session-fs.ts'
import { DIR, LOG, atEveryStep } from '../../test/support/sample-log.ts'
import {
  clearStaged,
  replaceFiles,
  stagedPath,
  unfinishedForget,
  settleForget,
} from './forget-intent.ts'

const PLAN = `${DIR}/plan.md`
const GONE = `${DIR}/.reprise/snapshot.json`
const files = [LOG, PLAN, GONE]
const durable = { durable: true }
const text = async (fs: SessionFs, path: string): Promise<string | undefined> => {
  const bytes = await fs.read(path)
  return bytes && Buffer.from(bytes).toString()
}
const write = (fs: SessionFs, path: string, content: string) =>
  fs.writeAtomic(path, Buffer.from(content), durable)

test('killed at any step, all files are those with the text or all those without it, once it is settled', async () => {
  const seen = new Set<string>()
  const steps = await atEveryStep({
    prepare: async (fs) => {
      for (const path of files) await write(fs, path, 'secret\n')
    },
    work: async (fs) => {
      await clearStaged(fs, DIR)
      await write(fs, stagedPath(DIR, 0), 'xxxxxx\n')
      await write(fs, stagedPath(DIR, 1), 'xxxxxx\n')
      await replaceFiles(fs, DIR, {
        moves: [
          { n: 0, to: 'events.jsonl' },
          { n: 1, to: 'plan.md' },
        ],
        removes: ['.reprise/snapshot.json'],
        logSize: 7,
      })
      return true
    },
    check: async (fs, done, place) => {
      await settleForget(fs, DIR)
      const found = await Promise.all(files.map((path) => text(fs, path)))
      const isDone = found[0] === 'xxxxxx\n'
      assert.deepEqual(
        found,
        isDone ? ['xxxxxx\n', 'xxxxxx\n', undefined] : ['secret\n', 'secret\n', 'secret\n'],
        place,
      )
      if (done === true) assert.ok(isDone, place)
      seen.add(String(isDone))
      // What was staged and never meant waits for the doctor; it stands in nobody's way.
      assert.notEqual(await unfinishedForget(fs, DIR), 'begun', place)
      await clearStaged(fs, DIR)
      assert.equal(await unfinishedForget(fs, DIR), undefined, place)
    },
  })
  assert.ok(steps >= 8, `${steps} steps`)
  assert.equal(seen.size, 2)
})
