import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openMemory } from '../fs/memory.ts'
import { SESSION_DIR, sampleProject, treeOf } from '../../test/support/sample-project.ts'
import type { FileChange } from './journal-entry.ts'
import type { RestorePlan } from './restore-plan.ts'

const told = (changes: readonly FileChange[]) =>
  changes.map(({ path, kind, linesAdded, linesRemoved, from }) => [
    path,
    kind,
    `+${linesAdded} -${linesRemoved}`,
    ...(from === undefined ? [] : [from]),
  ])

const verdicts = (plan: RestorePlan) => plan.items.map(({ path, verdict }) => [path, verdict])

test('what a shell command does is told: created, modified, deleted, renamed, with lines', async () => {
  using project = sampleProject({
    'edited.txt': 'a\nb\nc\n',
    'gone.txt': 'x\n',
    'old/name.txt': 'same\n',
  })
  const travel = await project.open()
  const changes = await project.call(travel, 'one', () => {
    project.write('edited.txt', 'a\nB\nc\nd\n')
    rmSync(join(project.root, 'gone.txt'))
    mkdirSync(join(project.root, 'new'))
    renameSync(join(project.root, 'old/name.txt'), join(project.root, 'new/name.txt'))
    project.write('new/picture', new Uint8Array([0, 1, 2]))
  })
  assert.deepEqual(told(changes), [
    ['edited.txt', 'modified', '+2 -1'],
    ['gone.txt', 'deleted', '+0 -1'],
    ['new', 'created', '+0 -0'],
    ['new/name.txt', 'renamed', '+0 -0', 'old/name.txt'],
    ['new/picture', 'created', '+0 -0'],
    ['old/name.txt', 'deleted', '+0 -0'],
  ])
  assert.equal(changes.find(({ path }) => path === 'new/picture')?.binary, true)
  assert.equal(changes.find(({ path }) => path === 'old/name.txt')?.renamedTo, 'new/name.txt')
})

test('a file that is renamed and edited is still a rename, one that only got its inode is not', async () => {
  using project = sampleProject({ a: 'long\nenough\nto\nknow\n', b: 'first\n' })
  const travel = await project.open()
  const changes = await project.call(travel, 'one', () => {
    renameSync(join(project.root, 'a'), join(project.root, 'a2'))
    appendFileSync(join(project.root, 'a2'), 'more\n')
    rmSync(join(project.root, 'b'))
    project.write('c', 'other\n')
  })
  assert.deepEqual(told(changes), [
    ['a', 'deleted', '+0 -0'],
    ['a2', 'renamed', '+1 -0', 'a'],
    ['b', 'deleted', '+0 -1'],
    ['c', 'created', '+1 -0'],
  ])
})

test('the record is in the journal when the call has ended, and survives another opening', async () => {
  using project = sampleProject({ a: '1\n' })
  const travel = await project.open()
  const changes = await project.call(travel, 'one', () => project.write('a', '2\n'))
  const lines = readFileSync(
    join(project.home, SESSION_DIR, '.reprise/files/changes.jsonl'),
    'utf8',
  )
  const { seal, check, ...line } = JSON.parse(lines) as Record<string, unknown>
  assert.match(`${String(check)} ${String(seal)}`, /^[0-9a-f]{16} [0-9a-f]{64}$/)
  assert.deepEqual(line, {
    version: 1,
    kind: 'tool',
    turnEventId: 'turn of one',
    toolCallId: 'one',
    at: '2026-01-01T00:00:02.000Z',
    changes,
    unkept: [],
  })
  const again = await project.open()
  const { id, ...result } = await again.apply(
    await again.planRewind({ turnEventIds: ['turn of one'] }),
  )
  assert.ok(id)
  assert.deepEqual(result, {
    outcome: 'success',
    restoredFiles: [join(project.root, 'a')],
    skippedFiles: [],
  })
  assert.equal(project.read('a'), '1\n')
})

