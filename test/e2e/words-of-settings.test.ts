/** What the program says of values, settings and boards that are not as they should be. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makePlace } from './cli.ts'

test('a value that is refused is told its bounds, and a key is not kept', async () => {
  using place = makePlace()
  const refused: readonly (readonly [string, string, RegExp])[] = [
    ['retention.rewoundDays', '99999999', /a number of at least 0 and at most 36500, not 99999999/],
    ['answerWaitMinutes', '999999', /a number above 0 and at most 10080, not 999999/],
    ['model.contextWindow', '-3', /a whole number above 0, not -3/],
    ['worker.localRepositories', '["rel"]', /each a path that begins with \/, not/],
    ['model.apiKeyEnv', 'sk-not-a-name', /the name of a variable of the environment/],
    ['model', '{"apiKeyEnv":"sk-not-a-name"}', /model\.apiKeyEnv wants the name of a variable/],
  ]
  for (const [name, value, said] of refused) {
    const { code, stderr } = await place.run(['config', 'set', name, value])
    assert.equal(code, 2, name)
    assert.match(stderr, said)
  }
  assert.equal(existsSync(join(place.home, '.reprise/config.json')), false)
  const unset = await place.run(['config', 'get', 'model.name'])
  assert.deepEqual([unset.code, unset.stdout], [0, ''])
  assert.match(unset.stderr, /model\.name is not set\./)
})

test('a board says what it wants, and that nothing was there', async () => {
  using place = makePlace()
  assert.match((await place.run(['board'])).stdout, /board add "<title>: <what to know>"/)
  const { stdout } = await place.run(['board', 'dismiss', '--all'])
  assert.equal(stdout, 'Nothing was proposed, so nothing was dismissed.\n')
  const wrong = await place.run(['board', 'accept', 'nosuch'])
  assert.match(wrong.stderr, /Nothing was changed; reprise board list lists them\./)
})

test('both ways to say how much is logged are understood by the option and by the variable', async () => {
  using place = makePlace()
  const logs = join(place.home, '.reprise/logs')
  for (const level of ['off', 'none', 'warn', 'warning', 'all']) {
    const { code } = await place.run(['-p', 'help', '--log-level', level])
    assert.equal(code, 0, level)
  }
  using quiet = makePlace()
  const env = { REPRISE_LOG: 'none' }
  assert.equal((await quiet.run(['-p', 'run false'], { env })).code, 10)
  assert.equal(existsSync(join(quiet.home, '.reprise/logs')), false)
  assert.equal((await quiet.run(['-p', 'help'], { env: { REPRISE_LOG: 'all' } })).code, 0)
  assert.equal(existsSync(join(quiet.home, '.reprise/logs')), true)
  assert.equal(existsSync(logs), true)
})

test('a Mission Control that is refused leaves no database', async () => {
  using place = makePlace()
  const { code, stderr } = await place.run(['control', 'serve', '--host', '0.0.0.0', '--port', '0'])
  assert.equal(code, 2)
  assert.match(stderr, /can be reached from other machines.*Nothing was started\./)
  assert.equal(existsSync(join(place.home, '.reprise/control')), false)
})
