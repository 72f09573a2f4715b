import assert from 'node:assert/strict'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextRound } from 'node:timers/promises'
import { SESSION_DIR, sampleProject, treeOf } from '../../test/support/sample-project.ts'
import { collectContents } from './collect-contents.ts'
import { openClient } from '../fs/client.ts'
import { openDisk } from '../fs/disk.ts'
import { folderProvider } from '../../test/support/provider.ts'
import { copiesCost } from './copies.ts'

const FOLDERS = 10
const FILES = 20
const OTHER = 'session-state/two'

function files(): Record<string, string> {
  const all: Record<string, string> = { '.gitignore': '*.log\n', 'x.log': 'ignored\n' }
  for (let folder = 0; folder < FOLDERS; folder++)
    for (let file = 0; file < FILES; file++)
      all[`d${folder}/in/f${file}`] = `${folder} ${file} ${crypto.randomUUID()}\n`.repeat(20)
  return all
}

/** Until no stamp is so young that a later write could share it. */
async function aged(): Promise<void> {
  const end = Date.now() + 150
  while (Date.now() < end) await nextRound()
}

async function knownProject() {
  const project = sampleProject(files())
  symlinkSync('d0', join(project.root, 'link'))
  await aged()
  await (await project.open()).warm()
  return project
}

const trees = (home: string) => readdirSync(join(home, '.reprise/trees'))
const baseline = (home: string, dir: string) =>
  readFileSync(join(home, dir, '.reprise/files/baseline.jsonl'), 'utf8')
const bytesRead = (): number =>
  Number(/^rchar: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1])

test('a new session in a known project reads and keeps only what changed since', async () => {
  using project = await knownProject()
  const { root, home } = project
  assert.equal(trees(home).length, 1)
  assert.ok(baseline(home, SESSION_DIR).length < 1000, baseline(home, SESSION_DIR))
  writeFileSync(join(root, 'd1/in/f1'), 'changed since\n')
  await aged()
  const before = bytesRead()
  const travel = await project.open({ sessionDir: OTHER })
  await travel.before({ toolCallId: 'a', turnEventId: 't' })
  const total = FOLDERS * FILES * 20 * 40
  if (process.platform === 'linux') assert.ok(bytesRead() - before < total / 2)
  assert.deepEqual(await travel.after('a'), [])
  assert.ok(baseline(home, OTHER).length < 2000, baseline(home, OTHER))
  const packs = readdirSync(join(home, '.reprise/contents')).filter((name) =>
    name.endsWith('.pack'),
  )
  assert.deepEqual(packs.sort(), ['one-0.pack', 'two-0.pack'])
  assert.ok(statSync(join(home, '.reprise/contents/two-0.pack')).size < 100)
})

test('a project that was seen while it was made is shared anew, and from then on no folder is listed', async () => {
  using project = await knownProject()
  const { root, home } = project
  // Each folder changes and stays young: what is known of it cannot be told by its stamp.
  for (let folder = 0; folder < FOLDERS; folder++) {
    const at = (name: string) => join(root, `d${folder}/in/${name}`)
    renameSync(at('f0'), at('g0'))
    mkdirSync(join(root, `d${folder}/more`))
  }
  const one = await project.open({ sessionDir: 'session-state/three' })
  await one.warm()
  const [seen] = trees(home)
  await aged()
  const two = await project.open({ sessionDir: OTHER })
  await two.before({ toolCallId: 'a', turnEventId: 't' })
  await two.after('a')
  const known = trees(home)
  assert.notDeepEqual(known, [seen])
  const three = await project.open({ sessionDir: 'session-state/four' })
  await three.before({ toolCallId: 'a', turnEventId: 't' })
  await three.after('a')
  assert.deepEqual(trees(home), known)
})

