import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { temporaryPlace } from '../../../test/support/scripted-turn.ts'
import { append } from './append.ts'
import { create } from './create.ts'
import { edit } from './edit.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'
import type { Deed, Tool, ToolContext } from './tool.ts'
import { view } from './view.ts'
import { walk } from './walk.ts'

async function project(files: Record<string, string | Uint8Array> = {}) {
  const place = await temporaryPlace()
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(place.cwd, path)), { recursive: true })
    await writeFile(join(place.cwd, path), content)
  }
  return { ...place, signal: new AbortController().signal }
}

async function content<Args>(tool: Tool<Args>, args: Args, context: ToolContext): Promise<string> {
  const running = tool.run(args, context)
  assert.ok(running instanceof Promise)
  return (await running).content
}

const kindOf = async (deed: ReturnType<Tool['permission']>) =>
  ((await deed) as Deed | undefined)?.kind

const refuses = (work: Promise<unknown>, message: string, code = 'failed') =>
  assert.rejects(work, { name: 'ToolFailure', code, message })

test('view numbers the lines, whole or in a range', async () => {
  await using here = await project({ 'a.txt': 'one\ntwo\nthree\n', 'empty.txt': '' })
  assert.equal(await content(view, { path: 'a.txt' }, here), '1. one\n2. two\n3. three')
  assert.equal(await content(view, { path: 'a.txt', view_range: [2, 2] }, here), '2. two')
  assert.equal(
    await content(view, { path: 'a.txt', view_range: [2, -1] }, here),
    '2. two\n3. three',
  )
  assert.equal(await content(view, { path: 'a.txt', view_range: [3, 99] }, here), '3. three')
  assert.equal(await content(view, { path: 'empty.txt' }, here), '(empty)')
  await refuses(
    content(view, { path: 'a.txt', view_range: [5, 6] }, here),
    'a.txt cannot be shown: It has fewer than 5 lines.',
  )
  await refuses(
    content(view, { path: 'a.txt', view_range: [2, 1] }, here),
    'a.txt cannot be shown: The range ends (1) before it starts (2).',
    'invalid_arguments',
  )
})

test('view finds a range far behind the limit and shows no more than 1 MiB', async () => {
  await using here = await project({ 'big.txt': `${'x'.repeat(99)}\n`.repeat(30_000) + 'end\n' })
  assert.equal(
    await content(view, { path: 'big.txt', view_range: [30_001, -1] }, here),
    '30001. end',
  )
  const shown = await content(view, { path: 'big.txt' }, here)
  assert.ok(shown.endsWith('\n… cut after 1 MiB; the file has 3000004 bytes'))
  assert.ok(shown.length < 1.2 * 1024 * 1024)
})

test('view lists a folder, and a name cannot pass for two', async () => {
  await using here = await project({ 'b/c': '', 'a\nrun evil': '', '\u202eexe.txt': '' })
  assert.equal(
    await content(view, { path: '.' }, here),
    ['"\\u{202e}exe.txt"', '"a\\nrun evil"', 'b/'].join('\n'),
  )
})

test('what is not text is not shown and not waited for', async () => {
  await using here = await project({ 'image.png': Uint8Array.of(1, 0, 2) })
  execFileSync('mkfifo', [join(here.cwd, 'pipe')])
  await refuses(
    content(view, { path: 'image.png' }, here),
    'image.png cannot be shown: It is a binary file of 3 bytes.',
  )
  await refuses(
    content(view, { path: 'pipe' }, here),
    'pipe cannot be shown: It is not a plain file.',
  )
  await refuses(
    content(create, { path: 'pipe', file_text: 'x' }, here),
    'pipe was not written: It is not a plain file.',
  )
  await refuses(
    content(view, { path: 'none' }, here),
    'none cannot be shown: There is no such file or folder.',
  )
})

