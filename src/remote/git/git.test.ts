import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkAddress } from './address.ts'
import { checkPatch } from './check-patch.ts'
import { git } from './git.ts'
import { makePatch } from './make-patch.ts'

const allowed = { hosts: ['github.com'], local: ['/srv/git'] }

test('repositories come from listed hosts over https or ssh, and from listed folders', () => {
  for (const url of [
    'https://github.com/acme/app.git',
    'ssh://git@github.com/acme/app.git',
    'git@github.com:acme/app.git',
  ])
    assert.deepEqual(checkAddress(url, allowed), { url, isLocal: false })
  assert.deepEqual(checkAddress('/srv/git/app.git', allowed), {
    url: '/srv/git/app.git',
    isLocal: true,
  })
  for (const url of [
    'https://example.com/acme/app.git',
    'https://github.com.evil.example/acme/app',
    'http://github.com/acme/app.git',
    'git://github.com/acme/app.git',
    'ext::sh -c touch% /tmp/x',
    'file:///srv/git/app.git',
    '--upload-pack=touch /tmp/x',
    '-oProxyCommand=x:acme/app',
    'https://user:secret@github.com/acme/app',
    '/srv/git/../other/app.git',
    '/srv/gitother/app.git',
    '/home/ann/app',
    '',
  ])
    assert.throws(() => checkAddress(url, allowed), /is not cloned/, url)
})

const patchOf = (path: string, more = '') =>
  `diff --git a/${path} b/${path}\n${more}--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-x\n+y\n`

test('a patch stays in its project', () => {
  assert.deepEqual(checkPatch(''), [])
  assert.deepEqual(checkPatch(patchOf('src/a b.ts')), ['src/a b.ts'])
  assert.deepEqual(
    checkPatch('diff --git "a/\\303\\244.txt" "b/\\303\\244.txt"\nnew file mode 100644\n'),
    ['ä.txt'],
  )
  // What only looks like a head inside of a change is content.
  assert.deepEqual(
    checkPatch(
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n--- a/../../etc/passwd\n+++ b/.git/config\n',
    ),
    ['x'],
  )
  for (const patch of [
    patchOf('../outside'),
    patchOf('.git/hooks/post-checkout'),
    patchOf('sub/.GIT/config'),
    patchOf('.gitmodules'),
    patchOf('/etc/passwd'),
    patchOf('link', 'new file mode 120000\n'),
    patchOf('sub', 'new file mode 160000\n'),
    'diff --git a/x b/x\nrename from x\nrename to ../y\n',
    'diff --git "a/x" "b/\\056\\056/y"\n',
    'just words',
  ])
    assert.throws(() => checkPatch(patch), /is not taken/, patch)
})

test('what no worker would take stays out of a patch and is named', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'reprise-patch-'))
  const run = (...args: readonly string[]) => git(args, { cwd })
  try {
    await run('init', '-q')
    symlinkSync('a.txt', join(cwd, 'old-link'))
    writeFileSync(join(cwd, 'a.txt'), 'one')
    await run('add', '-A')
    await run('-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'one')
    const base = (await run('rev-parse', 'HEAD')).trim()
    rmSync(join(cwd, 'old-link'))
    symlinkSync('/etc/passwd', join(cwd, 'new-link'))
    mkdirSync(join(cwd, 'inner'))
    await git(['init', '-q'], { cwd: join(cwd, 'inner') })
    writeFileSync(join(cwd, 'inner', 'b.txt'), 'two')
    await git(['add', '-A'], { cwd: join(cwd, 'inner') })
    await git(['-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '-qm', 'two'], {
      cwd: join(cwd, 'inner'),
    })
    writeFileSync(join(cwd, '.gitmodules'), '[submodule "inner"]\n')
    writeFileSync(join(cwd, 'a.txt'), 'two')
    writeFileSync(join(cwd, 'key'), 'secret')
    const { text, files, leftOut } = await makePatch({
      cwd,
      base,
      redactText: (each) => each.replace('secret', '***'),
    })
    assert.deepEqual(checkPatch(text), ['a.txt'])
    assert.deepEqual(files, ['a.txt'])
    assert.deepEqual(Object.fromEntries(leftOut.map(({ path, why }) => [path, why])), {
      '.gitmodules': 'it belongs to git itself',
      inner: 'it is a repository of its own',
      key: 'a secret was found in its changes',
      'new-link': 'it is a link',
      'old-link': 'it is a link',
    })
  } finally {
    rmSync(cwd, { recursive: true, force: true })
  }
})
