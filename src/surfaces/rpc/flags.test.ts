import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readFlags } from './flags.ts'

test('every flag that the SDK starts a server with is understood', () => {
  const line =
    '--headless --no-auto-update --log-level debug --stdio --auth-token-env COPILOT_SDK_AUTH_TOKEN ' +
    '--no-auto-login --session-idle-timeout 90 --remote'
  assert.deepEqual(readFlags(line.split(' ')), {
    stdio: true,
    port: 0,
    host: '127.0.0.1',
    allowAll: false,
    logLevel: 'debug',
    authTokenEnv: 'COPILOT_SDK_AUTH_TOKEN',
    idleTimeoutMs: 90_000,
  })
  assert.deepEqual(readFlags(['--headless', '--port', '4711', '--log-level', 'none']), {
    stdio: false,
    port: 4711,
    host: '127.0.0.1',
    allowAll: false,
    logLevel: undefined,
  })
})

test('what makes no sense is refused in words', () => {
  const refused: readonly (readonly [string, RegExp])[] = [
    ['--server --resume', /--resume needs a session/],
    ['--server --resume --stdio', /--resume needs a session/],
    ['--server --port 70000', /--port wants a whole number/],
    ['--server --stdio --port 1', /neither port nor host/],
    ['--server --log-level loud', /--log-level is one of/],
    ['--server --frobnicate', /frobnicate/],
    ['--server sessions', /sessions/],
  ]
  for (const [line, message] of refused)
    assert.throws(() => readFlags(line.split(' ')), { code: 'invalid', message })
})
