import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sparing } from './throttled-log.ts'

test('the same thing is said once a minute, with how often it was not', () => {
  const said: string[] = []
  let at = 0
  const say = sparing(
    (message) => said.push(message),
    () => at,
  )
  for (at = 0; at < 90_000; at += 1000) say('Away.')
  say('Full.')
  assert.deepEqual(said, ['Away.', 'Away. (59 times more before.)', 'Full.'])
})
