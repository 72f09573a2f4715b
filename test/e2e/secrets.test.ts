/** A secret that a tool prints is in no sink that redacts: not in the index, and not in the log when that is asked for. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { makePlace } from './cli.ts'

const SECRET = ['hunter', '2-is-not', '-a-good-one'].join('')
const env = { DEPLOY_PASSWORD: SECRET }

/** Whether any file below a folder holds the text. */
const holds = (folder: string, text: string): boolean => {
  try {
    return execFileSync('grep', ['-rlaF', '--', text, folder]).length > 0
  } catch {
    return false
  }
}

test('with persist on, a known secret reaches neither the log nor the index', async () => {
  using place = makePlace()
  await place.run(['config', 'set', 'redaction.persist', 'on'])
  const { code, stderr } = await place.run(['-p', 'run printenv DEPLOY_PASSWORD', '--allow-all'], {
    env,
  })
  assert.equal(code, 0, stderr)
  assert.equal(holds(place.home, SECRET), false)
  assert.equal(holds(place.home, '[REDACTED:'), true)
})

test('by default the log keeps what was said, and the index does not', async () => {
  using place = makePlace()
  await place.run(['-p', 'run printenv DEPLOY_PASSWORD', '--allow-all'], { env })
  const { stdout } = await place.run(['sql', '--json', 'SELECT output FROM reprise_tool_calls'], {
    env,
  })
  assert.match(stdout, /\[REDACTED:/)
  assert.equal(stdout.includes(SECRET), false)
  assert.equal(holds(`${place.home}/session-state`, SECRET), true)
})