test('reading needs permission only outside the project and the session, wherever a link leads', async () => {
  await using here = await project({ 'a.txt': 'x' })
  await symlink('/etc', join(here.cwd, 'link'))
  await writeFile(join(here.workspacePath, 'events.jsonl'), '')
  await symlink(join(here.workspacePath, 'events.jsonl'), join(here.cwd, 'log'))
  await mkdir(join(here.workspacePath, 'files'))
  const asks = async (path: string) => (await view.permission({ path }, here)) !== undefined
  const paths = {
    'a.txt': false,
    '.': false,
    'none/at/all': false,
    '..a': false,
    [join(here.workspacePath, 'plan.md')]: false,
    [join(here.workspacePath, 'files/note.md')]: false,
    [join(here.workspacePath, 'events.jsonl')]: true,
    log: true,
    'link/passwd': true,
    '..': true,
    '~/.ssh/id': true,
  }
  const asked = await Promise.all(Object.keys(paths).map(async (path) => [path, await asks(path)]))
  assert.deepEqual(Object.fromEntries(asked), paths)
  assert.deepEqual(await grep.permission({ pattern: 'a', path: '/etc' }, here), {
    kind: 'read',
    intention: 'Search /etc for "a"',
    path: '/etc',
    resolvedPath: '/etc',
  })
  await refuses(
    view.permission({ path: 'a\0b' }, here),
    'The path is empty or holds a NUL character.',
    'invalid_arguments',
  )
})

test('create makes folders, asks with the difference, and keeps the mode of what it overwrites', async () => {
  await using here = await project({ 'run.sh': 'old\n' })
  await chmod(join(here.cwd, 'run.sh'), 0o755)
  assert.deepEqual(await create.permission({ path: 'run.sh', file_text: 'new\n' }, here), {
    kind: 'write',
    intention: 'Overwrite run.sh',
    fileName: 'run.sh',
    diff: '--- run.sh\n+++ run.sh\n@@ -1,1 +1,1 @@\n-old\n+new\n',
    resolvedPath: join(here.cwd, 'run.sh'),
    canOfferSessionApproval: true,
  })
  await content(create, { path: 'run.sh', file_text: 'n\n' }, here)
  assert.equal(await readFile(join(here.cwd, 'run.sh'), 'utf8'), 'n\n')
  assert.equal((await stat(join(here.cwd, 'run.sh'))).mode & 0o777, 0o755)
  assert.equal(
    await content(create, { path: 'new/deep/ü.txt', file_text: '€' }, here),
    'Wrote 3 bytes to new/deep/ü.txt.',
  )
  await refuses(
    content(create, { path: 'run.sh/x', file_text: '' }, here),
    'run.sh/x was not written: A part of the path is a file, not a folder.',
  )
})

test('the plan of the session is written without asking; its log is not', async () => {
  await using here = await project()
  const asks = async (name: string) =>
    kindOf(create.permission({ path: join(here.workspacePath, name), file_text: '' }, here))
  assert.deepEqual([await asks('plan.md'), await asks('events.jsonl')], [undefined, 'write'])
})

test('a link that leads nowhere yet is asked for where it leads', async () => {
  await using here = await project()
  const elsewhere = join(here.workspacePath, 'events.jsonl')
  await symlink(elsewhere, join(here.cwd, 'file'))
  await symlink('file', join(here.cwd, 'chain'))
  for (const [path, resolvedPath] of [
    ['file', elsewhere],
    ['chain', elsewhere],
    ['file/a', join(elsewhere, 'a')],
    ['file/../b', join(here.workspacePath, 'b')],
  ] as const) {
    const deed = await create.permission({ path, file_text: 'x' }, here)
    assert.deepEqual(deed, { ...deed, kind: 'write', resolvedPath }, path)
  }
})

test('append adds to the end and creates what is missing', async () => {
  await using here = await project({ 'a.txt': 'one\n' })
  await content(append, { path: 'a.txt', text: 'two\n' }, here)
  await content(append, { path: 'b.txt', text: 'new\n' }, here)
  assert.equal(await readFile(join(here.cwd, 'a.txt'), 'utf8'), 'one\ntwo\n')
  assert.equal(await readFile(join(here.cwd, 'b.txt'), 'utf8'), 'new\n')
  assert.equal(await kindOf(append.permission({ path: 'a.txt', text: 'three\n' }, here)), 'write')
})

