import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
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
import { sampleProject, treeOf } from '../../test/support/sample-project.ts'
import { openGitContents } from './git-contents.ts'

const env = {
  ...process.env,
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@example.org',
}
const git = (root: string, ...args: string[]) =>
  execFileSync('git', args, { cwd: root, env, stdio: ['ignore', 'pipe', 'ignore'] })

const lines = (seed: string, count: number) =>
  Array.from({ length: count }, (_, n) => `${seed} line ${n} ${(n * 7919) % 1000}\n`).join('')

/** With contents that git keeps as differences from others. */
function sources(): Record<string, string> {
  const all: Record<string, string> = { empty: '', 'large/one': lines('large', 40_000) }
  for (let n = 0; n < 100; n++) all[`src/f${n}`] = lines(`file ${n % 10}`, 200) + `only ${n}\n`
  return all
}

function committed(files = sources(), { isLoose = false } = {}) {
  const project = sampleProject(files)
  const { root } = project
  git(root, 'init', '-q')
  git(root, 'add', '-A')
  git(root, 'commit', '-q', '-m', 'all')
  if (!isLoose) git(root, 'gc', '-q')
  return project
}

function storedBytes(home: string): number {
  const folder = join(home, '.reprise/contents')
  if (!existsSync(folder)) return 0
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0)
}

test('every blob of a pack is found by its bytes and read by its name, as git reads it', () => {
  using project = committed()
  const { root } = project
  git(root, 'repack', '-q', '-adf', '--depth=50')
  const contents = openGitContents(root)
  assert.ok(git(root, 'verify-pack', '-v', packOf(root)).toString().includes('chain length'))
  for (const path of git(root, 'ls-files').toString().trim().split('\n')) {
    const bytes = readFileSync(join(root, path))
    const blob = git(root, 'rev-parse', `HEAD:${path}`).toString().trim()
    assert.equal(contents.find(bytes), blob, path)
  }
  assert.equal(contents.find(Buffer.from('never committed\n')), undefined)
  contents.release()
})

const packOf = (root: string): string => {
  const folder = join(root, '.git/objects/pack')
  return join(folder, readdirSync(folder).find((name) => name.endsWith('.idx')) ?? '')
}

for (const how of ['packed', 'loose', 'loose among thousands'] as const)
  test(`what git has ${how} is not kept, what it does not have is, and both are taken back, without git too`, () =>
    keepsTheRest(how))

async function keepsTheRest(how: 'packed' | 'loose' | 'loose among thousands') {
  using project = committed(sources(), { isLoose: how !== 'packed' })
  const { root, home } = project
  if (how === 'loose among thousands') addLoose(root, 4100)
  project.write('not committed', lines('mine', 100))
  const start = treeOf(root)
  const travel = await project.open()
  await travel.warm()
  assert.ok(storedBytes(home) < 1000, String(storedBytes(home)))
  assert.deepEqual((await travel.report()).notCovered, [{ path: '.git', reason: 'derived' }])
  await project.call(travel, 'a', () => {
    for (const path of ['src/f1', 'src/f2', 'not committed', 'large/one'])
      project.write(path, 'changed\n')
    rmSync(join(root, 'src/f3'))
  })
  await rewindAll(travel)
  assert.deepEqual(treeOf(root), start)
  const isOfGit = (path: string) => path === '.git' || path.startsWith('.git/')
  const withoutGit = Object.fromEntries(Object.entries(start).filter(([path]) => !isOfGit(path)))
  await project.call(await project.open({ sessionDir: 'session-state/two' }), 'b', () => {
    rmSync(join(root, '.git'), { recursive: true })
    for (const path of ['src/f4', 'large/one']) project.write(path, 'changed\n')
  })
  await rewindAll(await project.open({ sessionDir: 'session-state/two' }))
  assert.deepEqual(treeOf(root), withoutGit)
}

