import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { chooseAgent, commandLine, wordsOf } from './choose.ts'

const offline = { kind: 'offline' }

test('what was asked for goes before the environment, that before the configuration', () => {
  const env = { REPRISE_AGENT: 'codex' }
  const config = { agent: 'gemini' }
  assert.deepEqual(chooseAgent({ agent: 'offline' }, config, env), offline)
  assert.deepEqual(chooseAgent({}, config, env), { kind: 'known', name: 'codex' })
  assert.deepEqual(chooseAgent({}, config, {}), { kind: 'known', name: 'gemini' })
  assert.deepEqual(chooseAgent({ agent: 'my-agent --acp "a b"' }, config, env), {
    kind: 'command',
    name: 'my-agent',
    words: ['my-agent', '--acp', 'a b'],
  })
  assert.deepEqual(wordsOf(`x 'y z' "q\\"r"`), ['x', 'y z', 'q"r'])
})

test('a command that was given in this home is found again by its name, and no other under that name', () => {
  const agents = { node: 'node "/a b/agent.ts"', 'codex-acp': '/opt/codex-acp' }
  const given = { kind: 'command', name: 'node', words: ['node', '/a b/agent.ts'] }
  assert.deepEqual(chooseAgent({}, { agents }, {}, 'node'), given)
  assert.deepEqual(chooseAgent({ agent: 'node' }, { agents }, {}), given)
  assert.deepEqual(chooseAgent({ agent: `node '/a b/agent.ts'` }, { agents }, {}), given)
  const other = chooseAgent({ agent: 'node other.ts' }, { agents }, {})
  assert.deepEqual(other, { kind: 'command', name: 'node-2', words: ['node', 'other.ts'] })
  assert.deepEqual(chooseAgent({}, { agents }, { PATH: '' }, 'toString'), {
    ...offline,
    isDefault: true,
  })
  assert.partialDeepStrictEqual(chooseAgent({}, { agents }, {}, 'codex-acp'), {
    words: ['/opt/codex-acp'],
  })
  const words = ['a b', 'c"d', "e'f", 'g\\h', '']
  assert.deepEqual(wordsOf(commandLine(words)), words)
})

test('with nothing asked for and nothing found, the offline agent answers', () => {
  const folder = mkdtempSync(join(tmpdir(), 'reprise-path-'))
  try {
    assert.deepEqual(chooseAgent({}, {}, { PATH: folder }), { ...offline, isDefault: true })
    writeFileSync(join(folder, 'opencode'), '')
    chmodSync(join(folder, 'opencode'), 0o755)
    assert.deepEqual(chooseAgent({}, {}, { PATH: folder }), { kind: 'known', name: 'opencode' })
    // One that was given by its command is found again by it.
    writeFileSync(join(folder, 'codex-acp'), '')
    chmodSync(join(folder, 'codex-acp'), 0o755)
    assert.deepEqual(chooseAgent({}, { agent: 'offline' }, { PATH: folder }, 'codex-acp'), {
      kind: 'known',
      name: 'codex',
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test('a key, an address and a model of the environment are enough for the model agent', () => {
  const chosen = (env: NodeJS.ProcessEnv, config = {}) => {
    const choice = chooseAgent({}, config, env)
    if (choice.kind !== 'model') return choice.kind
    const { provider, name, baseUrl } = choice.model
    return [provider, name, baseUrl]
  }
  assert.deepEqual(chosen({ OPENAI_API_KEY: 'k' }), ['openai', 'gpt-5', undefined])
  assert.deepEqual(chosen({ ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: 'http://x/' }), [
    'anthropic',
    'claude-sonnet-4-5',
    'http://x/v1',
  ])
  const local = { OPENAI_BASE_URL: 'http://127.0.0.1:1/v1', REPRISE_MODEL: 'm' }
  assert.deepEqual(chosen(local), ['openai-compatible', 'm', 'http://127.0.0.1:1/v1'])
  const configured = { model: { provider: 'openai-compatible', baseUrl: 'http://y/v1', name: 'n' } }
  assert.deepEqual(chosen({ OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }, configured), [
    'openai-compatible',
    'n',
    'http://y/v1',
  ])
  // The only model of an endpoint need not be named.
  assert.deepEqual(chosen({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: 'http://127.0.0.1:1/v1' }), [
    'openai-compatible',
    '',
    'http://127.0.0.1:1/v1',
  ])
})

test('a key of the environment is for the host of its provider, or for the address beside it in the environment', () => {
  const env = { OPENAI_API_KEY: 'o', ANTHROPIC_API_KEY: 'a', REPRISE_MODEL: 'm' }
  const keyFor = (model: object, more: NodeJS.ProcessEnv = {}) => {
    const choice = chooseAgent({ agent: 'model' }, { model }, { ...env, ...more })
    return choice.kind === 'model' ? choice.model.apiKeyEnv : choice.kind
  }
  const compatible = { provider: 'openai-compatible' }
  assert.equal(keyFor({ provider: 'openai' }), 'OPENAI_API_KEY')
  assert.equal(keyFor({ provider: 'anthropic' }), 'ANTHROPIC_API_KEY')
  for (const provider of ['openai', 'anthropic', 'openai-compatible'])
    for (const baseUrl of [
      'https://else.example/v1',
      'http://api.openai.com/v1',
      'http://[::1]:1/v1',
    ])
      assert.equal(keyFor({ provider, baseUrl }), undefined, `${provider} at ${baseUrl}`)
  assert.equal(keyFor({ ...compatible, baseUrl: 'https://api.openai.com/v1' }), 'OPENAI_API_KEY')
  assert.equal(
    keyFor({ ...compatible, baseUrl: 'https://api.anthropic.com/v1' }),
    'ANTHROPIC_API_KEY',
  )
  assert.equal(keyFor({ ...compatible, baseUrl: 'http://x/v1', apiKeyEnv: 'MINE' }), 'MINE')
  assert.equal(keyFor(compatible, { OPENAI_BASE_URL: 'http://x/v1' }), 'OPENAI_API_KEY')
})