test('a file that a person changed after the agent is skipped and named', async () => {
  using project = sampleProject({ mine: '1\n', shared: '1\n' })
  const travel = await project.open()
  await project.call(travel, 'one', () => {
    project.write('mine', '2\n')
    project.write('shared', '2\n')
    project.write('fresh', '2\n')
  })
  project.write('shared', 'by hand\n')
  project.write('fresh', 'by hand\n')
  const plan = await travel.planRewind({ position: 0 })
  assert.deepEqual(verdicts(plan), [
    ['fresh', 'drifted'],
    ['mine', 'restore'],
    ['shared', 'drifted'],
  ])
  const { id, ...result } = await travel.apply(plan)
  assert.ok(id)
  assert.deepEqual(result, {
    outcome: 'success',
    restoredFiles: [join(project.root, 'mine')],
    skippedFiles: [
      { path: join(project.root, 'fresh'), reason: 'user-modified' },
      { path: join(project.root, 'shared'), reason: 'user-modified' },
    ],
  })
  assert.deepEqual([project.read('mine'), project.read('shared')], ['1\n', 'by hand\n'])
})

test('a file that changes between plan and apply is skipped too', async () => {
  using project = sampleProject({ a: '1\n', b: '1\n' })
  const travel = await project.open()
  await project.call(travel, 'one', () => {
    project.write('a', '2\n')
    project.write('b', '2\n')
  })
  const plan = await travel.planRewind({ position: 0 })
  project.write('a', 'by hand\n')
  const result = await travel.apply(plan)
  assert.deepEqual(result.skippedFiles, [
    { path: join(project.root, 'a'), reason: 'user-modified' },
  ])
  assert.deepEqual([project.read('a'), project.read('b')], ['by hand\n', '1\n'])
})

test('what a person did between two calls is not taken back with them', async () => {
  using project = sampleProject({ a: '1\n', b: '1\n' })
  const travel = await project.open()
  await project.call(travel, 'one', () => project.write('a', '2\n'))
  project.write('a', '2\nby hand\n')
  project.write('b', 'by hand\n')
  await project.call(travel, 'two', () => project.write('a', '3\nby hand\n'))
  assert.deepEqual(verdicts(await travel.planRewind({ position: 0 })), [['a', 'drifted']])
  const last = await travel.planRewind({ turnEventIds: ['turn of two'] })
  await travel.apply(last)
  assert.deepEqual([project.read('a'), project.read('b')], ['2\nby hand\n', 'by hand\n'])
})

test('a folder of the agent goes with its files, and stays when a person put something into it', async () => {
  using project = sampleProject({ a: '1\n' })
  const travel = await project.open()
  await project.call(travel, 'one', () => {
    project.write('x/y/made', '1\n')
    project.write('kept/made', '1\n')
  })
  project.write('kept/mine', 'by hand\n')
  await travel.apply(await travel.planRewind({ position: 0 }))
  assert.deepEqual(Object.keys(treeOf(project.root)), ['a', 'kept', 'kept/mine'])
})

test('redo brings back what a rewind took, until an agent goes on', async () => {
  using project = sampleProject({ a: '1\n' })
  const travel = await project.open()
  assert.equal(await travel.redo(), undefined)
  await project.call(travel, 'one', () => project.write('a', '2\n'))
  await travel.apply(await travel.planRewind({ position: 0 }))
  const again = await project.open()
  assert.equal((await again.redo())?.outcome, 'success')
  assert.equal(project.read('a'), '2\n')
  assert.equal(await again.redo(), undefined)
  await again.apply(await again.planRewind({ turnEventIds: ['turn of one'] }))
  assert.equal(project.read('a'), '1\n')
  await project.call(again, 'two', () => project.write('b', '1\n'))
  assert.equal(await again.redo(), undefined)
})

test('while a call is running nothing is restored', async () => {
  using project = sampleProject({ a: '1\n' })
  const travel = await project.open()
  await project.call(travel, 'one', () => project.write('a', '2\n'))
  await travel.before({ toolCallId: 'two', turnEventId: 'turn' })
  const result = await travel.apply(await travel.planRewind({ position: 0 }))
  assert.deepEqual(result, { outcome: 'session-busy', restoredFiles: [], skippedFiles: [] })
  assert.equal(project.read('a'), '2\n')
})