test('whatever a command does in a known project is told and taken back, in the next process too', async () => {
  const deeds: Record<string, (root: string) => void> = {
    modified: (root) => appendFileSync(join(root, 'd2/in/f3'), 'more\n'),
    created: (root) => writeFileSync(join(root, 'd2/in/new'), 'new\n'),
    'in a new folder': (root) => {
      mkdirSync(join(root, 'd3/deep/er'), { recursive: true })
      writeFileSync(join(root, 'd3/deep/er/new'), 'new\n')
    },
    deleted: (root) => rmSync(join(root, 'd2/in/f4')),
    'a folder deleted': (root) => rmSync(join(root, 'd4'), { recursive: true }),
    'a folder renamed': (root) => renameSync(join(root, 'd5'), join(root, 'd5 renamed')),
    'a mode': (root) => chmodSync(join(root, 'd6/in/f6'), 0o700),
    'the mode of a folder': (root) => chmodSync(join(root, 'd6/in'), 0o700),
    'a link turned': (root) => {
      rmSync(join(root, 'link'))
      symlinkSync('d1', join(root, 'link'))
    },
    'a file in place of a folder': (root) => {
      rmSync(join(root, 'd7/in'), { recursive: true })
      writeFileSync(join(root, 'd7/in'), 'a file\n')
    },
  }
  using project = await knownProject()
  const { root } = project
  const start = treeOf(root)
  for (const [name, deed] of Object.entries(deeds)) {
    for (const isNew of [true, false]) {
      const sessionDir = isNew ? `session-state/${name.replaceAll(' ', '-')}` : OTHER
      let travel = await project.open({ sessionDir })
      const position = travel.position
      const changes = await project.call(travel, `${name} ${isNew}`, () => deed(root))
      assert.ok(changes.length > 0, name)
      travel = await project.open({ sessionDir })
      const result = await travel.apply(await travel.planRewind({ position }))
      assert.deepEqual([result.outcome, result.skippedFiles], ['success', []], name)
      assert.deepEqual(treeOf(root), start, name)
    }
  }
})

test('rules that change decide anew what is covered, below them too', async () => {
  using project = await knownProject()
  const travel = await project.open({ sessionDir: OTHER })
  await project.call(travel, 'a', () => project.write('.gitignore', 'f7\n'))
  const names = (await travel.report()).notCovered.map(({ path }) => path)
  await project.call(travel, 'b', () => project.write('d1/in/f7', 'seen, because it was known\n'))
  assert.equal(names.filter((path) => path.endsWith('/f7')).length, FOLDERS)
  await project.call(travel, 'c', () => project.write('.gitignore', ''))
  assert.deepEqual((await travel.report()).notCovered, [])
  const told = await project.call(travel, 'd', () => project.write('x.log', 'not ignored\n'))
  assert.deepEqual(
    told.map(({ path, kind }) => [path, kind]),
    [['x.log', 'modified']],
  )
})

test('a tree that is lost, damaged or lacks its contents costs a reading and nothing else', async () => {
  const harms: ((home: string) => void)[] = [
    (home) => rmSync(join(home, '.reprise/trees'), { recursive: true }),
    (home) => {
      for (const name of trees(home)) writeFileSync(join(home, '.reprise/trees', name), 'torn')
    },
    (home) => rmSync(join(home, '.reprise/contents'), { recursive: true }),
  ]
  for (const harm of harms) {
    using project = await knownProject()
    const { root, home } = project
    const known = await project.open({ sessionDir: OTHER })
    await project.call(known, 'a', () => {})
    harm(home)
    const start = treeOf(root)
    for (const sessionDir of [OTHER, 'session-state/three']) {
      const travel = await project.open({ sessionDir })
      const position = travel.position
      const changes = await project.call(travel, `in ${sessionDir}`, () => {
        project.write('d1/in/f1', 'changed\n')
        rmSync(join(root, 'd2'), { recursive: true })
      })
      assert.equal(changes.length, FILES + 3)
      const result = await travel.apply(await travel.planRewind({ position }))
      assert.deepEqual([result.outcome, result.skippedFiles], ['success', []])
      assert.deepEqual(treeOf(root), start)
    }
  }
})

