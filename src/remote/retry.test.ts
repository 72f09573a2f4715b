import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withPatience } from './retry.ts'

test('a server that was asked and says nothing is not waited for, one that answers is', async () => {
  let now = 0
  let answer = (_response: Response): void => {}
  const url = 'http://127.0.0.1:1'
  const silent = () => new Promise<Response>((resolve) => (answer = resolve))
  const { address, patienceMs } = withPatience({ url, fetch: silent }, () => now)
  assert.equal(patienceMs(), 1000, 'nothing was asked yet')
  const asked = address.fetch?.(url)
  now = 400
  assert.equal(patienceMs(), 600)
  now = 5000
  assert.equal(patienceMs(), 0)
  answer(new Response(''))
  await asked
  assert.equal(patienceMs(), 2000)
})
