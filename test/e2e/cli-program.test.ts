/** The program around its commands: help, mistakes, damage, completion, pipes, and hostile content. */
import assert from 'node:assert/strict'
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { program } from '../../src/surfaces/cli/command-table.ts'
import { makePlace } from './cli.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '../..')
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  readonly version: string
}

test('--version, --help and the help of a command are answers, not errors', async () => {
  using place = makePlace()
  assert.deepEqual(await place.run(['--version']), {
    code: 0,
    stdout: `${version}\n`,
    stderr: '',
  })
  for (const args of [['--help'], ['help'], ['help', 'sessions'], ['sessions', 'list', '--help']]) {
    const { code, stdout, stderr } = await place.run(args)
    assert.deepEqual([code, stderr], [0, ''], args.join(' '))
    assert.match(stdout, /Usage: reprise/)
  }
  assert.match(
    (await place.run(['sessions', 'list', '--help'])).stdout,
    /Examples:\n {2}\$ reprise/,
  )
})

test('a word that is no command and an option that is none are answered with a near one', async () => {
  using place = makePlace()
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['sesions'], /Did you mean sessions/],
    [['fork'], /Did you mean sessions fork/],
    [['resume', 'work'], /Did you mean --resume/],
    [['sessions', 'lst'], /Did you mean list/],
    [['sessions', 'list', '--jsn'], /Did you mean --json/],
    [['chronicle', 'stanup'], /Did you mean standup/],
    [['board', 'everything'], /Unknown command/],
    [['sessoins', '--help'], /Unknown command "sessoins".*sessions/],
    [['chronicle', 'standup', 'today'], /a word too many: "today"/],
    [['sessions', 'list', 'all'], /a word too many: "all"\. Nothing was done/],
    [['debug'], /command is missing/],
    [
      ['sessions', 'show'],
      /wants <session>\. Nothing was done\.\nUsage: reprise sessions show <session>/,
    ],
    [['fix the tests'], /reprise -p/],
  ]
  for (const [args, message] of cases) {
    const { code, stdout, stderr } = await place.run(args)
    assert.deepEqual([code, stdout], [2, ''], args.join(' '))
    assert.match(stderr, /^reprise: /)
    assert.match(stderr, message)
  }
  const { stderr } = await place.run(['sesions', '--json'])
  assert.equal((JSON.parse(stderr) as { error: { code: string } }).error.code, 'invalid')
})

test('docs/cli.md names every command', () => {
  const text = readFileSync(join(root, 'docs/cli.md'), 'utf8')
  for (const { name, hidden } of program.commands) {
    assert.equal(text.includes(`### reprise ${name}\n`), hidden !== true, name)
  }
})

test('home says where sessions live, and which rule said so', async () => {
  using place = makePlace()
  await place.session('one')
  const facts = await place.json<{ path: string; source: string; sessions: number }>(['home'])
  assert.deepEqual([facts.path, facts.source, facts.sessions], [place.home, '$REPRISE_HOME', 1])
  const packs = join(place.home, '.reprise/contents')
  mkdirSync(packs, { recursive: true })
  writeFileSync(join(packs, 'one-0.pack'), Buffer.alloc(1500))
  const { copies } = await place.json<{ copies: unknown }>(['home'])
  assert.deepEqual(copies, { sharedBytes: 1500, sharedBy: 0, recordedBytes: 0 })
  for (const command of ['home', 'doctor']) {
    const { stdout } = await place.run([command])
    assert.match(stdout, /^Copies of projects, for undo: 1\.5 kB shared by 0 sessions$/m)
  }
  const other = join(place.project, 'other')
  const env = { REPRISE_HOME: '', COPILOT_HOME: other }
  assert.equal((await place.json<{ source: string }>(['home'], { env })).source, '$COPILOT_HOME')
  assert.equal((await place.json<{ source: string }>(['--home', other, 'home'])).source, '--home')
  assert.equal((await place.json<{ source: string }>(['home', '--home', other])).source, '--home')
})

test('doctor finds a damaged line, says what is lost, and mends when it is told to', async () => {
  using place = makePlace()
  const id = await place.session('one')
  assert.equal((await place.run(['doctor'])).code, 0)
  const log = join(place.home, 'session-state', id, 'events.jsonl')
  const [first = '', ...rest] = readFileSync(log, 'utf8').split('\n')
  writeFileSync(log, [first, '{"type":"user.mess', ...rest].join('\n'))
  const found = await place.run(['doctor', id])
  assert.equal(found.code, 5)
  assert.match(found.stdout, /to mend/)
  assert.equal((await place.run(['doctor'])).code, 5)
  const mended = await place.run(['doctor', id, '--repair'])
  assert.equal(mended.code, 0)
  assert.match(mended.stdout, /lost bytes \d+ to \d+/)
  const { sessions, ill } = await place.json<{ sessions: { healthy: boolean }[]; ill: number }>([
    'doctor',
  ])
  assert.deepEqual([sessions.map(({ healthy }) => healthy), ill], [[true], 0])
})