test('a tool that writes only what it names is not charged with what others do', async () => {
  using project = sampleProject({ '.gitignore': '.env\n', '.env': 'SECRET=1\n', a: '1\n' })
  const travel = await project.open()
  const changes = await project.call(
    travel,
    'one',
    () => {
      project.write('.env', 'SECRET=2\n')
      project.write('a', 'by hand\n')
    },
    [join(project.root, '.env'), '../outside', '/etc/passwd', '.git/config'],
  )
  assert.deepEqual(told(changes), [['.env', 'modified', '+1 -1']])
  await travel.apply(await travel.planRewind({ position: 0 }))
  assert.deepEqual([project.read('.env'), project.read('a')], ['SECRET=1\n', 'by hand\n'])
})

test('of calls that overlap each change is told once, with the others named', async () => {
  using project = sampleProject({ a: '1\n', b: '1\n', c: '1\n' })
  const travel = await project.open()
  await travel.before({ toolCallId: 'shell', turnEventId: 't' })
  project.write('c', '2\n')
  await travel.before({ toolCallId: 'edit', turnEventId: 't', paths: ['b'], reach: 'paths' })
  project.write('a', '2\n')
  project.write('b', '2\n')
  assert.deepEqual(told(await travel.after('shell')), [
    ['a', 'modified', '+1 -1'],
    ['c', 'modified', '+1 -1'],
  ])
  assert.deepEqual(told(await travel.after('edit')), [['b', 'modified', '+1 -1']])
  await travel.apply(await travel.planRewind({ position: 0 }))
  assert.deepEqual(['a', 'b', 'c'].map(project.read), ['1\n', '1\n', '1\n'])
})

test('a call that a killed process left open is ended by the next one', async () => {
  using project = sampleProject({ a: '1\n', b: '1\n' })
  const killed = await project.open()
  await killed.before({ toolCallId: 'one', turnEventId: 'turn' })
  project.write('a', '2\n')
  project.write('made', '1\n')
  const travel = await project.open()
  await project.call(travel, 'two', () => project.write('b', '2\n'))
  assert.equal(travel.position, 2)
  const author = {
    kind: 'call',
    turnEventId: 'turn',
    toolCallId: 'one',
    at: '2026-01-01T00:00:02.000Z',
    interrupted: true,
  }
  assert.deepEqual(await travel.blame('a'), { kind: 'lines', authors: [author] })
  await travel.apply(await travel.planRewind({ position: 0 }))
  assert.deepEqual(Object.values(treeOf(project.root)), ['644 1\n', '644 1\n'])
})

test('a file that stops being ignored is not taken for a new one', async () => {
  using project = sampleProject({
    '.gitignore': 'secret\nout/\n',
    secret: 'mine\n',
    'out/deep/file': 'mine\n',
  })
  const travel = await project.open()
  const changes = await project.call(travel, 'one', () => {
    project.write('.gitignore', '')
    project.write('secret', 'overwritten\n')
  })
  assert.deepEqual(
    changes.map(({ path, before }) => [path, before?.type]),
    [
      ['.gitignore', 'file'],
      ['out', 'unknown'],
      ['out/deep', 'unknown'],
      ['out/deep/file', 'unknown'],
      ['secret', 'unknown'],
    ],
  )
  const plan = await travel.planRewind({ position: 0 })
  const result = await travel.apply(plan)
  assert.deepEqual(result.restoredFiles, [join(project.root, '.gitignore')])
  assert.deepEqual(Object.keys(treeOf(project.root)), [
    '.gitignore',
    'out',
    'out/deep',
    'out/deep/file',
    'secret',
  ])
})

test('a file that becomes ignored is still followed', async () => {
  using project = sampleProject({ 'src/a': '1\n' })
  const travel = await project.open()
  await project.call(travel, 'one', () => {
    project.write('.gitignore', 'src/\n')
    project.write('src/a', '2\n')
  })
  await travel.apply(await travel.planRewind({ position: 0 }))
  assert.deepEqual(treeOf(project.root), { src: 'folder 755', 'src/a': '644 1\n' })
})

test('what was not read in time is named and never deleted', async () => {
  using project = sampleProject({ a: '1\n', b: '1\n' })
  const travel = await project.open({ limits: { maxMs: 0 } })
  const first = await project.call(travel, 'one', () => project.write('a', '2\n'))
  assert.deepEqual(first, [])
  assert.deepEqual((await travel.report()).notCovered, [{ path: '', reason: 'budget' }])
})

