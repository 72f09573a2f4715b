/** The program itself against an agent that wants more than it may: rules, files of Reprise, and runs that nobody attends. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { AGENT } from '../acp-agent/place.ts'
import { spelledCommands } from '../support/spelled-commands.ts'
import { lines, makePlace, type Place } from './cli.ts'

const NOT_ALLOWED = 10

const rules = (place: Place, kind: 'allow' | 'deny', list: readonly string[]) =>
  place.run(['config', 'set', `permissions.${kind}`, JSON.stringify(list)])

type Told = { readonly type: string; readonly data: Record<string, unknown> }

const completed = async (place: Place) =>
  lines<Told>((await place.run(['sessions', 'events', '@latest', '--json'])).stdout)
    .filter(({ type }) => type === 'permission.completed')
    .map(({ data }) => data['reprise'])

test('a folder that may be written is not left by .. or by a link, and the run says so', async () => {
  using place = makePlace()
  mkdirSync(join(place.project, 'src'))
  symlinkSync('../..', join(place.project, 'src/link'))
  await rules(place, 'allow', ['write(src/**)'])
  for (const path of ['src/../../out.txt', 'src/link/out.txt', 'src/../out.txt']) {
    const { code, stderr } = await place.run(['-p', `write ${path}: x`])
    assert.equal(code, NOT_ALLOWED, path)
    assert.match(stderr, /refused write (?!src)/)
  }
  assert.deepEqual(
    [join(place.project, 'out.txt'), join(dirname(place.project), 'out.txt')].filter(existsSync),
    [],
  )
  assert.equal((await place.run(['-p', 'write src/a.txt: x'])).code, 0)
  assert.deepEqual(await completed(place), [{ decidedBy: 'rule', reason: 'write(src/**)' }])
})

test('a folder that may be read is not left either, and a file that may not is not shown', async () => {
  using place = makePlace()
  mkdirSync(join(place.project, 'docs'))
  writeFileSync(join(place.project, '.env'), 'KEY=sesame')
  await rules(place, 'allow', ['read(docs/**)'])
  await rules(place, 'deny', ['read(.env)'])
  const outside = await place.run(['-p', 'read docs/../../../../../../../etc/passwd'])
  assert.equal(outside.code, NOT_ALLOWED)
  assert.doesNotMatch(outside.stdout, /root:/)
  for (const prompt of [
    'read .env',
    'read docs/../.env',
    'run cat .env',
    'run cat < docs/../.env',
    'run cat .e*',
    'run x=.env; cat $x',
    'run cat $(printf .env)',
    'run grep -r KEY= .',
    'find sesame',
  ])
    assert.doesNotMatch(
      (await place.run(['--allow-all', '-p', prompt])).stdout,
      /KEY=sesame/,
      prompt,
    )
})

test('a command that a rule denies is not run, however it is written', async () => {
  using place = makePlace()
  await rules(place, 'deny', ['shell(rm *)', 'write(.env)'])
  const victim = join(place.project, 'victim')
  const all = spelledCommands('victim').filter((text) => !text.includes('\n'))
  const sample = all.filter((_, at) => at % Math.ceil(all.length / 8) === 0)
  for (const text of ['true; rm victim', 'echo A=2 > src/../.env', ...sample]) {
    writeFileSync(victim, 'x')
    await place.run(['--allow-all', '-p', `run ${text}`])
    assert.ok(existsSync(victim), text)
  }
  await place.run(['--allow-all', '-p', 'write ./.env: A=2'])
  assert.deepEqual(await completed(place), [{ decidedBy: 'rule', reason: 'write(.env)' }])
  assert.equal(existsSync(join(place.project, '.env')), false)
})

test('a pattern that allows a command allows nothing that hides behind it', async () => {
  using place = makePlace()
  await rules(place, 'allow', ['shell(git log*)', 'shell(echo *)'])
  for (const text of [
    "git log ${a:='\\044(touch pwned)'}${a@P}",
    'git log; touch pwned',
    'echo x > pwned',
    'echo $(touch pwned)',
    'git logx || touch pwned',
  ]) {
    assert.equal((await place.run(['-p', `run ${text}`])).code, NOT_ALLOWED, text)
    assert.equal(existsSync(join(place.project, 'pwned')), false, text)
  }
  const { code, stdout } = await place.run(['-p', 'run echo one && echo two'])
  assert.equal(code, 0)
  assert.match(stdout, /one\ntwo/)
})

test('the configuration of Reprise is not changed by a tool that nobody was asked about', async () => {
  using place = makePlace()
  await rules(place, 'allow', ['write', 'shell'])
  const config = join(place.home, '.reprise/config.json')
  const before = readFileSync(config, 'utf8')
  for (const prompt of [
    `write ${config}: {}`,
    `run echo {} > ${config}`,
    `run cp /dev/null ${config}`,
    `run rm -rf ${place.home}/.reprise`,
    'write .reprise/hooks.json: {}',
  ]) {
    const { code, stderr } = await place.run(['--allow-all', '-p', prompt])
    assert.equal(code, NOT_ALLOWED, prompt)
    assert.match(stderr, /belongs to Reprise itself/)
  }
  assert.equal(readFileSync(config, 'utf8'), before)
  assert.equal(existsSync(join(place.project, '.reprise')), false)
})

test('who decided is in the log and in what is shown', async () => {
  using place = makePlace()
  await place.run(['-p', 'run touch a'])
  assert.deepEqual(await completed(place), [{ decidedBy: 'nobody' }])
  const shown = await place.run(['sessions', 'show', '@latest', '--transcript'])
  assert.match(shown.stdout, /nobody was there to ask/)
  await place.run(['--allow-all', '-p', 'run touch a'])
  assert.deepEqual(await completed(place), [{ decidedBy: 'mode', reason: 'allow-all' }])
})

test('an agent whose own rules are not known is not started where nobody can be asked', async () => {
  using place = makePlace()
  const agent = ['--agent', `"${process.execPath}" --no-warnings "${AGENT}"`]
  const refused = await place.run([...agent, '-p', '<<edit a.md>>'])
  assert.notEqual(refused.code, 0)
  assert.match(
    refused.stderr,
    /is not known, and nobody is there to be asked\. Nothing was started\./,
  )
  assert.equal(existsSync(join(place.project, 'a.md')), false)
  assert.equal((await place.run([...agent, '--allow-all', '-p', '<<say hello>>'])).code, 0)
})

test('a rule that can be none is refused with what was meant, wherever it is written', async () => {
  using place = makePlace()
  const set = await rules(place, 'deny', ['shel(rm*)'])
  assert.deepEqual([set.code, /Did you mean shell\(rm\*\)\?/.test(set.stderr)], [2, true])
  const option = await place.run(['--deny-tool', 'Bash(rm*)', '-p', 'hello'])
  assert.equal(option.code, 2)
  assert.match(option.stderr, /--deny-tool: .*Did you mean shell\(rm\*\)\? Nothing was started/)
  // Written by hand: no turn is started without it, and what mends it goes on.
  assert.equal((await rules(place, 'deny', ['shell(rm*)', 'hub(x)'])).code, 0)
  const path = (await place.run(['config', 'path'])).stdout.trim()
  writeFileSync(path, readFileSync(path, 'utf8').replace('shell(rm*)', 'shel(rm*)'))
  const turn = await place.run(['--allow-all', '-p', 'run touch made'])
  assert.equal(turn.code, 2)
  assert.match(turn.stderr, /config.*permissions\.deny: "shel\(rm\*\)"/)
  assert.equal(existsSync(join(place.project, 'made')), false)
  const { stdout } = await place.run(['doctor'])
  assert.match(stdout, /permissions\.deny: "shel\(rm\*\)" is no permission rule/)
  assert.match(stdout, /no tool server hub is configured/)
  assert.equal((await place.run(['config'])).code, 0)
  assert.equal((await rules(place, 'deny', ['shell(rm*)'])).code, 0)
  assert.equal((await place.run(['--allow-all', '-p', 'run touch made'])).code, 0)
})
