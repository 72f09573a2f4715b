/** The library runs on the oldest Node that package.json allows, as it is installed: built, and without type stripping. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { transformSync } from 'esbuild'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { engines } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  engines: { node: string }
}
const promised = Number(/^>=(\d+)/.exec(engines.node)?.[1])
const oldest = findNode(promised)

const skip =
  oldest === undefined
    ? `no Node ${promised} was found on PATH`
    : existsSync(join(root, 'dist/index.js'))
      ? false
      : 'dist/ is missing: run npm run build, as npm test does'

const TURN = ['user.message', 'assistant.turn_start', 'assistant.message', 'tool.execution_start']
const ASKED = ['permission.requested', 'permission.completed']
const ENDED = ['tool.execution_complete', 'assistant.message', 'assistant.turn_end']
const FIRST_TURN = ['session.start', ...TURN, ...ASKED, ...ENDED]
const LIFE = {
  files: ['two', 'one', 'two'],
  types: [...FIRST_TURN, ...TURN, ...ENDED],
  back: FIRST_TURN.length + TURN.length + ENDED.length,
  listed: ['first', 'second'],
  told: ['event', 'live', 'notice', 'reset'],
  transcript: 'user tool permission assistant user tool assistant info shutdown'.split(' '),
  missing: 'not_found',
}

test(`a whole session lives in the library on Node ${promised}`, { skip }, () => {
  const printed = run((place) => {
    copyFileSync(join(root, 'test/library/whole-session.mjs'), join(place, 'program.mjs'))
  })
  const { wrong, ...seen } = JSON.parse(printed) as { wrong: readonly string[] }
  assert.deepEqual(seen, { disk: LIFE, memory: LIFE, format: 'stranger' })
  // Whatever an agent without types yields, its author is told what was wanted.
  const [wanted = ''] = wrong.map((told) => told.replace(/^.*? An agent's/, ''))
  assert.match(wanted, /async generator that yields \{ draft: /)
  assert.deepEqual(
    wrong.map((told) => told.replace(` An agent's${wanted}`, '')),
    [
      'The agent yielded "hi".',
      'The agent yielded nothing.',
      'The agent yielded an object with type, data in it.',
      'The agent yielded an object with draft in it.',
      'The agent yielded a notice that is none: "no.such".',
      'The agent "mine" gave a promise when it was run.',
      'The agent "mine" has no function run(turn, signal).',
    ],
  )
})

test(`the example of the README runs on Node ${promised}`, { skip }, () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8')
  const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
  const printed = run((place) => writeFileSync(join(place, 'program.mjs'), example))
  assert.deepEqual(printed.trim().split('\n'), FIRST_TURN)
})

test(`opening a database on Node ${promised} says which Node it needs`, { skip }, () => {
  const source = readFileSync(join(root, 'src/workspace/load-sqlite.ts'), 'utf8')
  const { code } = transformSync(source, { loader: 'ts' })
  const attempt = 'await loadSqlite().catch((cause) => console.log(cause.message))'
  const printed = run((place) => writeFileSync(join(place, 'program.mjs'), code + attempt))
  assert.match(
    printed,
    /^A database needs Node 24, and this is Node 20\.\d+\.\d+\. Nothing was changed\.\n$/,
  )
})

/** Installs the library into a folder of its own, and runs the program that is put there. */
function run(putProgram: (place: string) => void): string {
  const place = mkdtempSync(join(tmpdir(), 'reprise-library-'))
  try {
    mkdirSync(join(place, 'node_modules'))
    symlinkSync(root, join(place, 'node_modules', 'reprise'))
    putProgram(place)
    const { status, stdout, stderr } = spawnSync(oldest ?? '', ['program.mjs'], {
      cwd: place,
      encoding: 'utf8',
    })
    assert.equal(status, 0, stderr)
    return stdout
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
}

function findNode(major: number): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, 'node'))
    .find((path) => spawnSync(path, ['-v'], { encoding: 'utf8' }).stdout?.startsWith(`v${major}.`))
}
