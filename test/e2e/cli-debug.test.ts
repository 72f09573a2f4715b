import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { gunzipSync } from 'node:zlib'
import { seededSecrets } from '../support/seeded-secrets.ts'
import { makePlace, type Place } from './cli.ts'

const CANARY = 'canary-1618033988'
const SECRET = 'Zq8-very-own-value-of-mine'

function configure({ home }: Place, text: string): void {
  mkdirSync(join(home, '.reprise'), { recursive: true, mode: 0o700 })
  writeFileSync(join(home, '.reprise/config.json'), text, { mode: 0o600 })
}

function unpack(place: Place, file: string): Record<string, string> {
  const folder = join(place.project, 'unpacked')
  mkdirSync(folder)
  const { status, stderr } = spawnSync('tar', ['-xzf', file, '-C', folder])
  assert.equal(status, 0, String(stderr))
  return Object.fromEntries(
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => {
        const path = join(entry.parentPath, entry.name)
        return [path.slice(folder.length + 1), readFileSync(path, 'utf8')]
      }),
  )
}

test('a debug archive says what is there and holds neither content nor secrets', async () => {
  using place = makePlace()
  const seeded = seededSecrets(7, 40)
  configure(
    place,
    JSON.stringify({
      agent: `offline`,
      model: {
        provider: 'openai',
        name: 'some-model',
        apiKeyEnv: 'MY_KEY',
        baseUrl: `https://me:${SECRET}@models.example/${SECRET}?key=${SECRET}`,
        headers: { 'x-auth': SECRET },
      },
      hooks: { sessionEnd: [{ command: `: ${CANARY}` }] },
      mcpServers: Object.fromEntries(
        seeded.map(({ text }, at) => [
          `server${at}`,
          { command: 'true', args: [text], env: { VALUE: text } },
        ]),
      ),
      telemetry: {},
    }),
  )
  const env = { REPRISE_LOG: 'debug', MY_TOKEN: SECRET, REPRISE_CANARY: CANARY }
  const id = await place.session(`say ${CANARY} ${SECRET}`)
  await place.run(['sessions', 'rename', id, CANARY], { env })
  await place.run(['sessions', 'undo', id], { env })
  // Somebody put it there by hand; what leaves is redacted all the same.
  const logs = join(place.home, '.reprise/logs')
  const [log] = readdirSync(logs)
  for (const { text } of seeded.slice(0, 20))
    writeFileSync(join(logs, log!), `${JSON.stringify({ text })}\n`, { flag: 'a' })
  writeFileSync(join(logs, log!), `${SECRET}\n`, { flag: 'a' })

  const file = join(place.project, 'problem.tar.gz')
  const result = await place.json<{ path: string; files: string[] }>(
    ['debug', 'bundle', '-o', 'problem.tar.gz'],
    { env },
  )
  assert.equal(statSync(file).mode & 0o777, 0o600)
  const files = unpack(place, file)
  assert.deepEqual(Object.keys(files).sort(), [...result.files].sort())
  assert.deepEqual(Object.keys(files).sort(), [
    'reprise-debug/config.json',
    'reprise-debug/doctor.json',
    `reprise-debug/logs/${log}`,
    'reprise-debug/sessions.json',
    'reprise-debug/versions.json',
  ])
  const text = gunzipSync(readFileSync(file)).toString()
  assert.ok(!text.includes(CANARY))
  assert.ok(!text.includes(SECRET))
  assert.deepEqual(
    seeded.filter(({ secret }) => text.includes(secret)).map(({ kind, place: at }) => [kind, at]),
    [],
  )
  const read = <T>(name: string) => JSON.parse(files[`reprise-debug/${name}.json`] ?? '') as T
  const { mcpServers, ...config } = read<Record<string, unknown>>('config')
  assert.equal(Object.keys(mcpServers as object).length, seeded.length)
  assert.deepEqual(config, {
    agent: 'offline',
    model: {
      provider: 'openai',
      name: 'some-model',
      apiKeyEnv: 'MY_KEY',
      baseUrl: 'https://models.example/…',
      headers: { 'x-auth': '(left out)' },
    },
    hooks: { sessionEnd: [{ command: '(left out)' }] },
    telemetry: {},
  })
  const { sessions } = read<{ sessions: { id: string; turns: number }[] }>('sessions')
  assert.deepEqual(
    sessions.map((session) => [session.id, session.turns]),
    [[id, 0]],
  )
  const doctor = read<{ sessions: { id: string; healthy: boolean }[]; notExamined: number }>(
    'doctor',
  )
  assert.deepEqual(
    [doctor.sessions.map((session) => [session.id, session.healthy]), doctor.notExamined],
    [[[id, true]], 0],
  )
  const versions = read<{ node: string; variables: string[] }>('versions')
  assert.equal(versions.node, process.versions.node)
  assert.deepEqual(versions.variables, [
    'REPRISE_AGENT',
    'REPRISE_CANARY',
    'REPRISE_HOME',
    'REPRISE_LOG',
  ])

  const again = await place.run(['debug', 'bundle', '-o', 'problem.tar.gz'], { env })
  assert.notEqual(again.code, 0)
  assert.match(again.stderr, /exists already/)
})

test('a debug archive can be had where the configuration is broken, which is not quoted', async () => {
  using place = makePlace()
  await place.session('say hi')
  configure(place, `{"agent": ${CANARY}`)
  const { path } = await place.json<{ path: string }>(['debug', 'bundle'])
  const text = gunzipSync(readFileSync(path)).toString()
  assert.match(text, /The configuration cannot be used/)
  assert.ok(!text.includes(CANARY))
})
