/** What `config` shows: the whole configuration, and no key that stands in it. */
import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { makePlace } from './cli.ts'

const word = (place: string) => `hush-${place}`

const CONFIG = {
  model: {
    provider: 'openai-compatible',
    baseUrl: `https://me:${word('login')}@models.example/v1`,
    apiKeyEnv: 'MY_KEY',
    headers: {
      Authorization: `Bearer ${word('header')}`,
      'X-Api-Key': word('header-key'),
      'X-Team': 'blue',
      Cookie: `id=${word('cookie')}`,
    },
  },
  mcpServers: {
    far: { url: 'https://far.example/mcp', headers: { 'x-auth': word('server-header') } },
    near: {
      command: 'near',
      args: ['--api-key', word('arg'), `--token=${word('arg-joined')}`, '--color', 'red'],
      env: { GITHUB_TOKEN: word('env'), MODE: 'fast', PLAIN: `ghp_${'aB3dE5fG7hI9'.repeat(3)}` },
    },
  },
  hooks: { sessionEnd: [{ command: 'notify', env: { PUSH_SECRET: word('hook') } }] },
  environment: { pass: ['NPM_TOKEN'] },
  control: { url: 'https://control.example', token: word('control') },
  github: { tokenEnv: word('token-env') },
}

const HIDDEN = '(set, hidden)'

test('the configuration is shown whole, without what is secret, as text, as JSON and one by one', async () => {
  using place = makePlace()
  mkdirSync(join(place.home, '.reprise'), { recursive: true, mode: 0o700 })
  writeFileSync(join(place.home, '.reprise/config.json'), JSON.stringify(CONFIG), { mode: 0o600 })
  const said = async (...args: string[]) => {
    const { stdout, stderr, code } = await place.run(['config', ...args])
    assert.equal(code, 0, stderr)
    assert.doesNotMatch(stdout + stderr, /hush-|ghp_/)
    return stdout
  }
  const whole = JSON.parse(await said()) as typeof CONFIG
  assert.deepEqual(JSON.parse(await said('--json')), whole)
  assert.deepEqual(whole, {
    ...CONFIG,
    model: {
      ...CONFIG.model,
      baseUrl: 'https://(hidden)@models.example/v1',
      headers: { Authorization: HIDDEN, 'X-Api-Key': HIDDEN, 'X-Team': 'blue', Cookie: HIDDEN },
    },
    mcpServers: {
      far: { url: 'https://far.example/mcp', headers: { 'x-auth': HIDDEN } },
      near: {
        command: 'near',
        args: ['--api-key', HIDDEN, `--token=${HIDDEN}`, '--color', 'red'],
        env: { GITHUB_TOKEN: HIDDEN, MODE: 'fast', PLAIN: '(hidden)' },
      },
    },
    hooks: { sessionEnd: [{ command: 'notify', env: { PUSH_SECRET: HIDDEN } }] },
    control: { url: 'https://control.example', token: HIDDEN },
    github: { tokenEnv: HIDDEN },
  })
  for (const name of [
    'model',
    'model.headers',
    'model.headers.Authorization',
    'mcpServers.near',
    'mcpServers.near.env.GITHUB_TOKEN',
    'control.token',
  ])
    await said('get', name)
  assert.equal(await said('get', 'control.token'), `${HIDDEN}\n`)
  const wrong = await place.run(['config', 'set', 'model.headers', word('typed')])
  assert.equal(wrong.code, 2)
  assert.doesNotMatch(wrong.stdout + wrong.stderr, /hush-/)
})
