/** What an undo took out of the log and its record, damaged: nothing is done by it, it is named, and it stays. */
import assert from 'node:assert/strict'
import { readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { shell, working } from '../../../test/support/at-work.ts'
import { converse, openHome, promptsOf, type Home } from '../../../test/support/engine.ts'
import type { SessionId } from '../../format/ids.ts'

type Damage = (rewound: string) => Promise<unknown>

const change = async (path: string, by: (text: string) => string): Promise<void> =>
  writeFile(path, by(await readFile(path, 'utf8')))

const damages: Readonly<Record<string, readonly [file: string, Damage]>> = {
  empty: ['001.jsonl', (at) => writeFile(join(at, '001.jsonl'), '')],
  cut: ['001.jsonl', (at) => change(join(at, '001.jsonl'), (text) => text.slice(0, 300))],
  altered: [
    '001.jsonl',
    (at) => change(join(at, '001.jsonl'), (text) => text.replace('a.txt two', 'a.txt 2!!')),
  ],
  gone: ['001.jsonl', (at) => rm(join(at, '001.jsonl'))],
  'not described': ['001.json', (at) => rm(join(at, '001.json'))],
  'described by nothing': ['001.json', (at) => writeFile(join(at, '001.json'), '{}')],
  'described otherwise': [
    '001.json',
    (at) =>
      change(join(at, '001.json'), (text) => text.replace('"rewoundAt":"2', '"rewoundAt":"3')),
  ],
  'with other restores': [
    '001.files',
    (at) => change(join(at, '001.files'), (text) => text.replace('"project":"', '"project":"0')),
  ],
}

for (const [name, [file, damage]] of Object.entries(damages))
  test(`format §8.23: a part that was taken back and is ${name}: redo refuses, names it, and changes nothing`, async () => {
    await using home = await openHome()
    const { id, project, rewound } = await takenBack(home)
    await damage(rewound)
    const before = await contentsOf(rewound)
    const engine = home.engine({ trackFiles: true, script: shell(project) })
    const session = await engine.open(id)
    await assert.rejects(session.redo(), (error: Error & { code?: string }) => {
      assert.equal(error.code, 'corrupt')
      assert.match(error.message, new RegExp(`${file}.*Nothing was changed, and it stays`))
      return true
    })
    assert.deepEqual(await promptsOf(engine, id), ['write a.txt one'])
    assert.equal(await readFile(join(project, 'a.txt'), 'utf8'), 'one')
    assert.deepEqual(await contentsOf(rewound), before)
    await converse(engine, id, { prompt: 'write a.txt three' })
    await session.undo()
    await session.redo()
    assert.equal(await readFile(join(project, 'a.txt'), 'utf8'), 'three')
    for (const [path, text] of Object.entries(before))
      assert.equal((await contentsOf(rewound))[path], text)
  })

test('white space, another key and another order in what describes it change nothing', async () => {
  await using home = await openHome()
  const { id, project, rewound } = await takenBack(home)
  for (const name of ['001.json', '001.files'])
    await change(join(rewound, name), (text) => {
      const entries = Object.entries(JSON.parse(text) as object).toReversed()
      return JSON.stringify(Object.fromEntries([...entries, ['later', 1]]), undefined, 2)
    })
  await (await home.engine({ trackFiles: true }).open(id)).redo()
  assert.equal(await readFile(join(project, 'a.txt'), 'utf8'), 'two')
})

test('a part without a hash, as earlier versions left it, comes back while its events fit', async () => {
  await using home = await openHome()
  const { id, project, rewound } = await takenBack(home)
  for (const name of ['001.json', '001.files'])
    await change(join(rewound, name), (text) => {
      const { sha256: _, checksum: __, ...older } = JSON.parse(text) as Record<string, unknown>
      return JSON.stringify(older)
    })
  const sound = await readFile(join(rewound, '001.jsonl'), 'utf8')
  const [line = ''] = sound.split('\n')
  const { id: first } = JSON.parse(line) as { id: string }
  const engine = home.engine({ trackFiles: true, script: shell(project) })
  for (const other of [sound.replace(first, first.replace(/./, 'z')), sound.replace('{', '!')]) {
    await writeFile(join(rewound, '001.jsonl'), other)
    await assert.rejects((await engine.open(id)).redo(), { code: 'corrupt' })
  }
  await writeFile(join(rewound, '001.jsonl'), sound)
  await (await engine.open(id)).redo()
  assert.equal(await readFile(join(project, 'a.txt'), 'utf8'), 'two')
})

test('a word that is forgotten in what was taken back leaves it whole', async () => {
  await using home = await openHome()
  const { id, rewound } = await takenBack(home)
  const engine = home.engine({ trackFiles: true })
  const { places } = await engine.forget({ text: 'a.txt two' }, { dryRun: false })
  assert.ok(places > 0)
  assert.doesNotMatch(await readFile(join(rewound, '001.jsonl'), 'utf8'), /a\.txt two/)
  const { eventsRestored } = await (await engine.open(id)).redo()
  assert.ok(eventsRestored > 0)
})

async function takenBack(
  home: Home,
): Promise<{ readonly id: SessionId; readonly project: string; readonly rewound: string }> {
  const { engine, project, id } = await working(home)
  await converse(engine, id, { prompt: 'write a.txt one' })
  await converse(engine, id, { prompt: 'write a.txt two' })
  const session = await engine.open(id)
  await session.undo()
  await session.close()
  return { id, project, rewound: join(home.path, 'session-state', id, '.reprise/rewound') }
}

async function contentsOf(folder: string): Promise<Readonly<Record<string, string>>> {
  const files = (await readdir(folder, { withFileTypes: true })).filter((each) => each.isFile())
  const texts = files.map(async ({ name }) => [name, await readFile(join(folder, name), 'utf8')])
  return Object.fromEntries(await Promise.all(texts)) as Record<string, string>
}
