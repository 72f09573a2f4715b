import assert from 'node:assert/strict'
import {
  mkdtempSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { asSessionId } from '../format/ids.ts'
import { openDisk } from '../fs/disk.ts'
import { openMemory } from '../fs/memory.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { addCheckpoint, listCheckpoints } from './checkpoints.ts'
import { copyWorkspace } from './copy.ts'
import { createWorkspace } from './create.ts'
import { listFiles, readWorkspaceFile, writeWorkspaceFile } from './files.ts'
import { folderBytes } from './folder-bytes.ts'
import { readMetadata } from './metadata.ts'
import { deletePlan, readPlan, writePlan } from './plan.ts'
import { readRepositoryKey } from './repository-key.ts'
import { openSessionDb } from './session-db.ts'

const base = mkdtempSync(join(tmpdir(), 'reprise-workspace-'))
after(() => rmSync(base, { recursive: true, force: true }))
const id = asSessionId('00000000-0000-4000-8000-000000000001')
const bytes = (text: string) => new TextEncoder().encode(text)
const text = (read: Uint8Array | undefined) => read && new TextDecoder().decode(read)
let root: string
let fs: SessionFs
let count = 0
beforeEach(() => {
  root = join(base, String(++count))
  fs = openDisk(root)
})

/** Every name below a folder with its mode. */
function modes(folder: string): Record<string, string> {
  const found: Record<string, string> = {}
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()) {
    found[name] = (statSync(join(folder, name)).mode & 0o777).toString(8)
  }
  return found
}

test('a new session has its folders and files, closed to others whatever the umask', async () => {
  const umask = process.umask(0)
  try {
    await createWorkspace(
      fs,
      's',
      { id, cwd: '/w', branch: undefined },
      { repositoryKey: 'root:1' },
    )
  } finally {
    process.umask(umask)
  }
  assert.deepEqual(modes(join(root, 's')), {
    '.reprise': '700',
    '.reprise/repository-key': '600',
    checkpoints: '700',
    'checkpoints/index.md': '600',
    files: '700',
    research: '700',
    'workspace.yaml': '600',
  })
  assert.deepEqual(await readMetadata(fs, 's'), { file: { id, cwd: '/w' } })
  assert.equal(await readRepositoryKey(fs, 's'), 'root:1')
})

test('a key that follows from the repository is not stored', async () => {
  await createWorkspace(fs, 's', { id, repository: 'o/r' }, { repositoryKey: 'github:o/r' })
  assert.equal(await readRepositoryKey(fs, 's'), undefined)
})

test('the plan says what became of it', async () => {
  const told = [
    await readPlan(fs, 's'),
    await deletePlan(fs, 's'),
    await writePlan(fs, 's', 'one'),
    await writePlan(fs, 's', 'one'),
    await writePlan(fs, 's', 'two'),
    await readPlan(fs, 's'),
    await deletePlan(fs, 's'),
    await readPlan(fs, 's'),
  ]
  assert.deepEqual(told, [
    undefined,
    undefined,
    'create',
    undefined,
    'update',
    'two',
    'delete',
    undefined,
  ])
})

test('files and research are listed at all levels, links and foreign names left out', async () => {
  await writeWorkspaceFile(fs, 's', 'files/b/c.txt', bytes('abc'))
  await writeWorkspaceFile(fs, 's', 'files/a.txt', bytes('a'))
  await writeWorkspaceFile(fs, 's', 'research/r.md', bytes('rr'))
  symlinkSync('/etc', join(root, 's', 'files', 'etc'))
  symlinkSync('/etc/passwd', join(root, 's', 'files', 'passwd'))
  writeFileSync(join(root, 's', 'files', 'back\\slash'), '')
  assert.deepEqual(
    (await listFiles(fs, 's')).map(({ path, size }) => [path, size]),
    [
      ['files/a.txt', 1],
      ['files/b/c.txt', 3],
      ['research/r.md', 2],
    ],
  )
})

test('a folder that is a link is not listed', async () => {
  mkdirSync(join(root, 's'), { recursive: true })
  mkdirSync(join(root, 'other'))
  writeFileSync(join(root, 'other', 'secret'), 'x')
  symlinkSync(join(root, 'other'), join(root, 's', 'files'))
  assert.deepEqual(await listFiles(fs, 's'), [])
})

