import assert from 'node:assert/strict'
import { test } from 'node:test'
import { controlOf } from './control-address.ts'

test('the token of the configuration goes to the server that gave it, and to no other', () => {
  const config = { control: { url: 'https://ours/', token: 'of-ours' } }
  const of = (env: Readonly<Record<string, string>>) => controlOf(config, env)
  assert.deepEqual(of({}), { url: 'https://ours', token: 'of-ours' })
  assert.deepEqual(of({ REPRISE_CONTROL_URL: 'https://ours' }), {
    url: 'https://ours',
    token: 'of-ours',
  })
  assert.equal(of({ REPRISE_CONTROL_URL: 'https://theirs' }), undefined)
  assert.deepEqual(of({ REPRISE_CONTROL_URL: 'https://theirs', REPRISE_CONTROL_TOKEN: 'given' }), {
    url: 'https://theirs',
    token: 'given',
  })
})
