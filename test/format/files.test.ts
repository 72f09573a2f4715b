/** docs/format.md, section 2: which files there are, whose they are and how they are kept from others. */
import assert from 'node:assert/strict'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { readMetadata, updateMetadata } from '../../src/workspace/metadata.ts'
import type { Draft } from '../../src/format/event.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { rowsAt } from '../../src/format/paths.ts'
import { openDisk } from '../../src/fs/disk.ts'
import {
  DIR,
  ID,
  LOG,
  inHome,
  inLines,
  linesOf,
  readAll,
  scripted,
  twoTurns,
  withEngine,
} from './on-disk.ts'
import { gave } from '../log-of.ts'
import { converse } from '../support/engine.ts'

const EMPTY = '22222222-2222-4222-8222-222222222222' as SessionId
const BARE = '33333333-3333-4333-8333-333333333333' as SessionId

const log = inLines(linesOf(twoTurns))

test('format §2.1, format §2.2: only a folder named by an id, with a log that holds something, is a session', () =>
  inHome(async ({ fs, write, file }) => {
    write(LOG, log)
    for (const name of [
      'con',
      'two words',
      `.fork-${ID}`,
      `${ID}.jsonl`,
      `${ID}~1`,
      'x'.repeat(238),
    ]) {
      write(`session-state/${name}/events.jsonl`, log)
    }
    write(`session-state/${EMPTY}/events.jsonl`, '')
    mkdirSync(file(`session-state/${BARE}`))
    await withEngine(fs, async (engine) => {
      assert.deepEqual(
        (await engine.list()).map(({ id }) => id),
        [ID],
      )
      await assert.rejects((await engine.open(EMPTY)).resume(), { code: 'corrupt' })
      await assert.rejects((await engine.open(BARE)).resume(), { code: 'not_found' })
      await assert.rejects(engine.create({ sessionId: 'not an id' as SessionId }), {
        name: 'EngineError',
      })
    })
  }))

/** A turn with a long result, a plan, a file, a compaction, a rewind, a redo, a fork, a deletion. */
async function live(home: Parameters<Parameters<typeof inHome>[0]>[0]): Promise<SessionId> {
  return withEngine(
    home.fs,
    async (engine) => {
      const { id } = await engine.create({ name: 'Everything' })
      await converse(engine, id, { prompt: 'one' })
      await (await engine.open(id)).writePlan('A plan.')
      await (await engine.open(id)).writeFile('files/notes/a.md', Buffer.from('a'))
      await (await engine.open(id)).compact()
      await converse(engine, id, { prompt: 'two' })
      await (await engine.open(id)).undo()
      await (await engine.open(id)).redo()
      await (await engine.open(id)).undo({ turns: 2 })
      const { sessionId } = await (await engine.open(id)).fork()
      await engine.remove([sessionId])
      await engine.list()
      return id
    },
    { agent: scripted(withLongResult) },
  )
}

async function* withLongResult(): AsyncIterable<{ draft: Draft }> {
  yield { draft: gave('call-1', 'x'.repeat(100_000)) }
}

test('format §2.3: files are 0600 and folders 0700 whatever the umask', async () => {
  const before = process.umask(0)
  try {
    await inHome(async (home) => {
      chmodSync(home.folder, 0o700)
      await live(home)
      const entries = readdirSync(home.folder, { recursive: true, encoding: 'utf8' })
      assert.ok(entries.length > 20)
      for (const name of entries) {
        const stats = lstatSync(home.file(name))
        const mode = stats.mode & 0o777
        assert.equal(mode.toString(8), stats.isDirectory() ? '700' : '600', name)
      }
    })
  } finally {
    process.umask(before)
  }
})

test('format §2.6: an operation leaves nothing in the folder of a session but what is described', () =>
  inHome(async (home) => {
    await live(home)
    const files = readdirSync(home.folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      lstatSync(home.file(name)).isFile(),
    )
    assert.ok(files.length > 20)
    for (const file of files) assert.equal(rowsAt(file).length, 1, file)
  }))

