/** Commands that ask no model neither choose nor start nor need one, whatever the environment holds. */
import assert from 'node:assert/strict'
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { makePlace } from './cli.ts'

/** Each would stop or mislead whoever asks who answers. */
const ENVIRONMENTS: Readonly<Record<string, NodeJS.ProcessEnv>> = {
  'an agent that does not exist': { REPRISE_AGENT: 'nonsense-agent' },
  'an agent that is nothing but blanks': { REPRISE_AGENT: '   ' },
  'a provider without a model': {
    REPRISE_AGENT: '',
    OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    OPENAI_API_KEY: 'garbage',
  },
  'a key that is none': { REPRISE_AGENT: 'model', ANTHROPIC_API_KEY: 'garbage' },
}

/** On a machine that does much else at the same time. */
const LONG = { timeout: 600_000 }

for (const [what, env] of Object.entries(ENVIRONMENTS)) {
  // In the others what it does is the same; they are tried with a third of it.
  const isWhole = env['OPENAI_BASE_URL'] !== undefined
  test(`with ${what}, everything that asks no model works`, LONG, async () => {
    using place = makePlace()
    const id = await place.session('run echo one', 'run echo two')
    const bin = join(place.project, 'bin')
    const started = join(place.project, 'started')
    mkdirSync(bin)
    for (const name of ['copilot', 'claude', 'nonsense-agent']) {
      writeFileSync(join(bin, name), `#!/bin/sh\n: > '${started}'\nexit 1\n`)
      chmodSync(join(bin, name), 0o755)
    }
    const given = { env: { ...env, PATH: `${bin}:${process.env['PATH']}` } }
    const runs = [
      ['sessions', 'list'],
      ['sessions', 'show', id, '--transcript'],
      ['sessions', 'events', id, '--last', '3'],
      ['sessions', 'rename', id, 'renamed'],
      ['sessions', 'fork', id, '--name', 'forked'],
      ['sessions', 'rewind', 'renamed', '--list'],
      ['sessions', 'undo', 'renamed'],
      ['sessions', 'redo', 'renamed'],
      ['sessions', 'plan', 'renamed', '--set', 'a plan'],
      ['sessions', 'files', 'renamed'],
      ['sessions', 'checkpoints', 'renamed'],
      ['sessions', 'delete', 'forked', '--yes'],
      ['export', 'renamed', '--markdown'],
      ['search', 'echo'],
      ['sql', 'SELECT count(*) FROM sessions'],
      ['chronicle', 'standup'],
      ['board'],
      ['board', 'propose', 'renamed'],
      ['doctor'],
      ['home'],
      ['config'],
      ['config', 'set', 'model.contextWindow', '1000'],
      ['debug', 'bundle', '-o', 'bundle.tar.gz'],
    ]
    for (const words of isWhole ? runs : runs.filter((_, at) => at % 3 === 0)) {
      const { code, stderr } = await place.run(words, given)
      assert.equal(code, 0, `${words.join(' ')}: ${stderr}`)
    }
    assert.equal(existsSync(started), false)
  })
}

test('without any model a prompt fails in words, and does not take help for an answer', async () => {
  using place = makePlace()
  const env = { REPRISE_AGENT: '', PATH: join(process.execPath, '..'), OPENAI_API_KEY: '' }
  const { code, stdout, stderr } = await place.run(['-p', 'hello'], {
    env: { ...env, ANTHROPIC_API_KEY: '' },
  })
  assert.deepEqual([code, stdout], [2, ''])
  assert.match(stderr, /No model is configured, so nobody can answer\. Nothing was sent\./)
})

test('when nobody can answer, that is told before anything is recorded', async () => {
  using place = makePlace()
  const given = { env: ENVIRONMENTS['a provider without a model'] ?? {} }
  const { code, stderr } = await place.run(['-p', 'hello'], given)
  assert.equal(code, 2)
  assert.match(stderr, /No model is named, and .* does not say which it has\..*Give --model/)
  const { sessions } = await place.json<{ sessions: unknown[] }>(['sessions', 'list'])
  assert.deepEqual(sessions, [])
})

test('a session that the offline agent answers goes on with it', async () => {
  using place = makePlace()
  const nobody = { env: { REPRISE_AGENT: '', PATH: '/usr/bin:/bin' } }
  const first = await place.run(['--agent', 'offline', '-p', 'run echo one', '--allow-all'], nobody)
  assert.equal(first.code, 0, first.stderr)
  const next = await place.run(['--continue', '-p', 'run echo two', '--allow-all'], nobody)
  assert.equal(next.code, 0, next.stderr)
})
