import assert from 'node:assert/strict'
import { test } from 'node:test'
import { failureText } from './failure-text.ts'
import { INTERRUPTED } from './provider-valid.ts'

const at = '2026-01-01T00:00:00.000Z'
const said = (unfinished?: string, printed = '') =>
  failureText({
    at,
    endedAt: '2026-01-03T00:00:00.000Z',
    failure: 'interrupted',
    output: printed === '' ? INTERRUPTED : `${printed}\n\n[${INTERRUPTED}]`,
    ...(unfinished !== undefined && { unfinished }),
  })

test('a call without a result says who ended it, and no time that is not known', () => {
  assert.deepEqual(
    [said(), said('killed'), said('broken'), said('killed', 'one'), said('stopped', 'one')],
    [
      'You cancelled this.',
      'Stopped: the program ended.',
      'No result: its agent ended first.',
      'one\nStopped: the program ended (output above).',
      'one\nStopped by you after 48 h (output above).',
    ],
  )
})