test('a file over the limit is named, and left alone when it was small before', async () => {
  using project = sampleProject({ small: '1\n', big: 'x'.repeat(200) })
  const travel = await project.open({ limits: { maxFileBytes: 100 } })
  await project.call(travel, 'one', () => project.write('small', 'x'.repeat(300)))
  const result = await travel.apply(await travel.planRewind({ position: 0 }))
  assert.deepEqual(result.skippedFiles, [
    { path: join(project.root, 'small'), reason: 'skipped-capture' },
  ])
  assert.deepEqual((await travel.report()).notCovered, [
    { path: 'big', reason: 'large' },
    { path: 'small', reason: 'large' },
  ])
})

test('over the quota the contents of the oldest calls go first, and what they changed is named', async () => {
  using project = sampleProject({ a: '0'.repeat(100) })
  const travel = await project.open({ limits: { quotaBytes: 400 } })
  for (const id of ['1', '2', '3', '4']) {
    await project.call(travel, id, () => project.write('a', id.repeat(100)))
  }
  const { lost, storedBytes } = await travel.report()
  assert.ok(storedBytes <= 400)
  assert.deepEqual(
    lost.map(({ toolCallId, paths }) => [toolCallId, paths]),
    [['2', ['a']]],
  )
  assert.deepEqual(verdicts(await travel.planRewind({ position: 1 })), [['a', 'notCovered']])
  await travel.apply(await travel.planRewind({ position: 2 }))
  assert.equal(project.read('a'), '2'.repeat(100))
})

test('a tree over its share of the quota is named file by file, and edits still find room', async () => {
  using project = sampleProject()
  // Nothing that could be compressed.
  for (const name of ['a', 'b']) project.write(name, randomBytes(300))
  const travel = await project.open({ limits: { quotaBytes: 500 } })
  await travel.warm()
  const { notCovered, coveredFiles } = await travel.report()
  assert.deepEqual([coveredFiles, notCovered.map(({ reason }) => reason)], [1, ['quota']])
  await project.call(travel, 'one', () => {
    project.write('c', 'c'.repeat(50))
    rmSync(join(project.root, 'a'))
    rmSync(join(project.root, 'b'))
  })
  const result = await travel.apply(await travel.planRewind({ position: 0 }))
  const named = join(project.root, notCovered[0]?.path ?? '')
  assert.deepEqual(result.skippedFiles, [{ path: named, reason: 'skipped-capture' }])
  assert.equal(Object.keys(treeOf(project.root)).length, 1)
})

test('a home that lies in the project is not watched', async () => {
  using project = sampleProject({ a: '1\n' })
  const travel = await project.open({ root: join(project.root, '..') })
  const changes = await project.call(travel, 'one', () => project.write('a', '2\n'))
  assert.deepEqual(
    changes.map(({ path }) => path),
    ['project/a'],
  )
})

test('a journal that leads out of the project is not believed', async () => {
  using project = sampleProject({ a: '1\n' })
  const travel = await project.open()
  await project.call(travel, 'one', () => project.write('a', '2\n'))
  const journal = join(project.home, SESSION_DIR, '.reprise/files/changes.jsonl')
  const line = readFileSync(journal, 'utf8')
  for (const path of ['../a', '/etc/a', 'x/../../a', '.git/hooks/a', 'x//a']) {
    appendFileSync(journal, line.replace('"path":"a"', `"path":${JSON.stringify(path)}`))
  }
  appendFileSync(journal, '{"torn')
  const again = await project.open()
  assert.equal((await again.report()).damagedLines, 5)
  assert.deepEqual(verdicts(await again.planRewind({ position: 0 })), [['a', 'restore']])
  await project.call(again, 'two', () => project.write('a', '3\n'))
  assert.equal((await project.open()).position, 2)
})

