import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  mkdirSync,
  mkdtempSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, describe, test } from 'node:test'
import { detectProject } from './project.ts'

const base = realpathSync(mkdtempSync(join(tmpdir(), 'reprise-project-')))
after(() => rmSync(base, { recursive: true, force: true }))

const SHA = '0123456789012345678901234567890123456789'
let count = 0
const folder = (): string => {
  const path = join(base, `case-${++count}`)
  mkdirSync(path)
  return path
}
function put(root: string, files: Record<string, string>): string {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true })
    writeFileSync(join(root, name), text)
  }
  return root
}
/** Detects with a user configuration of its own, so that the machine's is not read. */
const detect = (cwd: string, home = base) => detectProject(cwd, { home })
const origin = (url: string): string => `[remote "origin"]\n\turl = ${url}\n`

describe('from hand-made repositories', () => {
  test('a directory in no repository is itself', async () => {
    const cwd = folder()
    assert.deepEqual(await detect(cwd), { cwd })
  })

  test('a missing directory belongs to what is above it', async () => {
    const root = put(folder(), { '.git/HEAD': 'ref: refs/heads/main\n' })
    assert.equal((await detect(join(root, 'gone', 'deeper'))).gitRoot, root)
  })

  test('branch, commit and repository of a subfolder', async () => {
    const root = put(folder(), {
      '.git/HEAD': 'ref: refs/heads/feature/x\n',
      '.git/refs/heads/feature/x': `${SHA}\n`,
      '.git/config': origin('https://user:token@github.com/Octo/Cat.git'),
      'a/b/file': '',
    })
    assert.deepEqual(await detect(join(root, 'a', 'b')), {
      cwd: join(root, 'a', 'b'),
      gitRoot: root,
      repository: 'Octo/Cat',
      hostType: 'github',
      repositoryHost: 'github.com',
      branch: 'feature/x',
      headCommit: SHA,
      repositoryKey: 'github:octo/cat',
    })
  })

  test('a commit that is only in packed-refs is found at any place of the file', async () => {
    const others = Array.from({ length: 5000 }, (_, n) => `${'f'.repeat(40)} refs/tags/v${n}`)
    for (const at of [0, 2500, 5000]) {
      const lines = others.toSpliced(at, 0, `${SHA} refs/heads/main`)
      const root = put(folder(), {
        '.git/HEAD': 'ref: refs/heads/main\n',
        '.git/packed-refs': `# pack-refs with: peeled fully-peeled sorted\n${lines.join('\n')}\n`,
      })
      assert.equal((await detect(root)).headCommit, SHA)
    }
  })

  test('a reftable repository has no branch that we can read, and no error', async () => {
    const root = put(folder(), { '.git/HEAD': 'ref: refs/heads/.invalid\n' })
    const { branch, headCommit, gitRoot } = await detect(root)
    assert.deepEqual(
      { branch, headCommit, gitRoot },
      { branch: undefined, headCommit: undefined, gitRoot: root },
    )
  })

  test('HEAD as a symbolic link names its branch', async () => {
    const root = put(folder(), { '.git/refs/heads/old': SHA })
    symlinkSync('refs/heads/old', join(root, '.git', 'HEAD'))
    const { branch, headCommit } = await detect(root)
    assert.deepEqual({ branch, headCommit }, { branch: 'old', headCommit: SHA })
  })

  test('a forged HEAD reads nothing outside the repository', async () => {
    const root = put(folder(), { '.git/HEAD': 'ref: refs/../../secret\n', secret: SHA })
    const { branch, headCommit } = await detect(root)
    assert.deepEqual({ branch, headCommit }, { branch: undefined, headCommit: undefined })
  })

  test('an empty .git folder is passed over, a dangling work tree is not', async () => {
    const root = put(folder(), {
      '.git/HEAD': 'ref: refs/heads/main\n',
      'empty/.git/nothing': '',
      'dangling/.git': 'gitdir: ../gone\n',
    })
    assert.equal((await detect(join(root, 'empty'))).gitRoot, root)
    assert.deepEqual(await detect(join(root, 'dangling')), { cwd: join(root, 'dangling') })
  })

  test('origin is preferred, then upstream, then the only one', async () => {
    const remote = (name: string) =>
      `[remote "${name}"]\n url = git@github.com:${name}/app\n url = git@github.com:second/app\n`
    const cases: [string[], string | undefined][] = [
      [['fork', 'upstream', 'origin'], 'origin/app'],
      [['fork', 'upstream'], 'upstream/app'],
      [['fork'], 'fork/app'],
      [['fork', 'other'], undefined],
    ]
    for (const [names, repository] of cases) {
      const config = names.map(remote).join('')
      const root = put(folder(), { '.git/HEAD': 'ref: refs/heads/main', '.git/config': config })
      assert.equal((await detect(root)).repository, repository)
    }
  })

  test('insteadOf is honoured, the longest match first, from the repository and the user', async () => {
    const home = put(folder(), { '.gitconfig': '[url "https://github.com/"]\n insteadOf = gh:\n' })
    const config = `${origin('gh:work/app')}[url "ssh://git@corp.example/"]\n insteadOf = gh:work/\n`
    const root = put(folder(), { '.git/HEAD': 'ref: refs/heads/main', '.git/config': config })
    assert.equal((await detect(root, home)).repository, 'corp.example/app')
    put(root, { '.git/config': origin('gh:play/app') })
    assert.equal((await detect(root, home)).repository, 'play/app')
  })

  test('without a remote the first commit is the key, and moves with the folder', async () => {
    const line = `${'0'.repeat(40)} ${SHA} A <a@b> 1700000000 +0000\tcommit (initial): one\n`
    const root = put(folder(), { '.git/HEAD': 'ref: refs/heads/main', '.git/logs/HEAD': line })
    const before = await detect(root)
    renameSync(root, `${root}-moved`)
    const moved = await detect(`${root}-moved`)
    assert.deepEqual([before.repositoryKey, moved.repositoryKey], [`root:${SHA}`, `root:${SHA}`])
  })

  test('a remote on this machine gives no repository, and the place is the last key', async () => {
    const root = put(folder(), {
      '.git/HEAD': 'ref: refs/heads/main',
      '.git/config': origin('/srv/git/app.git'),
    })
    assert.deepEqual(await detect(root), {
      cwd: root,
      gitRoot: root,
      branch: 'main',
      repositoryKey: `dir:${join(root, '.git')}`,
    })
  })

  test('a configuration beyond the limit is read as far as it goes', async () => {
    const config = origin('git@github.com:octo/cat') + '# filler\n'.repeat(20_000)
    const root = put(folder(), { '.git/HEAD': 'ref: refs/heads/main', '.git/config': config })
    assert.equal((await detect(root)).repository, 'octo/cat')
  })

  test('a pipe in place of a file is not waited for', async (t) => {
    const root = put(folder(), { '.git/HEAD': 'ref: refs/heads/main' })
    if (spawnSync('mkfifo', [join(root, '.git', 'config')]).status !== 0) return t.skip('no mkfifo')
    assert.equal((await detect(root)).branch, 'main')
  })
})