test('a call that a kill left open is ended with the tree from before it, and without that tree nothing is guessed', async () => {
  for (const isLost of [false, true]) {
    using project = await knownProject()
    const { home } = project
    const killed = await project.open({ sessionDir: OTHER })
    await killed.before({ toolCallId: 'a', turnEventId: 't' })
    project.write('d1/in/f1', 'changed by the tool\n')
    if (isLost) rmSync(join(home, '.reprise/trees'), { recursive: true })
    const next = await project.open({ sessionDir: OTHER })
    await next.warm()
    const plan = await next.planRewind({ position: 0 })
    assert.deepEqual(
      plan.items.map(({ path, verdict }) => [path, verdict]),
      isLost ? [] : [['d1/in/f1', 'restore']],
    )
  }
})

test('a tree stays while a session begins with it and goes with the last, its contents too', async () => {
  using project = await knownProject()
  const { home } = project
  const fs = openDisk(home)
  await (await project.open({ sessionDir: OTHER })).warm()
  rmSync(join(home, SESSION_DIR), { recursive: true })
  await collectContents(fs)
  assert.equal(trees(home).length, 1)
  const travel = await project.open({ sessionDir: OTHER })
  const changes = await project.call(travel, 'a', () => project.write('d1/in/f1', 'changed\n'))
  assert.deepEqual(
    changes.map(({ path, linesRemoved }) => [path, linesRemoved]),
    [['d1/in/f1', 20]],
  )
  rmSync(join(home, OTHER), { recursive: true })
  await collectContents(fs)
  assert.deepEqual([trees(home), readdirSync(join(home, '.reprise/contents'))], [[], []])
})

test('a project that is still read when a call begins is known to the next session', async () => {
  using project = sampleProject(files())
  const { home } = project
  await aged()
  const limits = { waitMs: 0 }
  const travel = await project.open({ limits })
  await travel.before({ toolCallId: 'a', turnEventId: 't' })
  // The reading ends while the call runs.
  await travel.warm()
  assert.deepEqual(await travel.after('a'), [])
  assert.equal(trees(home).length, 1)
  const next = await project.open({ sessionDir: OTHER, limits })
  await next.before({ toolCallId: 'b', turnEventId: 't' })
  await next.after('b')
  assert.ok(baseline(home, OTHER).length < 2000, baseline(home, OTHER))
})

test('what copies cost is told: what is shared, by how many sessions, and what is recorded', async () => {
  using project = await knownProject()
  const { home } = project
  const sizes = (folder: string) =>
    readdirSync(join(home, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  const travel = await project.open({ sessionDir: OTHER })
  await project.call(travel, 'a', () => project.write('d1/in/f1', 'changed\n'))
  assert.deepEqual(await copiesCost(openDisk(home)), {
    sharedBytes: sizes('.reprise/contents') + sizes('.reprise/trees'),
    sharedBy: 2,
    recordedBytes: sizes(`${OTHER}/.reprise/files/blobs`),
  })
})

test('with a client that owns the files, contents and trees are those of the client, and an undo needs nothing else', async () => {
  for (const capabilities of [{}, { binary: true }]) {
    using project = sampleProject(files())
    const { root, home } = project
    await aged()
    const start = treeOf(root)
    const options = { conventions: 'posix', sessionStatePath: '/state' } as const
    const calls = folderProvider(join(home, 'of the client'), options)
    const fs = () => openClient(calls, { ...options, capabilities })
    await (await project.open({ fs: fs() })).warm()
    const travel = await project.open({ fs: fs(), sessionDir: OTHER })
    await project.call(travel, 'a', () => rmSync(join(root, 'd1'), { recursive: true }))
    assert.deepEqual(readdirSync(home), ['of the client'])
    const kept = readdirSync(join(home, 'of the client/.reprise'))
    assert.deepEqual(kept.filter((name) => ['contents', 'trees'].includes(name)).length, 2)
    const next = await project.open({ fs: fs(), sessionDir: OTHER })
    const result = await next.apply(await next.planRewind({ position: 0 }))
    assert.deepEqual([result.outcome, result.skippedFiles], ['success', []])
    assert.deepEqual(treeOf(root), start)
  }
})