/** Of other times: no file of the project is one of them. */
function addLoose(root: string, count: number): void {
  const folder = join(root, '.git/objects/ff')
  mkdirSync(folder, { recursive: true })
  for (let n = 0; n < count; n++) writeFileSync(join(folder, n.toString(16).padStart(38, '0')), '')
}

async function rewindAll(travel: Awaited<ReturnType<ReturnType<typeof committed>['open']>>) {
  const result = await travel.apply(await travel.planRewind({ position: 0 }))
  assert.deepEqual([result.outcome, result.skippedFiles], ['success', []])
}

for (const isLoose of [false, true])
  test(`undo works after git gc --prune=now, after the clone is deleted, and when the command itself does it, ${isLoose ? 'loose' : 'packed'}`, () =>
    survivesHarm(isLoose))

async function survivesHarm(isLoose: boolean) {
  const harms: Record<string, (root: string) => void> = {
    gc(root) {
      git(root, 'checkout', '-q', '--orphan', 'new')
      git(root, 'rm', '-q', '-r', '-f', '--cached', '.')
      git(root, 'branch', '-q', '-D', 'master')
      git(root, 'reflog', 'expire', '--expire=now', '--all')
      git(root, 'gc', '-q', '--prune=now')
    },
    deleted: (root) => rmSync(join(root, '.git'), { recursive: true }),
  }
  for (const [name, harm] of Object.entries(harms)) {
    for (const when of ['between', 'in the command', 'after'] as const) {
      using project = committed(sources(), { isLoose })
      const { root } = project
      git(root, 'branch', '-M', 'master')
      const start = treeOf(join(root, 'src'))
      const first = await project.open()
      await first.warm()
      const travel = when === 'between' ? await project.open() : first
      if (when === 'between') harm(root)
      await project.call(travel, 'a', () => {
        if (when === 'in the command') harm(root)
        project.write('src/f1', 'changed\n')
        rmSync(join(root, 'src/f2'))
      })
      await project.call(travel, 'b', () => project.write('src/f4', 'named\n'), ['src/f4'])
      if (when === 'after') harm(root)
      const next = await project.open()
      await rewindAll(next)
      assert.deepEqual(treeOf(join(root, 'src')), start, `${name} ${when}`)
    }
  }
}

test('a command that comes while the project is read for the first time may remove the clone', async () => {
  for (const isLoose of [false, true]) {
    using project = committed(sources(), { isLoose })
    const { root } = project
    const start = treeOf(join(root, 'src'))
    const travel = await project.open()
    const warming = travel.warm()
    await project.call(travel, 'a', () => {
      rmSync(join(root, '.git'), { recursive: true })
      project.write('src/f1', 'changed\n')
      rmSync(join(root, 'src/f2'))
    })
    await warming
    await rewindAll(await project.open())
    assert.deepEqual(treeOf(join(root, 'src')), start)
  }
})

test('a new session in a project whose packs were written anew loses nothing', async () => {
  using project = committed()
  const { root } = project
  await (await project.open()).warm()
  git(root, 'repack', '-q', '-adf')
  const moved = join(root, '..', 'moved')
  renameSync(join(root, '.git'), moved)
  const start = treeOf(root)
  const travel = await project.open({ sessionDir: 'session-state/two' })
  await project.call(travel, 'a', () => project.write('src/f1', 'changed\n'))
  await rewindAll(travel)
  assert.deepEqual(treeOf(root), start)
})