const hasGit = spawnSync('git', ['--version']).status === 0

describe(
  'from repositories that git made',
  { skip: hasGit ? false : 'git is not installed' },
  () => {
    const git = (cwd: string, ...args: string[]): string =>
      execFileSync('git', args, {
        cwd,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'ignore'],
        env: {
          PATH: process.env['PATH'],
          HOME: base,
          GIT_CONFIG_NOSYSTEM: '1',
          GIT_AUTHOR_NAME: 'a',
          GIT_AUTHOR_EMAIL: 'a@b',
          GIT_COMMITTER_NAME: 'a',
          GIT_COMMITTER_EMAIL: 'a@b',
          GIT_ALLOW_PROTOCOL: 'file',
        },
      }).trim()
    const repository = (): string => {
      const root = folder()
      git(root, 'init', '-q', '-b', 'main')
      git(root, 'commit', '-q', '--allow-empty', '-m', 'one')
      return root
    }

    test('before the first commit there is a branch and no commit', async () => {
      const root = folder()
      git(root, 'init', '-q', '-b', 'trunk')
      const { branch, headCommit } = await detect(root)
      assert.deepEqual({ branch, headCommit }, { branch: 'trunk', headCommit: undefined })
    })

    test('a detached HEAD has a commit and no branch', async () => {
      const root = repository()
      git(root, 'checkout', '-q', '--detach')
      const { branch, headCommit } = await detect(root)
      assert.deepEqual(
        { branch, headCommit },
        { branch: undefined, headCommit: git(root, 'rev-parse', 'HEAD') },
      )
    })

    test('packed refs', async () => {
      const root = repository()
      git(root, 'pack-refs', '--all')
      assert.equal((await detect(root)).headCommit, git(root, 'rev-parse', 'HEAD'))
    })

    test('a work tree has its own root and branch, and the key of its repository', async () => {
      const root = repository()
      const tree = `${root}-tree`
      git(root, 'worktree', 'add', '-q', '-b', 'topic', tree)
      const [main, linked] = [await detect(root), await detect(tree)]
      assert.deepEqual(linked, { ...main, cwd: tree, gitRoot: tree, branch: 'topic' })
      assert.equal(linked.repositoryKey, `root:${git(root, 'rev-parse', 'HEAD')}`)
    })

    test('a submodule is a repository of its own', async () => {
      const [outer, inner] = [repository(), repository()]
      git(outer, 'submodule', 'add', '-q', inner, 'part')
      git(join(outer, 'part'), 'remote', 'set-url', 'origin', 'https://github.com/octo/part')
      const { gitRoot, repository: name, headCommit } = await detect(join(outer, 'part'))
      assert.deepEqual(
        { gitRoot, name, headCommit },
        {
          gitRoot: join(outer, 'part'),
          name: 'octo/part',
          headCommit: git(inner, 'rev-parse', 'HEAD'),
        },
      )
    })

    test('a repository reached through a symbolic link is the same repository', async () => {
      const root = repository()
      symlinkSync(root, `${root}-link`)
      const [direct, linked] = [await detect(root), await detect(`${root}-link`)]
      assert.deepEqual(linked, { ...direct, cwd: `${root}-link` })
    })

    test('a URL that git itself quoted in the configuration is read back', async () => {
      const root = repository()
      git(root, 'remote', 'add', 'origin', 'https://example.com/a;b/c#d')
      assert.equal((await detect(root)).repository, 'example.com/a;b/c')
    })
  },
)
