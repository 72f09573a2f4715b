import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDisk } from '../fs/disk.ts'
import { diffWorkspace, snapshotWorkspace } from './detect.ts'

const base = mkdtempSync(join(tmpdir(), 'reprise-detect-'))
after(() => rmSync(base, { recursive: true, force: true }))

test('a comparison names every file that came, changed or went', async () => {
  const root = join(base, 'compare')
  const fs = openDisk(root)
  const put = (path: string, text: string) =>
    fs.writeAtomic(`s/${path}`, new TextEncoder().encode(text), { durable: false })
  await put('plan.md', 'plan')
  await put('files/kept.md', 'same')
  await put('files/grown.md', 'a')
  await put('files/deep/gone.md', 'x')
  await put('research/notes.md', 'found')
  const before = await snapshotWorkspace(fs, 's')
  await fs.remove('s/plan.md')
  await put('files/grown.md', 'ab')
  await fs.remove('s/files/deep')
  await put('files/new/deep.md', 'n')
  await put('research/notes.md', 'changed')
  symlinkSync('/etc', join(root, 's', 'files', 'link'))
  assert.deepEqual(diffWorkspace(before, await snapshotWorkspace(fs, 's')), [
    { path: 'files/deep/gone.md', operation: 'delete' },
    { path: 'files/grown.md', operation: 'update' },
    { path: 'files/new/deep.md', operation: 'create' },
    { path: 'plan.md', operation: 'delete' },
    { path: 'research/notes.md', operation: 'update' },
  ])
})

test('a file replaced by another of the same size is noticed', async () => {
  const root = join(base, 'same-size')
  const fs = openDisk(root)
  mkdirSync(join(root, 's'), { recursive: true })
  writeFileSync(join(root, 's', 'plan.md'), 'aaaa')
  const before = await snapshotWorkspace(fs, 's')
  await fs.writeAtomic('s/plan.md', new TextEncoder().encode('bbbb'), { durable: false })
  assert.deepEqual(diffWorkspace(before, await snapshotWorkspace(fs, 's')), [
    { path: 'plan.md', operation: 'update' },
  ])
})

test('a session without a plan and without files compares equal to itself', async () => {
  const fs = openDisk(join(base, 'nothing'))
  const nothing = await snapshotWorkspace(fs, 's')
  assert.deepEqual(diffWorkspace(nothing, await snapshotWorkspace(fs, 's')), [])
})
