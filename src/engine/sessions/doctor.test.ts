import assert from 'node:assert/strict'
import { appendFile, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { converse, openHome, promptsOf, type Home } from '../../../test/support/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import { sha256Hex, withChecksum } from '../../lib/checksum.ts'
import type { Engine } from '../engine.ts'

test('a sound session is healthy', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one'])
  const { healthy, ailments, log } = await engine.doctor(id)
  assert.deepEqual(
    { healthy, ailments, findings: log.findings },
    { healthy: true, ailments: [], findings: [] },
  )
})

test('looking changes nothing', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one'])
  await appendFile(logPath(home, id), 'garbage\n{"type":"user.mess')
  const before = await readdir(folder(home, id), { recursive: true })
  const bytes = await readFile(logPath(home, id))
  await engine.doctor(id)
  assert.deepEqual(await readdir(folder(home, id), { recursive: true }), before)
  assert.deepEqual(await readFile(logPath(home, id)), bytes)
})

test('damage is named with its bytes, mended, and kept; the rest of the history lives', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one', 'two'])
  const lines = (await readFile(logPath(home, id), 'utf8')).split('\n')
  const garbage = '\u0000\u0000not json at all'
  lines.splice(4, 0, garbage)
  await writeFile(logPath(home, id), lines.join('\n'))
  const sick = await engine.doctor(id)
  assert.equal(sick.healthy, false)
  const damage = sick.ailments.filter(({ severity }) => severity === 'damage')
  assert.ok(damage.length > 0)
  for (const { remedy } of damage) assert.match(remedy ?? '', /doctor .* --repair/)
  const mended = await engine.mend(id)
  assert.equal(mended.after.healthy, true)
  assert.deepEqual(await promptsOf(engine, id), ['one', 'two'])
  const pieces = mended.log.lost.map(({ keptAs }) =>
    readFile(join(folder(home, id), keptAs), 'utf8'),
  )
  assert.equal((await Promise.all(pieces)).join('').trimEnd(), garbage)
  assert.equal((await engine.mend(id)).log.changed, false)
})

test('a lost session.start is rebuilt and the session goes on', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one'])
  const lines = (await readFile(logPath(home, id), 'utf8')).split('\n')
  await writeFile(logPath(home, id), lines.slice(1).join('\n'))
  await rm(join(folder(home, id), '.reprise'), { recursive: true })
  assert.equal((await engine.mend(id)).log.startRebuilt, true)
  await converse(engine, id, { prompt: 'two' })
  assert.deepEqual(await promptsOf(engine, id), ['one', 'two'])
  assert.equal((await engine.doctor(id)).healthy, true)
})

test('a snapshot from which nothing can be folded is passed over, whatever its hash', async () => {
  await using home = await openHome()
  const id = await talk(home.engine(), ['one', 'two'])
  const path = join(folder(home, id), '.reprise/snapshot.json')
  const { state, checksum: _, ...head } = JSON.parse(await readFile(path, 'utf8')) as Snapshot
  const other = { ...state, points: null }
  const hashed = withChecksum({ ...head, stateHash: sha256Hex(JSON.stringify(other)) })
  await writeFile(path, JSON.stringify({ ...hashed, state: other }))
  assert.deepEqual(await promptsOf(home.engine(), id), ['one', 'two'])
})

test('checkpoint files that do not match the log are named and brought in line', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const id = await talk(engine, ['one'])
  await (await engine.open(id)).resume()
  await (await engine.open(id)).compact()
  await (await engine.open(id)).close()
  const text = await (await engine.open(id)).readCheckpoint(1)
  const [file] = (await readdir(join(folder(home, id), 'checkpoints'))).filter(
    (name) => name !== 'index.md',
  )
  await rm(join(folder(home, id), 'checkpoints', file!))
  await writeFile(join(folder(home, id), 'checkpoints', '007-stray.md'), 'stray')
  assert.deepEqual(
    (await engine.doctor(id)).ailments.map(({ layer }) => layer),
    ['checkpoints'],
  )
  await engine.mend(id)
  assert.equal((await engine.doctor(id)).healthy, true)
  assert.equal(await (await engine.open(id)).readCheckpoint(1), text)
})

test('a snapshot that was altered bricks nothing: the log is folded, doctor names it, repair removes it', async () => {
  await using home = await openHome()
  const id = await talk(home.engine(), ['one', 'two'])
  const path = join(folder(home, id), '.reprise/snapshot.json')
  const sound = await readFile(path, 'utf8')
  const { state, ...head } = JSON.parse(sound) as { state: { state: object } }
  for (const turns of [{}, null, 7]) {
    const other = { ...head, state: { ...state, state: { ...state.state, turns } } }
    await writeFile(path, JSON.stringify(other))
    const engine = home.engine()
    assert.deepEqual(await promptsOf(engine, id), ['one', 'two'])
    assert.deepEqual(
      (await engine.doctor(id)).ailments.map(({ layer, severity }) => [layer, severity]),
      [['snapshot', 'stale']],
    )
  }
  assert.equal((await home.engine().mend(id)).after.healthy, true)
})

type Snapshot = Readonly<Record<string, unknown>> & { readonly state: object }

async function talk(engine: Engine, prompts: readonly string[]): Promise<SessionId> {
  const { id } = await engine.create()
  for (const prompt of prompts) await converse(engine, id, { prompt })
  await (await engine.open(id)).close()
  return id
}

const folder = (home: Home, id: SessionId) => join(home.path, 'session-state', id)
const logPath = (home: Home, id: SessionId) => join(folder(home, id), 'events.jsonl')
