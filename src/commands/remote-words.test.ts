import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inShort } from './remote-words.ts'

const now = Date.parse('2026-01-01T00:10:00Z')
const at = new Date('2026-01-01T00:07:00Z')

test('a copy is connected, late with its age, or off', () => {
  assert.deepEqual(inShort({ mode: 'off', state: 'off' }, now), { text: 'off', isLate: false })
  assert.equal(inShort({ mode: 'export', state: 'connecting' }, now).text, 'connecting')
  assert.equal(inShort({ mode: 'export', state: 'active', at }, now).text, 'connected')
  assert.equal(inShort({ mode: 'steer', state: 'active', at }, now).text, 'connected, steerable')
  assert.deepEqual(inShort({ mode: 'steer', state: 'error', error: 'away', at }, now), {
    text: 'late since 3m ago',
    isLate: true,
  })
  assert.equal(inShort({ mode: 'export', state: 'error', at: new Date(now) }, now).text, 'late')
})

test('a session of another machine says which, and since when it is silent', () => {
  const far = { mode: 'steer', machine: 'desk', at } as const
  assert.deepEqual(inShort({ ...far, state: 'active' }, now), { text: 'on desk', isLate: false })
  assert.deepEqual(inShort({ ...far, state: 'error' }, now), {
    text: 'desk silent since 3m ago',
    isLate: true,
  })
})