test('format §2.4: no log before the first message, and none is touched by opening and closing', () =>
  inHome(async ({ fs, names, text, write }) => {
    await withEngine(fs, async (engine) => {
      await engine.create()
      await (await engine.create({ name: 'nothing said' })).close()
      assert.deepEqual(names('session-state'), [])
      const saved = await engine.create()
      await saved.save()
      assert.deepEqual(names('session-state'), [saved.id])
    })
    write(LOG, log)
    await withEngine(fs, async (engine) => void (await (await engine.open(ID)).resume()))
    assert.equal(text(LOG), log)
  }))

test('format §2.5: a link that leads out of the home is not followed', () =>
  inHome(async ({ fs, file, write }) => {
    const outside = mkdtempSync(join(tmpdir(), 'reprise-outside-'))
    try {
      await openDisk(outside).writeAtomic('events.jsonl', Buffer.from(log), { durable: false })
      write('session-state/x', '')
      symlinkSync(outside, file(DIR))
      await assert.rejects(readAll(fs, LOG), { code: 'ELOOP' })
      rmSync(file(DIR))
      mkdirSync(file(DIR))
      symlinkSync(join(outside, 'events.jsonl'), file(LOG))
      await assert.rejects(readAll(fs, LOG), { code: 'ELOOP' })
    } finally {
      rmSync(outside, { recursive: true })
    }
  }))

test('format §2.7: files in the making are not seen', () =>
  inHome(async ({ fs, write }) => {
    write(LOG, log)
    write(`session-state/.reprise-tmp-1-00/events.jsonl`, log)
    write(`${DIR}/.reprise-tmp-1-0011223344556677`, 'half')
    write(`${DIR}/files/.reprise-tmp-1-0011223344556677`, 'half')
    await withEngine(fs, async (engine) => {
      assert.deepEqual(
        (await engine.list()).map(({ id }) => id),
        [ID],
      )
      assert.deepEqual(await (await engine.open(ID)).files(), [])
    })
    assert.deepEqual(await fs.list('session-state'), [{ name: ID, kind: 'folder' }])
  }))

test('format §2.8: a session is the same without its snapshot and the catalogue, and with damaged ones', () =>
  inHome(async (home) => {
    const id = await live(home)
    const look = () =>
      withEngine(home.fs, async (engine) => [
        await (await engine.open(id)).state(),
        await engine.list(),
      ])
    const before = await look()
    const derived = [`session-state/${id}/.reprise/snapshot.json`, '.reprise/catalogue.json']
    for (const content of ['', '{', '{"version":1}', 'null']) {
      for (const path of derived) home.write(path, content)
      assert.deepEqual(await look(), before)
    }
    for (const path of derived) await home.fs.remove(path)
    assert.deepEqual(await look(), before)
  }))

test('format §2.9: a missing or broken workspace.yaml is made again, and a broken one is kept', () =>
  inHome(async ({ fs, write, text, names }) => {
    write(LOG, log)
    await withEngine(fs, async (engine) => void (await (await engine.open(ID)).resume()))
    const made = text(`${DIR}/workspace.yaml`)
    assert.match(made, /^id: 1{8}-.*\n(?:.*\n)*name: first question\nuser_named: false\n/)
    write(`${DIR}/workspace.yaml`, 'id: [broken')
    await withEngine(fs, async (engine) => void (await (await engine.open(ID)).resume()))
    assert.equal(text(`${DIR}/workspace.yaml`), made)
    assert.deepEqual(names(`${DIR}/.reprise/broken`), ['workspace-1.yaml'])
    assert.equal(text(`${DIR}/.reprise/broken/workspace-1.yaml`), 'id: [broken')
  }))

test('format §2.10: keys of workspace.yaml that nobody knows are kept', () =>
  inHome(async ({ fs, write, text }) => {
    write(`${DIR}/workspace.yaml`, `id: ${ID}\nname: old\nof_tomorrow: {"a": [1, 2]}\n`)
    await updateMetadata(fs, DIR, (file) => ({ ...file, name: 'new' }))
    assert.equal(
      text(`${DIR}/workspace.yaml`),
      `id: ${ID}\nname: new\nuser_named: true\nof_tomorrow: {"a": [1, 2]}\n`,
    )
  }))

test('format §2.11: the summary of early versions is the name', () =>
  inHome(async ({ fs, write }) => {
    write(`${DIR}/workspace.yaml`, `id: ${ID}\nsummary: Fix the parser\n`)
    assert.deepEqual(await readMetadata(fs, DIR), {
      file: { id: ID, name: 'Fix the parser', user_named: false },
    })
  }))
