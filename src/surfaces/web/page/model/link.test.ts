/** What a link says about who comes. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOfThisMachine, linkIn } from './link.ts'

test("the owner's link and a guest's are told apart, and nothing else is a link", () => {
  assert.deepEqual(linkIn('#code=abc-_1'), { kind: 'code', code: 'abc-_1' })
  assert.deepEqual(linkIn('#guest=0-1.z.a_b'), { kind: 'guest', code: '0-1.z.a_b' })
  for (const hash of ['', '#/', '#/s/1', '#guest=', '#guest', '#guest=a b', '#/guest', '#other=a'])
    assert.equal(linkIn(hash), undefined, hash)
})

test('an address of this machine alone is known as one', () => {
  for (const link of ['http://127.0.0.1:7373/#', 'http://localhost:1/', 'https://[::1]:7373/#x'])
    assert.ok(isOfThisMachine(link), link)
  for (const link of ['https://box.test:7373/#', 'https://localhost.test/', 'https://10.0.0.1/'])
    assert.ok(!isOfThisMachine(link), link)
})
