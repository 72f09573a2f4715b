import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { openDisk } from '../fs/disk.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import {
  addCheckpoint,
  createCheckpoints,
  listCheckpoints,
  readCheckpoint,
  trimCheckpoints,
  writeCheckpoint,
} from './checkpoints.ts'

const base = mkdtempSync(join(tmpdir(), 'reprise-checkpoints-'))
after(() => rmSync(base, { recursive: true, force: true }))
let fs: SessionFs
let root: string
let count = 0
beforeEach(() => {
  root = join(base, String(++count))
  fs = openDisk(root)
})

const one = { number: 1, title: 'First | part', file: '001-first-part.md' }
const two = { number: 2, title: 'Second', file: '002-second.md' }
const aside = 's/.reprise/rewound/checkpoints'

async function withTwo(): Promise<void> {
  await createCheckpoints(fs, 's')
  await addCheckpoint(fs, 's', { title: 'First | part', text: 'text one' })
  await addCheckpoint(fs, 's', { title: 'Second', text: 'text two' })
}

async function names(folder: string): Promise<string[]> {
  return (await fs.list(folder)).map(({ name }) => name).sort()
}

test('a new session has an index with no rows, which is not written over', async () => {
  await createCheckpoints(fs, 's')
  const before = await fs.stat('s/checkpoints/index.md')
  await createCheckpoints(fs, 's')
  assert.deepEqual(await fs.stat('s/checkpoints/index.md'), before)
  assert.deepEqual(await listCheckpoints(fs, 's'), [])
})

test('checkpoints are numbered, listed with their titles and read by number', async () => {
  await createCheckpoints(fs, 's')
  const first = await addCheckpoint(fs, 's', { title: 'First | part', text: 'text one' })
  await addCheckpoint(fs, 's', { title: 'Second', text: 'text two' })
  assert.deepEqual(first, { number: 1, path: join(root, 's', 'checkpoints', '001-first-part.md') })
  assert.deepEqual(await listCheckpoints(fs, 's'), [one, two])
  assert.deepEqual(
    [await readCheckpoint(fs, 's', 2), await readCheckpoint(fs, 's', 3)],
    ['text two', undefined],
  )
})

test('without a title the first line of the overview is the title', async () => {
  await addCheckpoint(fs, 's', { text: '<overview>\nMended the parser.\nMore.\n</overview>\n' })
  assert.deepEqual(await listCheckpoints(fs, 's'), [
    { number: 1, title: 'Mended the parser.', file: '001-mended-the-parser.md' },
  ])
})

test('files count, not the index: a lost index loses titles only', async () => {
  await withTwo()
  await fs.remove('s/checkpoints/index.md')
  assert.deepEqual(await listCheckpoints(fs, 's'), [
    { ...one, title: 'first part' },
    { ...two, title: 'second' },
  ])
})

test('a trim sets later ones aside', async () => {
  await withTwo()
  assert.deepEqual(await trimCheckpoints(fs, 's', { keep: [1], aside }), [2])
  assert.deepEqual(await listCheckpoints(fs, 's'), [one])
  assert.deepEqual(await names(aside), ['002-second.md', 'index.md'])
  assert.deepEqual(await fs.read(`${aside}/002-second.md`), new TextEncoder().encode('text two'))
})

test('a trim that has nothing to do changes nothing', async () => {
  await withTwo()
  assert.deepEqual(await trimCheckpoints(fs, 's', { keep: [1, 2], aside }), [])
  assert.deepEqual(await names(aside), [])
})

test('a checkpoint set aside twice under one name loses neither', async () => {
  await withTwo()
  await trimCheckpoints(fs, 's', { keep: [1], aside })
  await writeCheckpoint(fs, 's', { number: 2, title: 'Second', text: 'another two' })
  await trimCheckpoints(fs, 's', { keep: [1], aside })
  assert.deepEqual(await names(aside), ['002-second.md', '002-second.md.1', 'index.md'])
})

test('a trim that was cut off at any step is ended by the next one', async () => {
  await withTwo()
  const steps = ['writeAtomic', 'rename'] as const
  for (const step of steps) {
    const broken = { ...fs, [step]: () => Promise.reject(new Error('cut off')) }
    await assert.rejects(trimCheckpoints(broken, 's', { keep: [], aside }), { message: 'cut off' })
  }
  await trimCheckpoints(fs, 's', { keep: [], aside })
  assert.deepEqual(await listCheckpoints(fs, 's'), [])
  assert.deepEqual(await names(aside), ['001-first-part.md', '002-second.md', 'index.md'])
})
