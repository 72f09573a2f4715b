/** A home as the release before checks left it: written by its own program, and never edited. It opens, undoes, redoes. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { asSessionId } from '../../src/format/ids.ts'
import { openHome, type Home } from '../support/engine.ts'

type Stored = {
  readonly root: string
  readonly session: string
  readonly project: Readonly<Record<string, string>>
  /** In base64. */
  readonly home: Readonly<Record<string, string>>
}

test('a home of the release before is sound, with notes of what has no hash', async () => {
  await using home = await openHome()
  const { id, others } = await laidOut(home)
  for (const each of [id, ...others]) {
    const { healthy, ailments } = await home.engine({ trackFiles: true }).doctor(each)
    assert.deepEqual([healthy, ailments.filter(({ severity }) => severity !== 'note')], [true, []])
    assert.ok(ailments.some(({ message }) => message.includes('without a check')))
  }
})

test('its undo is redone, its turns are undone, and what was redone has checks then', async () => {
  await using home = await openHome()
  const { id, project } = await laidOut(home)
  const engine = home.engine({ trackFiles: true })
  const session = await engine.open(id)
  const text = async (name: string) => readFile(join(project, name), 'utf8')
  assert.equal(await text('a.txt'), 'two\n')
  assert.deepEqual((await session.redo()).restoredFiles, [join(project, 'a.txt')])
  assert.equal(await text('a.txt'), 'four\n')
  await session.undo({ turns: 2 })
  assert.equal(await text('a.txt'), 'two\n')
  await assert.rejects(text('b.txt'), { code: 'ENOENT' })
  await session.redo()
  assert.equal(await text('b.txt'), 'three')
  await session.undo({ turns: 4 })
  await assert.rejects(text('a.txt'), { code: 'ENOENT' })
  await session.close()
  assert.equal((await engine.doctor(id)).healthy, true)
})

/** Paths in it keep their length, because places in logs are counted in bytes. */
async function laidOut(home: Home) {
  const path = join(import.meta.dirname, 'before-checks.json')
  const stored = JSON.parse(readFileSync(path, 'utf8')) as Stored
  const project = join(home.path, 'p'.repeat(stored.root.length - home.path.length - 1))
  await mkdir(project)
  for (const [name, text] of Object.entries(stored.project))
    await writeFile(join(project, name), text)
  for (const [name, base64] of Object.entries(stored.home)) {
    const bytes = Buffer.from(base64, 'base64')
    const isText = /\.(?:jsonl|yaml|files|json)$/.test(name) && !name.endsWith('changes.jsonl')
    const moved = isText ? Buffer.from(bytes.toString().replaceAll(stored.root, project)) : bytes
    await mkdir(dirname(join(home.path, name)), { recursive: true })
    await writeFile(join(home.path, name), moved)
  }
  const names = Object.keys(stored.home).flatMap((name) => name.split('/')[1] ?? [])
  const ids = new Set(names.filter((name) => /^[0-9a-f-]{36}$/.test(name)))
  ids.delete(stored.session)
  return { id: asSessionId(stored.session), others: [...ids].map(asSessionId), project }
}
