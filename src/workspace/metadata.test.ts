import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { asSessionId } from '../format/ids.ts'
import { openDisk } from '../fs/disk.ts'
import {
  autoName,
  metadataFromLog,
  readMetadata,
  setAsideBroken,
  updateMetadata,
  writeMetadata,
} from './metadata.ts'

const root = mkdtempSync(join(tmpdir(), 'reprise-metadata-'))
after(() => rmSync(root, { recursive: true, force: true }))
const fs = openDisk(root)
const id = asSessionId('00000000-0000-4000-8000-000000000001')
let count = 0
function session(text?: string): { dir: string; path: string } {
  const dir = `case-${++count}/${id}`
  mkdirSync(join(root, dir), { recursive: true })
  const path = join(root, dir, 'workspace.yaml')
  if (text !== undefined) writeFileSync(path, text)
  return { dir, path }
}

test('what is written is read back, private to its owner', async () => {
  const { dir, path } = session()
  const file = { id, cwd: '/tmp/a: b', name: 'Fix "it" # now', user_named: true, summary_count: 2 }
  await writeMetadata(fs, dir, file)
  assert.deepEqual(await readMetadata(fs, dir), { file })
  assert.equal(statSync(path).mode & 0o777, 0o600)
})

test('a missing file is missing', async () => {
  assert.deepEqual(await readMetadata(fs, session().dir), { missing: true })
})

test('any YAML that says the same is read: quotes, block text, comments, CRLF', async () => {
  const text = `# by hand\r\n"id": '${id}'\r\nname: >-\r\n  two\r\n  lines\r\nx_tags: [a, {b: 1}]\r\n`
  assert.deepEqual(await readMetadata(fs, session(text).dir), {
    file: { id, name: 'two lines', user_named: true, unknown: { x_tags: ['a', { b: 1 }] } },
  })
})

for (const [what, text] of Object.entries({
  'not YAML': `id: ${id}\nname: [`,
  'a list': '- a\n- b\n',
  'a text': 'hello',
  empty: '',
  'another id': 'id: ../42\n',
  'a wrong type': `id: ${id}\nuser_named: {}\n`,
  aliases: `id: ${id}\na: &a [1, 1]\nb: [*a, *a]\n`,
  'a key twice': `id: ${id}\nname: a\nname: b\n`,
  'too large': `id: ${id}\nname: ${'x'.repeat(70_000)}\n`,
})) {
  test(`a file that is ${what} is broken, and says why`, async () => {
    const read = await readMetadata(fs, session(text).dir)
    assert.ok('broken' in read && read.broken.length > 0, JSON.stringify(read))
  })
}

test('a link in place of the file is broken and not followed', async () => {
  const { dir, path } = session()
  writeFileSync(join(root, 'elsewhere.yaml'), `id: ${id}\n`)
  symlinkSync(join(root, 'elsewhere.yaml'), path)
  assert.deepEqual(await readMetadata(fs, dir), { broken: 'not a regular file' })
})

test('an update keeps what it does not know and leaves out what is set to undefined', async () => {
  const { dir } = session(`id: ${id}\nbranch: main\nfuture_key: [1, two]\n`)
  await updateMetadata(fs, dir, (file) => ({ ...file, branch: undefined, fork_count: 1 }))
  assert.deepEqual(await readMetadata(fs, dir), {
    file: { id, fork_count: 1, unknown: { future_key: [1, 'two'] } },
  })
})

test('an update that changes nothing does not touch the file', async () => {
  const { dir } = session(`id: ${id}\nbranch: main\n`)
  const before = await fs.stat(`${dir}/workspace.yaml`)
  await updateMetadata(fs, dir, (file) => ({ ...file, branch: 'main' }))
  assert.deepEqual(await fs.stat(`${dir}/workspace.yaml`), before)
})

test('updates that meet do not undo each other', async () => {
  const { dir } = session(`id: ${id}\n`)
  const add = () =>
    updateMetadata(fs, dir, (file) => ({ ...file, fork_count: (file.fork_count ?? 0) + 1 }))
  await Promise.all(Array.from({ length: 20 }, add))
  assert.deepEqual(await readMetadata(fs, dir), { file: { id, fork_count: 20 } })
})