test('edit replaces the one passage, takes every character as it is, and changes nothing when unsure', async () => {
  const before = '\ufeffa $& b\r\naa\r\n'
  await using here = await project({ 'a.txt': before, 'latin.txt': Uint8Array.of(0x61, 0xe9) })
  const now = () => readFile(join(here.cwd, 'a.txt'), 'utf8')
  const change = (old_str: string, new_str: string, path = 'a.txt') =>
    content(edit, { path, old_str, new_str }, here)
  await refuses(change('zz', 'y'), 'a.txt was not changed: The passage is not in the file.')
  await refuses(
    change('a', 'y'),
    'a.txt was not changed: The passage is there more than once. Take more of the text around it.',
  )
  await refuses(change('b', 'b'), 'a.txt was not changed: The new text is the old one.')
  await refuses(
    change('a', 'b', 'latin.txt'),
    'latin.txt was not changed: The file is not UTF-8 text.',
  )
  assert.equal(await now(), before)
  assert.equal(await change('$& b', "$' $1"), 'Replaced one passage in a.txt.')
  assert.equal(await now(), "\ufeffa $' $1\r\naa\r\n")
})

test('an edit outside the project is asked for before the file is looked at', async () => {
  await using here = await project()
  const outside = join(here.workspacePath, 'secret')
  const deed = edit.permission({ path: outside, old_str: 'a', new_str: 'b' }, here)
  assert.equal(await kindOf(deed), 'write')
})

test('who decides about every call is shown what an edit changes in the file, and no failure of it', async () => {
  await using here = await project({ 'a.txt': 'one\ntwo\nthree\n' })
  const path = join(here.cwd, 'a.txt')
  const asked = { ...here, asksToRead: () => true }
  const shownOf = async (old_str: string) => {
    const deed = await edit.permission({ path, old_str, new_str: 'x' }, asked)
    return (deed as { diff?: string } | undefined)?.diff
  }
  assert.equal(
    await shownOf('two'),
    '--- a.txt\n+++ a.txt\n@@ -1,3 +1,3 @@\n one\n-two\n+x\n three\n',
  )
  assert.equal(
    await shownOf('not there'),
    '--- a.txt\n+++ a.txt\n@@ -1,1 +1,1 @@\n-not there\n+x\n',
  )
})

test('glob and grep see plain files only, leave out .git and node_modules, and follow no link', async () => {
  await using here = await project({
    'src/a.ts': 'first\nNeedle here\n',
    'src/b.js': 'needle',
    'node_modules/x.ts': 'needle',
    '.git/y.ts': 'needle',
    'z\n.ts': 'needle',
    'bin.ts': Buffer.from('\0needle'),
  })
  await symlink('/etc', join(here.cwd, 'src/etc'))
  await symlink(join(here.cwd, 'src/b.js'), join(here.cwd, 'linked.ts'))
  assert.equal(await content(glob, { pattern: '**/*.ts' }, here), 'bin.ts\n"z\\n.ts"\nsrc/a.ts')
  assert.equal(await content(glob, { pattern: '*.rs' }, here), 'No file fits.')
  assert.equal(
    await content(grep, { pattern: 'needle' }, here),
    '"z\\n.ts":1: needle\nsrc/b.js:1: needle',
  )
  assert.equal(
    await content(grep, { pattern: 'NEEDLE', glob: 'src/*.ts', ignore_case: true }, here),
    'src/a.ts:2: Needle here',
  )
  assert.equal(await content(grep, { pattern: 'first', path: 'src/a.ts' }, here), 'a.ts:1: first')
  assert.equal(
    await content(grep, { pattern: '^fir|[(]{2}', path: 'src/a.ts' }, here),
    'a.ts:1: first',
  )
  assert.equal(
    await content(grep, { pattern: 'FIRST$', path: 'src/a.ts', ignore_case: true }, here),
    'a.ts:1: first',
  )
  await assert.rejects(content(grep, { pattern: '(first' }, here), {
    code: 'invalid_arguments',
    message: /^"\(first" is no regular expression .*Nothing was searched\./,
  })
  await refuses(
    content(glob, { pattern: '*', path: 'none' }, here),
    'none cannot be searched: There is no such file or folder.',
  )
})

test('a search is bounded in what it finds and in what it looks at', async () => {
  await using here = await project({ 'a.txt': 'x\n'.repeat(1000), 'b.txt': '', 'c.txt': '' })
  const found = await content(grep, { pattern: 'x' }, here)
  assert.deepEqual(
    [found.split('\n').length, found.split('\n').at(-1)],
    [201, '… and there are more'],
  )
  const seen: string[] = []
  for await (const each of walk(here.cwd, here.signal, 2)) {
    seen.push(each === 'unfinished' ? each : each.path)
  }
  assert.deepEqual(seen, ['a.txt', 'b.txt', 'unfinished'])
})