test('what filters, line ends or LFS made of a content is ours, and no filter or hook runs', async () => {
  using project = sampleProject({
    '.gitattributes': 'crlf text eol=crlf\nfiltered filter=upper\nlfs filter=lfs\n',
    crlf: 'one\r\ntwo\r\n',
    filtered: 'shown\n',
    lfs: 'version https://git-lfs.github.com/spec/v1\n',
    plain: 'plain\n'.repeat(100),
  })
  const { root, home } = project
  const ran = join(root, '..', 'ran')
  git(root, 'init', '-q')
  git(root, 'add', '-A')
  git(root, 'commit', '-q', '-m', 'all')
  git(root, 'gc', '-q')
  project.write('lfs', 'the real content\n')
  git(root, 'config', 'filter.upper.smudge', `touch ${ran}; cat`)
  git(root, 'config', 'filter.upper.clean', `touch ${ran}; cat`)
  git(root, 'config', 'core.fsmonitor', `touch ${ran}`)
  git(root, 'config', 'core.hooksPath', root)
  project.write('post-index-change', `#!/bin/sh\ntouch ${ran}\n`)
  chmodSync(join(root, 'post-index-change'), 0o755)
  const start = treeOf(root)
  const travel = await project.open()
  const files = ['crlf', 'filtered', 'lfs', 'plain']
  await project.call(travel, 'a', () => {
    rmSync(join(root, '.git'), { recursive: true })
    for (const path of files) writeFileSync(join(root, path), 'changed\n')
  })
  await rewindAll(travel)
  for (const path of files) assert.equal(treeOf(root)[path], start[path], path)
  assert.equal(existsSync(ran), false)
  assert.ok(storedBytes(home) > 0)
})

test('a pack that is damaged, and a pipe or a folder in its place, are not believed', async () => {
  const harms: ((pack: string) => void)[] = [
    (pack) => {
      const bytes = readFileSync(pack)
      chmodSync(pack, 0o644)
      writeFileSync(pack, bytes.fill(7, 20, bytes.length - 20))
    },
    (pack) => {
      rmSync(pack)
      execFileSync('mkfifo', [pack])
    },
    (pack) => {
      rmSync(pack)
      mkdirSync(pack)
    },
  ]
  for (const harm of harms) {
    using project = committed()
    const { root } = project
    harm(packOf(root).replace(/idx$/, 'pack'))
    const start = treeOf(join(root, 'src'))
    const travel = await project.open()
    await project.call(travel, 'a', () => project.write('src/f1', 'changed\n'))
    await rewindAll(travel)
    assert.deepEqual(treeOf(join(root, 'src')), start)
  }
})

test('loose objects that are damaged, cut, no file or a link are not believed', async () => {
  using project = committed(sources(), { isLoose: true })
  const { root } = project
  const harms: ((file: string) => void)[] = [
    (file) => writeFileSync(file, 'no zlib'),
    (file) => writeFileSync(file, readFileSync(file).subarray(0, 30)),
    (file) => execFileSync('mkfifo', [file]),
    (file) => mkdirSync(file),
    (file) => symlinkSync('/etc/passwd', file),
  ]
  for (const [index, harm] of harms.entries()) {
    const blob = git(root, 'rev-parse', `HEAD:src/f${index}`).toString().trim()
    const file = join(root, '.git/objects', blob.slice(0, 2), blob.slice(2))
    const bytes = readFileSync(file)
    rmSync(file)
    if (index === 1) writeFileSync(file, bytes)
    harm(file)
    const contents = openGitContents(root)
    assert.equal(contents.find(readFileSync(join(root, `src/f${index}`))), undefined)
    contents.release()
  }
  const start = treeOf(join(root, 'src'))
  const travel = await project.open()
  await project.call(travel, 'a', () => {
    for (let index = 0; index < 6; index++) project.write(`src/f${index}`, 'changed\n')
  })
  await rewindAll(travel)
  assert.deepEqual(treeOf(join(root, 'src')), start)
})

test('a worktree has the contents of the repository that it belongs to', async () => {
  using project = committed()
  const { root } = project
  const other = join(root, '..', 'worktree')
  git(root, 'worktree', 'add', '-q', other)
  const contents = openGitContents(other)
  assert.notEqual(contents.find(readFileSync(join(other, 'src/f1'))), undefined)
  contents.release()
})
