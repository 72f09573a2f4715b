/** The README is run: its example as a library, its recorded commands, and the places that it links to. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { recordExample, withExample } from '../scripts/record-example.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const readme = readFileSync(join(root, 'README.md'), 'utf8')
const isBuilt = existsSync(join(root, 'dist/index.js'))
const skip = isBuilt ? false : 'dist/ is missing: run npm run build, as npm test does'

test(
  'the library example runs from an installed package and prints what happened',
  { skip },
  () => {
    const place = mkdtempSync(join(tmpdir(), 'reprise-readme-'))
    try {
      mkdirSync(join(place, 'node_modules'))
      symlinkSync(root, join(place, 'node_modules', 'reprise'))
      const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
      writeFileSync(join(place, 'example.mts'), example)
      const { status, stdout, stderr } = spawnSync(process.execPath, ['example.mts'], {
        cwd: place,
        encoding: 'utf8',
      })
      assert.equal(status, 0, stderr)
      assert.deepEqual(stdout.trim().split('\n').slice(0, 3), [
        'session.start',
        'user.message',
        'assistant.turn_start',
      ])
      assert.ok(stdout.includes('permission.completed'))
    } finally {
      rmSync(place, { recursive: true, force: true })
    }
  },
)

test('reprise/format gives the schemas', { skip }, async () => {
  const format = (await import(
    join(root, 'dist/format.js')
  )) as typeof import('../src/format/index.ts')
  assert.equal(
    format.recognise({ type: 'x', id: '1', timestamp: 't', parentId: null, data: {} }).kind,
    'stranger',
  )
})

test('the recorded example is what the program shows', { skip }, () => {
  assert.equal(withExample(readme, recordExample()), readme)
})

test('every file that a document links to exists', () => {
  const broken: string[] = []
  for (const name of [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    'docs/cli.md',
    'docs/format.md',
    'docs/glossary.md',
    'docs/decisions/README.md',
  ]) {
    const text = readFileSync(join(root, name), 'utf8')
    for (const [, target = ''] of text.matchAll(/\]\((?!https?:|#)([^)#]+)[^)]*\)/g)) {
      if (!existsSync(join(root, dirname(name), target))) broken.push(`${name}: ${target}`)
    }
  }
  assert.deepEqual(broken, [])
})
