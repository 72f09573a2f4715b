import assert from 'node:assert/strict'
import { chmod, mkdir, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import { temporaryPlace } from '../../../test/support/scripted-turn.ts'
import type { Editor } from '../../engine/agent.ts'
import { applyPatch } from './apply-patch.ts'
import { applyHunks } from './patch-hunks.ts'
import { parsePatch, type FileChange } from './patch-format.ts'
import type { ToolContext } from './tool.ts'

const signal = new AbortController().signal
const inPatch = (...lines: string[]) => ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')

async function apply(context: ToolContext, ...lines: string[]): Promise<string> {
  const running = applyPatch.run({ patch: inPatch(...lines) }, context)
  assert.ok(running instanceof Promise)
  return (await running).content
}

function hunks(...lines: string[]) {
  const [change] = parsePatch(inPatch('*** Update File: f', ...lines))
  return (change as Extract<FileChange, { kind: 'update' }>).hunks
}

const patched = (before: string, ...lines: string[]) => applyHunks(before, hunks(...lines))

test('a patch adds, changes, renames and deletes files', async () => {
  await using place = await temporaryPlace()
  const here = { ...place, signal }
  const file = (name: string) => join(here.cwd, name)
  await writeFile(file('a.ts'), 'one\ntwo\nthree\n')
  await writeFile(file('run.sh'), '#!/bin/sh\n')
  await chmod(file('run.sh'), 0o755)
  await writeFile(file('old'), 'x\n')
  const told = await apply(
    here,
    '*** Add File: sub/new.txt',
    '+first',
    '+',
    '+last',
    '*** Update File: a.ts',
    '@@',
    ' one',
    '-two',
    '+2',
    '*** Update File: run.sh',
    '*** Move to: bin/run.sh',
    '@@',
    ' #!/bin/sh',
    '+true',
    '*** Delete File: old',
  )
  assert.equal(
    told,
    'Created sub/new.txt.\nChanged a.ts.\nCreated bin/run.sh.\nDeleted run.sh.\nDeleted old.',
  )
  assert.equal(await readFile(file('sub/new.txt'), 'utf8'), 'first\n\nlast\n')
  assert.equal(await readFile(file('a.ts'), 'utf8'), 'one\n2\nthree\n')
  assert.equal(await readFile(file('bin/run.sh'), 'utf8'), '#!/bin/sh\ntrue\n')
  assert.equal((await stat(file('bin/run.sh'))).mode & 0o777, 0o755)
  assert.deepEqual((await readdir(here.cwd)).sort(), ['a.ts', 'bin', 'sub'])
})

test('passages are found by their lines, and lines that stay keep their own blanks', () => {
  const before = 'function a() {\n\treturn 1  \n}\nfunction b() {\n\treturn 1\n}\n'
  assert.equal(
    patched(before, '@@ function b() {', '-\treturn 1', '+\treturn 2'),
    'function a() {\n\treturn 1  \n}\nfunction b() {\n\treturn 2\n}\n',
  )
  assert.equal(
    patched(before, ' function a() {', '   return 1', '+\t// more', ' }'),
    'function a() {\n\treturn 1  \n\t// more\n}\nfunction b() {\n\treturn 1\n}\n',
  )
  assert.equal(patched('a\r\nb\r\n', ' a', '-b', '+c'), 'a\r\nc\r\n')
  assert.equal(patched('a\nb', '-b', '+c'), 'a\nc')
  assert.equal(patched('a\n', '+b'), 'a\nb\n')
  assert.equal(patched('x\na\nx\n', '-x', '+y', '*** End of File'), 'x\na\ny\n')
  assert.equal(
    patched('1\n2\n3\n4\n', '@@', '-1', '+one', '@@', '-4', '+four'),
    'one\n2\n3\nfour\n',
  )
})

test('a patch that fits nowhere changes nothing at all', async () => {
  await using place = await temporaryPlace()
  const here = { ...place, signal }
  await writeFile(join(here.cwd, 'a'), 'one\n')
  await assert.rejects(
    apply(here, '*** Add File: b', '+x', '*** Update File: a', '@@', '-two', '+2'),
    { code: 'failed', message: 'Nothing was changed: a: These lines are not in the file:\ntwo' },
  )
  await assert.rejects(apply(here, '*** Add File: a', '+x'), {
    message: 'Nothing was changed: a: It is there already.',
  })
  await assert.rejects(apply(here, '*** Delete File: none'), { code: 'failed' })
  assert.deepEqual(await readdir(here.cwd), ['a'])
})

test('what was written before a failure is put back', async () => {
  await using place = await temporaryPlace()
  const here = { ...place, signal }
  await writeFile(join(here.cwd, 'a'), 'one\n')
  await mkdir(join(here.cwd, 'b'))
  await assert.rejects(
    apply(
      here,
      '*** Update File: a',
      '-one',
      '+1',
      '*** Add File: new',
      '+x',
      '*** Add File: a/impossible',
      '+x',
    ),
  )
  assert.equal(await readFile(join(here.cwd, 'a'), 'utf8'), 'one\n')
  assert.deepEqual((await readdir(here.cwd)).sort(), ['a', 'b'])
})

test('what could not be put back is named', async () => {
  await using place = await temporaryPlace()
  await writeFile(join(place.cwd, 'a'), 'one\n')
  let isGone = false
  const editor: Editor = {
    offered: () => ({ readsFiles: false, writesFiles: true, terminals: false }),
    async ask(_method, { path, content }) {
      if (isGone) throw new Error('The editor has gone.')
      isGone = true
      await writeFile(String(path), String(content))
    },
    tell: () => {},
  }
  await assert.rejects(
    apply(
      { ...place, signal, editor },
      '*** Update File: a',
      '-one',
      '+1',
      '*** Add File: b',
      '+x',
    ),
    { message: 'Could not put back a: b: The editor has gone.' },
  )
  assert.deepEqual(await readdir(place.cwd), ['a'])
})

test('files outside the project are not compared, and one file is not named twice', async () => {
  await using place = await temporaryPlace()
  const here = { ...place, signal }
  await writeFile(join(here.workspacePath, 'events.jsonl'), 'log\n')
  await symlink(join(here.workspacePath, 'events.jsonl'), join(here.cwd, 'link'))
  for (const path of ['../session/events.jsonl', 'link', '/etc/passwd'])
    await assert.rejects(apply(here, `*** Delete File: ${path}`), /is outside the project/)
  await assert.rejects(apply(here, '*** Add File: x', '+1', '*** Add File: ./x', '+2'), {
    code: 'invalid_arguments',
  })
})

test('what is no patch is refused with the line that is wrong', () => {
  const reason = (patch: string) => {
    try {
      parsePatch(patch)
      return 'none'
    } catch (error) {
      return (error as Error).message
    }
  }
  assert.match(reason('hello'), /does not begin/)
  assert.match(reason('*** Begin Patch\n*** Add File: a\n+x'), /does not end/)
  assert.match(reason(inPatch()), /changes no file/)
  assert.match(reason(inPatch('*** Add File: a', 'x')), /must begin with "\+": x/)
  assert.match(
    reason(inPatch('*** Update File: a', '@@', '*x')),
    /must begin with " ", "-" or "\+"/,
  )
  assert.match(reason(inPatch('*** Delete File: a', '*** Delete File: a')), /names a twice/)
})
