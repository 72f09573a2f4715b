import assert from 'node:assert/strict'
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { checkAddress, whereItIs } from './address.ts'
import { checkPatch } from './check-patch.ts'
import { git } from './git.ts'
import { makePatch } from './make-patch.ts'
import { checkBranch, checkCommit } from './ref-name.ts'

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
    'https://github.com\\@elsewhere.example/acme/app',
    'https://github.com:443@elsewhere.example/acme/app',
    'ssh://-oProxyCommand=x@github.com/acme/app',
    'git@github.com:--upload-pack=x',
    '',
  ])
    assert.throws(() => checkAddress(url, allowed), /is not cloned/, url)
})

test('a name from elsewhere is never an option, a range or an expression', () => {
  for (const name of ['main', 'fix/a-b_c.d', 'ä', '7']) assert.equal(checkBranch(name), name)
  for (const name of [
    '--upload-pack=touch /tmp/x',
    '-',
    'a..b',
    'a b',
    'a:b',
    'a@{1}',
    '@',
    '.a',
    'a/.b',
    'a.lock',
    '/a',
    'a/',
    'a^',
    '',
  ])
    assert.throws(() => checkBranch(name), /is not the name of a branch. Nothing/, name)
  assert.equal(checkCommit('0123abc'), '0123abc')
  for (const name of ['--upload-pack=x', 'HEAD', 'main', 'abc', '0123abc^', ''])
    assert.throws(() => checkCommit(name), /is not the hash of a commit/, name)
})

test('where a listed host sends on to is a listed host, or nothing is cloned', async () => {
  const from = { url: 'https://github.com/acme/app', isLocal: false }
  const sentTo = (...places: string[]) => {
    const ask = (async () => {
      const location = places.shift()
      return location === undefined
        ? new Response('')
        : new Response(null, { status: 301, headers: { location } })
    }) as typeof fetch
    return whereItIs(from, allowed, { signal: new AbortController().signal, ask })
  }
  const refs = '/info/refs?service=git-upload-pack'
  assert.deepEqual(await sentTo(), from)
  assert.deepEqual(await sentTo(`/acme/app.git${refs}`, `https://github.com/new/app.git${refs}`), {
    url: 'https://github.com/new/app.git',
    isLocal: false,
  })
  await assert.rejects(
    sentTo(`https://elsewhere.example/acme/app${refs}`),
    /"elsewhere.example" is/,
  )
  await assert.rejects(sentTo(`http://github.com/acme/app${refs}`), /only https and ssh/)
  await assert.rejects(sentTo('https://github.com/login'), /sends on to/)
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
    patchOf('link', 'index 0123abc..4567def 120000\n'),
    patchOf('device', 'new file mode 060644\n'),
    `diff --git a/x b/x\nindex 0..1\nGIT binary patch\nliteral 1\nIcmZPo000310RR91\n\n${patchOf('.gitmodules').split('\n').slice(1).join('\n')}`,
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

test('a patch has what was changed, whatever is configured or checked out', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'reprise-patch-'))
  const home = mkdtempSync(join(tmpdir(), 'reprise-home-'))
  const before = process.env['HOME']
  const run = (...args: readonly string[]) => git(args, { cwd })
  const write = (path: string, text: string) => writeFileSync(join(cwd, path), text)
  try {
    process.env['HOME'] = home
    writeFileSync(join(home, '.gitconfig'), `[core]\nexcludesFile = ~/own-ignores\n`)
    writeFileSync(join(home, 'own-ignores'), '*.private\n')
    await run('init', '-q')
    for (const dir of ['kept', 'away']) mkdirSync(join(cwd, dir))
    write('.gitattributes', '*.up filter=up\n')
    for (const path of ['kept/a.txt', 'away/b.txt', 'c.up', 'run.sh']) write(path, 'one\n')
    // Git looks again at what was written in the same moment as its index.
    utimesSync(join(cwd, 'c.up'), 1, 1)
    await run('config', 'filter.up.clean', 'tr a-z A-Z')
    await run('add', '-A')
    await run('commit', '-qm', 'one')
    await run('config', '--unset', 'filter.up.clean')
    await run('config', 'diff.noprefix', 'true')
    await run('config', 'diff.external', 'false')
    await run('sparse-checkout', 'set', 'kept')
    write('kept/a.txt', 'two\n')
    write('notes.private', 'mine\n')
    chmodSync(join(cwd, 'run.sh'), 0o755)
    const base = (await run('rev-parse', 'HEAD')).trim()
    const { text, files, leftOut } = await makePatch({ cwd, base, redactText: (each) => each })
    assert.deepEqual(files, ['kept/a.txt', 'run.sh'])
    assert.deepEqual(checkPatch(text), ['kept/a.txt', 'run.sh'])
    assert.match(text, /^diff --git a\/kept\/a\.txt b\/kept\/a\.txt$/m)
    assert.match(text, /^new mode 100755$/m)
    assert.deepEqual(leftOut, [{ path: 'notes.private', why: 'git ignores it' }])
    assert.equal((await run('status', '--porcelain', '-uno')).trim(), 'M kept/a.txt\n M run.sh')
  } finally {
    process.env['HOME'] = before
    for (const folder of [cwd, home]) rmSync(folder, { recursive: true, force: true })
  }
})

test('a failure is told by what is the matter, not by the advice behind it', async () => {
  const cwd = mkdtempSync(join(tmpdir(), 'reprise-git-'))
  try {
    await git(['init', '-q'], { cwd })
    await assert.rejects(git(['fetch', join(cwd, 'nowhere')], { cwd, mayBeLocal: true }), {
      message: /^git fetch: fatal: '.*nowhere' does not appear to be a git repository$/,
    })
  } finally {
    rmSync(cwd, { recursive: true })
  }
})
