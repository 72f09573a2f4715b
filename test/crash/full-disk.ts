/** A turn on a disk that fills up in the middle of it, and is freed again. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createEngine } from '../../src/engine/engine.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { converse, promptsOf, say, scripted } from '../support/engine.ts'
import type { SmallDisk } from './small-disk.ts'
import { requireChain } from './survivors.ts'

/** `room` is what the disk has left when the answer comes. Gives how often the trouble was told. */
export async function fillDuringTurn(disk: SmallDisk, room: number): Promise<number> {
  const told: string[] = []
  const engine = createEngine({
    cwd: process.cwd(),
    fs: openDisk(join(disk.path, 'home')),
    agent: scripted(async function* (turn) {
      if (turn.message.content === 'fills the disk') await disk.leaveFree(room)
      for (let part = 0; part < 12; part += 1) yield say(`part ${part} ${'x'.repeat(4000)}`)
    }),
  })
  const { id } = await engine.create()
  const log = join(disk.path, 'home', 'session-state', id, 'events.jsonl')
  const watched = (async (): Promise<undefined> => {
    for await (const item of (await engine.open(id)).follow()) {
      if (item.kind !== 'notice' || item.notice.type !== 'session.error') continue
      told.push(item.notice.data.errorType)
      await requireWholeRecords(log)
      await disk.leaveFree(256 * 1024)
    }
  })()
  await converse(engine, id, { prompt: 'first' })
  const outcome = await Promise.race([converse(engine, id, { prompt: 'fills the disk' }), watched])
  assert.equal(outcome?.status, 'completed')
  await disk.leaveFree(256 * 1024)
  await converse(engine, id, { prompt: 'last' })
  assert.deepEqual(await promptsOf(engine, id), ['first', 'fills the disk', 'last'])
  await requireChain(engine, id)
  const answers = (await (await engine.open(id)).events()).events.filter(
    ({ type }) => type === 'assistant.message',
  )
  assert.equal(answers.length, 3 * 12)
  assert.deepEqual(new Set(told), new Set(told.length > 0 ? ['persistence'] : []))
  await engine.stop()
  return told.length
}

/** A failed write is cut back before anybody hears of it. */
async function requireWholeRecords(log: string): Promise<void> {
  const text = await readFile(log, 'utf8')
  assert.ok(text.endsWith('\n'), 'half a record is left in the log')
  for (const line of text.trimEnd().split('\n')) JSON.parse(line)
}