test('a file is read back as written, and says whether it is new', async () => {
  assert.equal(await writeWorkspaceFile(fs, 's', 'files/a b/ü.txt', bytes('1')), 'create')
  assert.equal(await writeWorkspaceFile(fs, 's', 'files/a b/ü.txt', bytes('2')), 'update')
  assert.equal(text(await readWorkspaceFile(fs, 's', 'files/a b/ü.txt')), '2')
  assert.equal(await readWorkspaceFile(fs, 's', 'research/none'), undefined)
})

for (const path of [
  'plan.md',
  'files',
  'files/',
  'files/../plan.md',
  '/files/a',
  'events.jsonl',
  'files/a\0',
]) {
  test(`${JSON.stringify(path)} is refused as a workspace file`, async () => {
    await assert.rejects(writeWorkspaceFile(fs, 's', path, bytes('x')))
    await assert.rejects(readWorkspaceFile(fs, 's', path))
    assert.deepEqual(await fs.list('s'), [])
  })
}

test('nothing is read or written through a link, even one that stays in the home', async () => {
  await writeWorkspaceFile(fs, 's', 'files/real/a', bytes('a'))
  symlinkSync('real', join(root, 's', 'files', 'link'))
  symlinkSync('real/a', join(root, 's', 'files', 'alias'))
  for (const path of ['files/link/a', 'files/link/new', 'files/alias']) {
    await assert.rejects(readWorkspaceFile(fs, 's', path), /is a folder or a link/)
    await assert.rejects(writeWorkspaceFile(fs, 's', path, bytes('b')), /is a folder or a link/)
  }
  assert.equal(text(await readWorkspaceFile(fs, 's', 'files/real/a')), 'a')
})

test('the size of a folder is the sum of its regular files', async () => {
  await writeWorkspaceFile(fs, 's', 'files/a/b', bytes('12345'))
  await writePlan(fs, 's', '123')
  symlinkSync('/etc/passwd', join(root, 's', 'link'))
  assert.deepEqual([await folderBytes(fs, 's'), await folderBytes(fs, 'none')], [8, 0])
})

test('the session database is private, keeps what is put in and is found again', async () => {
  await createWorkspace(fs, 's', { id })
  const db = await openSessionDb(fs, 's')
  db.exec('CREATE TABLE steps (title TEXT); INSERT INTO steps VALUES (1)')
  assert.deepEqual({ ...db.prepare('PRAGMA journal_mode').get() }, { journal_mode: 'wal' })
  const open = modes(join(root, 's'))
  assert.deepEqual(
    ['session.db', 'session.db-shm', 'session.db-wal'].map((name) => open[name]),
    ['600', '600', '600'],
  )
  db.close()
  const again = await openSessionDb(fs, 's')
  assert.deepEqual({ ...again.prepare('SELECT count(*) AS n FROM steps').get() }, { n: 1 })
  again.close()
})

test('a session in memory has no database, and says so', async () => {
  await assert.rejects(openSessionDb(openMemory(), 's'), /needs a disk/)
})

test('a copy takes what it is told and leaves the rest behind', async () => {
  await createWorkspace(fs, 's', { id }, { repositoryKey: 'root:1' })
  await writePlan(fs, 's', 'plan')
  await addCheckpoint(fs, 's', { title: 'One', text: '1' })
  await addCheckpoint(fs, 's', { title: 'Two', text: '2' })
  await writeWorkspaceFile(fs, 's', 'files/early', bytes('e'))
  await writeWorkspaceFile(fs, 's', 'files/late', bytes('l'))
  await writeWorkspaceFile(fs, 's', 'research/r', bytes('r'))
  symlinkSync('/etc/passwd', join(root, 's', 'files', 'link'))
  await copyWorkspace(fs, 's', 'fork', {
    plan: false,
    checkpoints: [1],
    leaveOut: (path) => path === 'files/late',
  })
  assert.deepEqual(modes(join(root, 'fork')), {
    '.reprise': '700',
    '.reprise/repository-key': '600',
    checkpoints: '700',
    'checkpoints/001-one.md': '600',
    'checkpoints/index.md': '600',
    files: '700',
    'files/early': '600',
    research: '700',
    'research/r': '600',
  })
  assert.deepEqual(await listCheckpoints(fs, 'fork'), [
    { number: 1, title: 'One', file: '001-one.md' },
  ])
  await copyWorkspace(fs, 's', 'whole', { plan: true, checkpoints: [1, 2], leaveOut: () => false })
  assert.equal(await readPlan(fs, 'whole'), 'plan')
})
