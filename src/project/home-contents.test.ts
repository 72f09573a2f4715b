import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openMemory } from '../fs/memory.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { collectContents, eachContent, leaveOut } from './collect-contents.ts'
import { openHomeContents } from './home-contents.ts'
import { sha256Of } from './sha256.ts'

const text = (value: string) => new TextEncoder().encode(value)
const hash = (value: string) => sha256Of(text(value))
const contents = ['', 'one', 'two', 'x'.repeat(10_000)]

async function fill(fs: SessionFs, dir: string, values: readonly string[]) {
  const packs = await openHomeContents(fs, dir)
  for (const value of values) await packs.add(hash(value), text(value))
  await packs.flush()
  return packs
}

test('contents come back before they are written, from another opening and in another session', async () => {
  const fs = openMemory()
  const packs = await openHomeContents(fs, 'session-state/a')
  for (const value of contents) await packs.add(hash(value), text(value))
  const all = (from: typeof packs) => Promise.all(contents.map((value) => from.get(hash(value))))
  assert.deepEqual(await all(packs), contents.map(text))
  const writing = packs.flush()
  assert.ok(contents.every((value) => packs.has(hash(value))))
  await writing
  await packs.add(hash('later'), text('later'))
  await packs.flush()
  for (const session of ['a', 'b', 'Task.7_of-12']) {
    const again = await openHomeContents(fs, `session-state/${session}`)
    assert.deepEqual(await all(again), contents.map(text))
    assert.deepEqual(await again.get(hash('later')), text('later'))
  }
})

test('a session of any name keeps contents that others find', async () => {
  const fs = openMemory()
  for (const name of ['user-123-task-456', 'Task.7_of-12', 'a-0.pack'])
    await fill(fs, `session-state/${name}`, [name])
  const reader = await openHomeContents(fs, 'session-state/reader')
  for (const name of ['user-123-task-456', 'Task.7_of-12', 'a-0.pack'])
    assert.deepEqual(await reader.get(hash(name)), text(name))
})

test('what one session has added, no other adds again, and it is compressed', async () => {
  const fs = openMemory()
  const first = await fill(fs, 'session-state/a', contents)
  assert.ok(first.bytes < 200, String(first.bytes))
  assert.equal((await fill(fs, 'session-state/b', contents)).bytes, 0)
})

test('a chunk that was torn counts as missing', async () => {
  const fs = openMemory()
  await fill(fs, 'session-state/a', contents)
  await fs.writeAtomic('.reprise/contents/a-0.pack', text('torn'), { durable: false })
  const again = await openHomeContents(fs, 'session-state/a')
  assert.equal(await again.get(hash('one')), undefined)
  assert.equal(again.has(hash('one')), false)
})

test('an index whose last record a kill cut short takes the next records', async () => {
  const fs = openMemory()
  await fill(fs, 'session-state/a', ['one', 'two'])
  const index = await fs.read('.reprise/contents/a-0.idx')
  await fs.writeAtomic('.reprise/contents/a-0.idx', index!.slice(0, -1), { durable: false })
  await fill(fs, 'session-state/a', ['three'])
  const again = await openHomeContents(fs, 'session-state/b')
  assert.deepEqual(
    await Promise.all(['one', 'two', 'three'].map((value) => again.get(hash(value)))),
    [text('one'), undefined, text('three')],
  )
})

test('a collection keeps what a session needs, in the trash too, and drops the rest of sessions that are gone', async () => {
  const fs = openMemory()
  await fill(fs, 'session-state/gone', ['needed', 'secret', 'in the trash'])
  const reader = await fill(fs, 'session-state/here', ['mine'])
  const needs = (dir: string, value: string) =>
    fs.writeAtomic(
      `${dir}/.reprise/files/baseline.jsonl`,
      text(`{"path":"f","state":{"type":"file","sha256":"${hash(value)}"}}\n`),
      { durable: false },
    )
  await needs('session-state/here', 'needed')
  await needs('.reprise/trash/9d1c~1', 'in the trash')
  assert.equal((await collectContents(fs)).packs, 1)
  const values = ['needed', 'secret', 'in the trash', 'mine']
  const found = async (from: typeof reader) =>
    (await Promise.all(values.map((value) => from.get(hash(value))))).map(
      (bytes) => bytes !== undefined,
    )
  assert.deepEqual(await found(reader), [true, false, true, true])
  assert.deepEqual(await found(await openHomeContents(fs, 'session-state/new')), [
    true,
    false,
    true,
    true,
  ])
  await fs.remove('session-state/here')
  await fs.remove('.reprise/trash/9d1c~1')
  await collectContents(fs)
  assert.deepEqual(await fs.list('.reprise/contents'), [])
})

test('a collection that is cut short at any write loses nothing that is needed', async () => {
  for (let failing = 1; ; failing += 1) {
    const fs = openMemory()
    await fill(fs, 'session-state/gone', ['needed', 'secret'])
    await fs.writeAtomic(
      'session-state/here/.reprise/files/baseline.jsonl',
      text(`{"sha256":"${hash('needed')}"}\n`),
      { durable: false },
    )
    let count = 0
    const cut = new Proxy(fs, {
      get: (target, name: keyof SessionFs) => {
        const member: unknown = Reflect.get(target, name)
        if (!['writeAtomic', 'remove', 'openAppend'].includes(name)) return member
        return (...args: unknown[]) => {
          count += 1
          if (count === failing) throw new Error('cut')
          return (member as (...given: unknown[]) => unknown).apply(target, args)
        }
      },
    })
    const isWhole = await collectContents(cut).then(
      () => true,
      () => false,
    )
    const packs = await openHomeContents(fs, 'session-state/here')
    assert.deepEqual(await packs.get(hash('needed')), text('needed'), `cut at ${failing}`)
    await collectContents(fs)
    const after = await openHomeContents(fs, 'session-state/here')
    assert.deepEqual(
      [await after.get(hash('needed')), after.has(hash('secret'))],
      [text('needed'), false],
    )
    if (isWhole) return
  }
})

test('every content of the home is found decompressed, and one that is left out is in no byte of it', async () => {
  const fs = openMemory()
  await fill(fs, 'session-state/a', contents)
  await fill(fs, 'session-state/b', ['secret', 'other'])
  const all = async () => {
    const found: string[] = []
    for await (const { bytes } of eachContent(fs)) found.push(new TextDecoder().decode(bytes))
    return found.sort()
  }
  assert.deepEqual(await all(), [...contents, 'secret', 'other'].sort())
  for await (const { pack, sha256, bytes } of eachContent(fs))
    if (new TextDecoder().decode(bytes) === 'secret')
      await leaveOut(fs, pack, (each) => each !== sha256)
  assert.deepEqual(await all(), [...contents, 'other'].sort())
})
