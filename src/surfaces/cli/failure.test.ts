import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellFailure } from './failure.ts'
import type { Output } from './output.ts'

test('a full disk is told in words wherever a command met it, with its own exit code', () => {
  const error = Object.assign(new Error('ENOSPC: no space left on device, write'), {
    code: 'ENOSPC',
    errno: -28,
  })
  const told: unknown[] = []
  const out = { noteRecord: (record: unknown) => void told.push(record) } as unknown as Output
  assert.equal(tellFailure(out, error, { json: true }), 6)
  const message =
    'The disk cannot be written: no space left on device. Everything acknowledged is intact. Make room or mend the disk, then try again.'
  assert.deepEqual(told, [{ error: { code: 'not_durable', message, details: { code: 'ENOSPC' } } }])
})
