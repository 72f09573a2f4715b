/** What is switched off as a whole, as people meet it: it is told why, and nothing else suffers. */
import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { test } from 'node:test'
import type { FeatureStanding } from '../../src/config/features.ts'
import { makePlace, type Place } from './cli.ts'

const turn = async (place: Place, name: string, value: boolean) =>
  assert.equal((await place.run(['config', 'set', `features.${name}`, String(value)])).code, 0)

const indexes = ({ home }: Place) =>
  existsSync(home) ? readdirSync(home).filter((name) => name.includes('session-store')) : []

/** A Mission Control that nobody answers for: nothing here asks it. */
const joined = { REPRISE_CONTROL_URL: 'http://127.0.0.1:9', REPRISE_CONTROL_TOKEN: 'none' }

test('each feature is listed as on or off, with what keeps it off', async () => {
  using place = makePlace()
  const reasons = async (env: NodeJS.ProcessEnv = {}) => {
    const { features } = await place.json<{ features: FeatureStanding[] }>(['features'], { env })
    return Object.fromEntries(features.map(({ name, on, reason }) => [name, on ? 'on' : reason]))
  }
  const alone = {
    sessionStore: 'on',
    cloudSessionStore: 'login',
    backgroundSessions: 'on',
    sessionIndexing: 'login',
    sessionIndexingRepo: 'login',
    cloudSessions: 'login',
    remoteKickstart: 'setting',
  }
  assert.deepEqual(await reasons(), alone)
  await turn(place, 'cloudSessions', false)
  await turn(place, 'remoteKickstart', true)
  assert.deepEqual(await reasons(joined), {
    ...alone,
    cloudSessionStore: 'on',
    remoteKickstart: 'repository',
    sessionIndexing: 'on',
    sessionIndexingRepo: 'repository',
    cloudSessions: 'setting',
  })
  const synced = await place.run(['sync'], { env: joined })
  assert.equal(synced.code, 4)
  assert.match(synced.stderr, /127\.0\.0\.1:9 does not answer/)
  const { stdout } = await place.run(['features'])
  assert.match(stdout, /cloudSessions: off, .*reprise config set features\.cloudSessions true/s)
})

test('without the session store no index is made, searching says how it is turned on, and the rest works', async () => {
  using place = makePlace()
  await turn(place, 'sessionStore', false)
  const id = await place.session('the walrus', 'the carpenter')
  for (const args of [
    ['search', 'walrus'],
    ['sql', 'SELECT 1'],
    ['chronicle', 'standup'],
    ['reindex'],
    ['board', 'propose', id],
  ]) {
    const { code, stderr } = await place.run(args)
    assert.equal(code, 2, `${args.join(' ')}: ${stderr}`)
    assert.match(stderr.replace(/\s+/g, ' '), /reprise config set features\.sessionStore true/)
  }
  for (const args of [
    ['sessions', 'list'],
    ['sessions', 'undo', id],
    ['board'],
    ['doctor'],
    ['sessions', 'delete', id, '--now', '--yes'],
  ]) {
    const { code, stderr } = await place.run(args)
    assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
  }
  assert.deepEqual(indexes(place), [])
  await place.session('the oyster')
  await turn(place, 'sessionStore', true)
  assert.equal((await place.run(['search', 'oyster'])).code, 0)
})

test('an index from before is left as it is, but for what is erased', async () => {
  using place = makePlace()
  const id = await place.session('the walrus')
  assert.equal((await place.run(['search', 'walrus'])).code, 0)
  await turn(place, 'sessionStore', false)
  assert.equal((await place.run(['sessions', 'delete', id, '--now', '--yes'])).code, 0)
  await turn(place, 'sessionStore', true)
  const count = await place.json<{ rows: unknown[][] }>([
    'sql',
    'SELECT count(*) FROM sessions',
    '--wait',
    '0',
  ])
  assert.deepEqual(count.rows, [[0]])
})

test('work on workers and copies are refused where they are turned off', async () => {
  using place = makePlace()
  const id = await place.session('the walrus')
  await turn(place, 'cloudSessions', false)
  await turn(place, 'sessionIndexing', false)
  for (const [feature, args] of [
    ['cloudSessions', ['tasks']],
    ['cloudSessions', ['--cloud']],
    ['cloudSessions', ['tasks', 'start', '-p', 'go']],
    ['cloudSessions', ['sessions', 'handoff', id, '--yes']],
    ['sessionIndexing', ['remote', 'on', id]],
    ['sessionIndexing', ['remote', 'sync']],
    ['sessionIndexing', ['sync']],
  ] as const) {
    const { code, stderr } = await place.run(args, { env: joined, input: 'go' })
    assert.equal(code, 2, `${args.join(' ')}: ${stderr}`)
    assert.ok(stderr.replace(/\s+/g, ' ').includes(`config set features.${feature} true`), stderr)
  }
})

test('without background sessions nothing is forked, on no surface, and the rest works', async () => {
  using place = makePlace()
  const id = await place.session('the walrus', 'the carpenter')
  await turn(place, 'backgroundSessions', false)
  for (const args of [
    ['sessions', 'fork', id],
    ['--resume', id, '-p', '/fork'],
  ]) {
    const { code, stderr, stdout } = await place.run(args)
    assert.notEqual(code, 0, args.join(' '))
    assert.match(
      `${stdout}${stderr}`.replace(/\s+/g, ' '),
      /not forked here.*features\.backgroundSessions true/,
    )
  }
  assert.equal((await place.run(['sessions', 'undo', id])).code, 0)
  await turn(place, 'backgroundSessions', true)
  assert.equal((await place.run(['sessions', 'fork', id])).code, 0)
})
