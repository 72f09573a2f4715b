import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRedactor } from '../../lib/redact/redact.ts'
import { redactResult } from './redact-result.ts'

const hex = (text: string) => Buffer.from(text).toString('hex').toUpperCase()

test('what hex() and quote() spell is hidden where it is a secret, and nowhere else', async () => {
  const redactor = createRedactor({ key: new Uint8Array(32) })
  const secret = `ghp_${'x7Kq2LmZ9vTn4RbW1c'}${'Yd8HsJ5gFp3QeA6uXi'}`
  const clean = hex('only words that all may read')
  const rows = [
    [hex(`the token is ${secret}`)],
    [`a${hex(secret)}`],
    [hex(hex(secret))],
    [`X'${hex(secret)}'`],
    [clean],
  ]
  const result = redactResult({ columns: ['x'], rows, truncated: false, elapsedMs: 0 }, redactor)
  assert.deepEqual(result.rows, [
    ['[REDACTED:hex]'],
    ['[REDACTED:hex]'],
    ['[REDACTED:hex]'],
    [`X'[REDACTED:hex]'`],
    [clean],
  ])
})