test('completion knows commands, options and sessions', async () => {
  using place = makePlace()
  const id = await place.session('one')
  const values = async (...words: string[]) =>
    (await place.run(['__complete', '--', ...words])).stdout
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t')[0])
  assert.deepEqual(await values('sess'), ['sessions'])
  assert.deepEqual(await values('sessions', 'fo'), ['fork'])
  assert.deepEqual(await values('sessions', 'list', '--tr'), ['--trash'])
  assert.deepEqual(await values('sessions', 'show', ''), [
    '@latest',
    '@continue',
    id.slice(0, 8),
    'one',
  ])
  assert.deepEqual(await values('completion', 'z'), ['zsh'])
  for (const shell of ['bash', 'zsh', 'fish']) {
    assert.match((await place.run(['completion', shell])).stdout, /reprise __complete/)
  }
  assert.equal((await place.run(['completion', 'csh'])).code, 2)
})

test('a reader that goes away is no error', async () => {
  using place = makePlace()
  const id = await place.session('one')
  const log = join(place.home, 'session-state', id, 'events.jsonl')
  const filler = {
    type: 'x.filler',
    data: { text: 'x'.repeat(1000) },
    timestamp: new Date().toISOString(),
  }
  for (let at = 0; at < 2000; at++) {
    appendFileSync(log, `${JSON.stringify({ ...filler, id: `filler-${at}`, parentId: null })}\n`)
  }
  const child = place.start(['sessions', 'events', id, '--json'])
  let stderr = ''
  child.stderr?.on('data', (chunk) => (stderr += String(chunk)))
  const code = new Promise<number | null>((resolve) => child.on('exit', resolve))
  for await (const _chunk of child.stdout ?? []) break
  child.stdout?.destroy()
  assert.equal(await code, 0)
  assert.doesNotMatch(stderr, /EPIPE|reprise:/)
})

/** Each would do something to a terminal. */
const hostile = '\x1b]0;owned\x07\x1b[2J\x9b31m\u202egnp.exe\u2066\r\x08\x1bPq\x1b\\'

// oxlint-disable-next-line no-control-regex
const OBEYED = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/

test('nothing in a session can reach the terminal as a control, in any command', async () => {
  using place = makePlace()
  const id = await place.session(`hello ${hostile}`)
  const folder = join(place.home, 'session-state', id)
  const log = join(folder, 'events.jsonl')
  const stranger = { type: `x${hostile}`, data: { message: hostile }, id: hostile, parentId: null }
  appendFileSync(log, `${JSON.stringify({ ...stranger, timestamp: hostile })}\n`)
  const yaml = join(folder, 'workspace.yaml')
  const kept = readFileSync(yaml, 'utf8').replace(/^(name|branch|cwd):.*\n/gm, '')
  const quoted = JSON.stringify(hostile)
  writeFileSync(yaml, `${kept}name: ${quoted}\nbranch: ${quoted}\ncwd: ${quoted}\n`)
  writeFileSync(join(folder, 'plan.md'), hostile)
  const runs = [
    ['-p', `and ${hostile}`],
    ['-p', `run echo ${hostile}`],
    ['--resume', hostile, '-p', 'x'],
    ['--resume', id, '-p', 'again', '--json'],
    ['--continue', '-p', 'again', '--cwd', '/'],
    ['--resume', '-p', 'x'],
    ['sessions', 'list'],
    ['sessions', 'show', id],
    ['sessions', 'show', id, '--transcript'],
    ['sessions', 'show', id, '--markdown'],
    ['sessions', 'events', id],
    ['sessions', 'rewind', id, '--list'],
    ['sessions', 'plan', id],
    ['sessions', 'show', hostile],
    ['sessions', 'fork', id],
    ['doctor', id],
    [hostile],
    [`--${hostile}`],
    ['__complete', '--', 'sessions', 'show', ''],
  ]
  for (const [at, args] of runs.entries()) {
    // JSON escapes by itself; every other one is enough to see that it does.
    for (const extra of at % 2 === 0 ? [[], ['--json']] : [[]]) {
      const { stdout, stderr } = await place.run([...args, ...extra])
      const said = `${stdout}${stderr}`
      assert.equal(OBEYED.exec(said)?.[0], undefined, JSON.stringify([args, said]))
    }
  }
})

test('with colours, the only escapes are ours', async () => {
  using place = makePlace()
  const id = await place.session(`hello ${hostile}`)
  const { stdout } = await place.run(['sessions', 'show', id, '--transcript'], {
    env: { FORCE_COLOR: '1' },
  })
  assert.equal(stdout.includes('\x1b[1m'), true)
  // oxlint-disable-next-line no-control-regex
  assert.equal(OBEYED.test(stdout.replace(/\x1b\[(?:1|2|22|3[1-6]|39)m/g, '')), false)
})

test('a workspace.yaml as the Copilot CLI writes it keeps its name and its links over a resume', async () => {
  using place = makePlace()
  const id = await place.session('run echo one')
  const path = join(place.home, 'session-state', id, 'workspace.yaml')
  const several =
    'name: the release\nmc_task_id: task-1\nsummary: |-\n  first line\n  second line\n'
  writeFileSync(path, `${readFileSync(path, 'utf8').replace(/^name: .*\n/m, '')}${several}`)
  const { code, stderr } = await place.run([
    '--resume',
    'the release',
    '--allow-all',
    '-p',
    'run echo two',
  ])
  assert.equal(code, 0, stderr)
  const after = readFileSync(path, 'utf8')
  assert.match(after, /^name: the release$/m)
  assert.match(after, /^mc_task_id: task-1$/m)
  assert.match(after, /second line/)
})