test('a line of the journal that this home did not write is not acted on, one from before seals is', async () => {
  using project = sampleProject({ a: '1\n' })
  const travel = await project.open()
  await project.call(travel, 'one', () => project.write('a', '2\n'))
  const journal = join(project.home, SESSION_DIR, '.reprise/files/changes.jsonl')
  const line = readFileSync(journal, 'utf8')
  const bare = line.replace(/,"seal":"\w+"/, '')
  for (const foreign of [bare, line.replace('"size":2', '"size":3')]) {
    appendFileSync(journal, foreign.replace('"one"', '"two"'))
  }
  assert.equal((await project.open()).position, 1)
  writeFileSync(journal, bare)
  assert.equal((await project.open()).position, 0)
  rmSync(join(project.home, '.reprise'), { recursive: true })
  const again = await project.open()
  assert.equal(again.position, 1)
  await project.call(again, 'three', () => project.write('a', '3\n'))
  assert.equal((await project.open()).position, 2)
})

test('modes and links are restored as they were, and no link is followed', async () => {
  using project = sampleProject({ 'run.sh': 'echo\n', 'd/f': '1\n' })
  const outside = join(project.root, '../outside')
  mkdirSync(outside)
  symlinkSync('../outside', join(project.root, 'way'))
  const travel = await project.open()
  const before = treeOf(project.root)
  await project.call(travel, 'one', () => {
    chmodSync(join(project.root, 'run.sh'), 0o755)
    chmodSync(join(project.root, 'd'), 0o500)
    rmSync(join(project.root, 'way'))
    symlinkSync('d', join(project.root, 'way'))
    project.write('../outside/f', 'not ours\n')
  })
  await travel.apply(await travel.planRewind({ position: 0 }))
  assert.deepEqual(treeOf(project.root), before)
  assert.deepEqual(readdirSync(outside), ['f'])
})

test('a call that could not wait for the first reading tells what it knows, and deletes nothing of yours', async () => {
  const files = Array.from({ length: 300 }, (_, index) => `d/${index}`)
  using project = sampleProject(Object.fromEntries(files.map((path) => [path, `${path}\n`])))
  const travel = await project.open({ limits: { waitMs: 0 } })
  const changes = await project.call(travel, 'one', () => {
    for (const path of files) project.write(path, 'overwritten\n')
    project.write('made', '1\n')
  })
  assert.deepEqual(told(changes).at(-1), ['made', 'created', '+1 -0'])
  const unread = changes.filter(({ before }) => before?.type === 'unknown').map(({ path }) => path)
  assert.ok(unread.length > 0)
  const result = await travel.apply(await travel.planRewind({ position: 0 }))
  assert.deepEqual(
    result.skippedFiles.map(({ path, reason }) => [path, reason]),
    unread.map((path) => [join(project.root, path), 'skipped-capture']),
  )
  assert.deepEqual(Object.keys(treeOf(project.root)).sort(), ['d', ...files].sort())
})

test('contents of the tree that got lost are read again', async () => {
  using project = sampleProject({ a: '1\n' })
  await (await project.open()).warm()
  rmSync(join(project.home, '.reprise/contents'), { recursive: true })
  const travel = await project.open()
  await project.call(travel, 'one', () => project.write('a', '2\n'))
  await travel.apply(await travel.planRewind({ position: 0 }))
  assert.equal(project.read('a'), '1\n')
})

test('a path that is spelled through a link to the project is the same path', async () => {
  using project = sampleProject({ a: '1\n' })
  const alias = join(project.root, '../alias')
  symlinkSync('project', alias)
  const travel = await project.open({ root: alias })
  for (const [index, path] of ['./a', join(alias, 'a'), join(project.root, 'a')].entries()) {
    const changes = await project.call(
      travel,
      `${index}`,
      () => project.write('a', `${index + 2}\n`),
      [path],
    )
    assert.deepEqual(told(changes), [['a', 'modified', '+1 -1']])
  }
})

test('a disk that is full for the copies does not stop a tool', async () => {
  using project = sampleProject({ a: '1\n' })
  const faults = { operation: 'writeAtomic', nth: 1, times: 1000, code: 'ENOSPC' } as const
  const travel = await project.open({ fs: openMemory({ faults: [faults] }) })
  const changes = await project.call(travel, 'one', () => project.write('a', '2\n'))
  assert.deepEqual(
    changes.map(({ path, kind }) => [path, kind]),
    [['a', 'modified']],
  )
})