test('an update that another process overtakes is made again on what that wrote', async () => {
  const { dir } = session(`id: ${id}\nname: old\n`)
  let overtaken = false
  const other = {
    ...fs,
    openRead: async (path: string) => {
      const opened = await fs.openRead(path)
      if (!overtaken) {
        overtaken = true
        await writeMetadata(fs, dir, { id, name: 'chosen elsewhere', user_named: true })
      }
      return opened
    },
  }
  await updateMetadata(other, dir, (file) => ({ ...file, branch: 'main' }))
  assert.deepEqual(await readMetadata(fs, dir), {
    file: { id, branch: 'main', name: 'chosen elsewhere', user_named: true },
  })
})

test('an update of a missing file begins with the id of the folder', async () => {
  const { dir } = session()
  await updateMetadata(fs, dir, (file) => ({ ...file, name: 'new', user_named: true }))
  assert.deepEqual(await readMetadata(fs, dir), { file: { id, name: 'new', user_named: true } })
})

test('an update of a broken file keeps it aside and begins with the rebuilt one', async () => {
  const { dir } = session('][')
  await updateMetadata(fs, dir, (file) => ({ ...file, branch: 'main' }), {
    rebuild: async () => ({ id, summary_count: 3 }),
  })
  assert.deepEqual(await readMetadata(fs, dir), { file: { id, branch: 'main', summary_count: 3 } })
  const kept = await fs.read(`${dir}/.reprise/broken/workspace-1.yaml`)
  assert.equal(new TextDecoder().decode(kept), '][')
})

test('broken files are set aside one after another, none over another', async () => {
  const { dir, path } = session('first')
  const first = await setAsideBroken(fs, dir)
  writeFileSync(path, 'second')
  const second = await setAsideBroken(fs, dir)
  assert.deepEqual(
    [first, second],
    [`${dir}/.reprise/broken/workspace-1.yaml`, `${dir}/.reprise/broken/workspace-2.yaml`],
  )
})

test('a lost file is rebuilt from what the log says', () => {
  const [createdAt, updatedAt] = ['2026-01-01T00:00:00.000Z', '2026-01-02T00:00:00.000Z']
  assert.deepEqual(
    metadataFromLog({
      id,
      project: { cwd: '/w', gitRoot: '/w', repository: 'o/r', hostType: 'github', branch: 'b' },
      words: 'Do it\nplease',
      checkpoints: 2,
      createdAt,
      updatedAt,
    }),
    {
      id,
      cwd: '/w',
      git_root: '/w',
      repository: 'o/r',
      host_type: 'github',
      branch: 'b',
      name: 'Do it',
      user_named: false,
      summary_count: 2,
      created_at: createdAt,
      updated_at: updatedAt,
    },
  )
})

test('the automatic name is the first line with something in it, short and printable', () => {
  const cases: [string, string | undefined][] = [
    ['Fix the parser\nand more', 'Fix the parser'],
    ['\r\n\n  \u001b[31mred\u0007\ttext \u202e', 'red text'],
    ['😀'.repeat(100), '😀'.repeat(80)],
    ['one\u2028two', 'one'],
    [
      'diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\nwhy is this wrong?',
      'why is this wrong?',
    ],
    ['```\nconst a = 1\n```', 'const a = 1'],
    [
      'please have a look at the parser of the configuration and tell me why it fails',
      'Have a look at the parser of the configuration and tell me…',
    ],
    ['Hi, could you please mend the login test?', 'Mend the login test?'],
    ['please stop', 'please stop'],
    ['Can you see it?', 'See it?'],
    ['helpful words', 'helpful words'],
    [
      'The build is broken since Monday. Find out which commit did it and revert it',
      'The build is broken since Monday',
    ],
    ['\n \u0000', undefined],
    ['', undefined],
  ]
  assert.deepEqual(
    cases.map(([prompt]) => autoName(prompt)),
    cases.map(([, name]) => name),
  )
})
