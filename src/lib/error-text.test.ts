import assert from 'node:assert/strict'
import { readFileSync, renameSync } from 'node:fs'
import { connect } from 'node:net'
import { once } from 'node:events'
import { spawn } from 'node:child_process'
import { test } from 'node:test'
import { errorText } from './error-text.ts'

test('what the system says is told in words, with what it is about', async () => {
  assert.equal(
    thrown(() => readFileSync('/no/such')),
    'no such file or directory: /no/such',
  )
  assert.equal(
    thrown(() => readFileSync('/')),
    'illegal operation on a directory',
  )
  assert.equal(
    thrown(() => renameSync('/no/a', '/no/b')),
    'no such file or directory: /no/a -> /no/b',
  )
  const [failed] = await once(spawn('no-such-program'), 'error').catch((error: unknown) => [error])
  assert.equal(errorText(failed), 'no such file or directory: no-such-program')
  const refused = await once(connect(1, '127.0.0.1'), 'connect').catch((error: unknown) => error)
  assert.equal(errorText(refused), 'connection refused: 127.0.0.1:1')
})

test('our own words stay, and what nobody made an error of is said', () => {
  assert.equal(
    errorText(new Error('It broke. Nothing was changed.')),
    'It broke. Nothing was changed.',
  )
  assert.equal(
    errorText(Object.assign(new Error('EEXIST: taken: a'), { code: 'EEXIST' })),
    'taken: a',
  )
  assert.equal(errorText(Object.assign(new Error('gone'), { code: 'not_found' })), 'gone')
  assert.equal(errorText('text'), 'text')
})

function thrown(step: () => unknown): string {
  try {
    step()
  } catch (error) {
    return errorText(error)
  }
  return 'nothing'
}
