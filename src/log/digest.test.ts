/** Hashes of the stretches of a log: true over all that writers do, behind it after a crash, and never in the way. */
import assert from 'node:assert/strict'
import { appendFile, readFile, rm, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { converse, openHome, type Home } from '../../test/support/engine.ts'
import type { Engine } from '../engine/engine.ts'
import { asSessionId, type SessionId } from '../format/ids.ts'

test('format §8.26: undo, redo, fork and forget leave a log that is as it was written', async () => {
  await using home = await openHome()
  const { engine, id } = await talked(home)
  const session = await engine.open(id)
  await session.undo({ turns: 2 })
  await session.redo()
  await session.undo()
  await converse(engine, id, { prompt: 'a secret word' })
  const fork = asSessionId((await session.fork()).sessionId)
  await converse(engine, fork, { prompt: 'in the fork' })
  await engine.forget({ text: 'secret word' }, { dryRun: false })
  for (const each of [id, fork]) {
    await (await engine.open(each)).close()
    assert.deepEqual((await engine.doctor(each)).ailments, [])
    await change(home, each, (text) => text.replace('echo: one', 'echo: One'))
    assert.match(await told(engine, each), /damage: .*events\.jsonl is not as it was written/)
  }
})

test('an altered stretch is named by its bytes, and stays named when the session goes on', async () => {
  await using home = await openHome()
  const { engine, id } = await talked(home)
  await change(home, id, (text) => text.replace('echo: two', 'echo: Two'))
  const before = await told(engine, id)
  assert.match(before, /^damage: .* somewhere from byte [\d,]+ to [\d,]+\.$/)
  await converse(engine, id, { prompt: 'four' })
  await (await engine.open(id)).close()
  assert.equal(await told(engine, id), before)
})

test('what was written behind the digest, by a killed process or another program, is no damage', async () => {
  await using home = await openHome()
  const { engine, id } = await talked(home)
  const [last = ''] = (await readFile(logOf(home, id), 'utf8')).split('\n').slice(-2)
  const { id: parentId } = JSON.parse(last) as { id: string }
  const ids = { id: crypto.randomUUID(), timestamp: new Date().toISOString(), parentId }
  const event = { type: 'session.info', data: { infoType: 'x', message: 'by another' }, ...ids }
  await appendFile(logOf(home, id), `${JSON.stringify(event)}\n`)
  assert.equal(await told(engine, id), '')
  const digest = join(home.path, 'session-state', id, '.reprise/digest.jsonl')
  const text = await readFile(digest, 'utf8')
  // A power cut may leave an earlier end of it, half a line included.
  await writeFile(digest, text.slice(0, -30))
  assert.equal(await told(engine, id), '')
  await converse(engine, id, { prompt: 'four' })
  await (await engine.open(id)).close()
  assert.equal(await told(engine, id), '')
})

test('a log that lost its end says so; after it went on it is a note', async () => {
  await using home = await openHome()
  const { engine, id } = await talked(home)
  const lines = (await readFile(logOf(home, id), 'utf8')).split('\n')
  await truncate(logOf(home, id), Buffer.byteLength(lines.slice(0, -3).join('\n')) + 1)
  assert.match(await told(engine, id), /damage: .*or cut/)
  const other = home.engine()
  await converse(other, id, { prompt: 'four' })
  await (await other.open(id)).close()
  assert.match(await told(other, id), /^note: .* had lost [\d,]+ bytes when it was opened/)
})

test('a log of an earlier version is covered from its next opening on', async () => {
  await using home = await openHome()
  const { engine, id } = await talked(home)
  await rm(join(home.path, 'session-state', id, '.reprise/digest.jsonl'))
  const other = home.engine()
  await converse(other, id, { prompt: 'four' })
  await (await other.open(id)).close()
  await change(home, id, (text) => text.replace('echo: one', 'echo: One'))
  assert.equal(await told(engine, id), '')
  await change(home, id, (text) => text.replace('echo: four', 'echo: Four'))
  assert.match(await told(engine, id), /damage/)
})

async function talked(home: Home): Promise<{ engine: Engine; id: SessionId }> {
  const engine = home.engine()
  const { id } = await engine.create()
  for (const prompt of ['one', 'two', 'three']) await converse(engine, id, { prompt })
  await (await engine.open(id)).close()
  return { engine, id }
}

const logOf = (home: Home, id: SessionId) => join(home.path, 'session-state', id, 'events.jsonl')

async function change(home: Home, id: SessionId, by: (text: string) => string): Promise<void> {
  const text = await readFile(logOf(home, id), 'utf8')
  assert.notEqual(by(text), text)
  await writeFile(logOf(home, id), by(text))
}

/** Of the log alone: a snapshot that fits no more says it too. */
const told = async (engine: Engine, id: SessionId): Promise<string> =>
  (await engine.doctor(id)).ailments
    .filter(({ layer }) => layer === 'log')
    .map(({ severity, message }) => `${severity}: ${message}`)
    .join('\n')
