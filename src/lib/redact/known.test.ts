import assert from 'node:assert/strict'
import { test } from 'node:test'
import { knownFromEnv } from './known.ts'
import { createRedactor } from './redact.ts'

const key = new Uint8Array(32).fill(7)
const secret = 'tall "grey" heron/42'
const redactor = createRedactor({ key, known: [secret] })
const hidden = redactor.redactText(secret).text

test('an environment gives the values whose names are secret, and of those no common word', () => {
  assert.deepEqual(
    knownFromEnv({
      GH_TOKEN: 'abcdefgh',
      my_secret: 'grey-heron',
      AWS_SECRET_ACCESS_KEY: 'tall-grey-heron',
      PGPASSWORD: 'postgres',
      SHORT_KEY: 'seven77',
      TOKEN_AGAIN: 'abcdefgh',
      KEY_PATH: '/home/somebody/.ssh/id',
      GIT_CONFIG_KEY_0: 'safe.directory',
      TOKEN_LIMIT_NOW: '100000000',
      PATH: '/usr/bin:/bin',
      EMPTY_TOKEN: undefined,
    }),
    ['abcdefgh', 'grey-heron', 'tall-grey-heron'],
  )
})

test('a known value is hidden in a text, a URL, a JSON string and base64, each time by the same placeholder', () => {
  assert.match(hidden, /^\[REDACTED:known:[0-9a-f]{4}\]$/)
  for (const form of [
    `a ${secret} b`,
    `a?x=${encodeURIComponent(secret)}&y=1`,
    `a?x=${encodeURIComponent(secret).replaceAll('%20', '+')}`,
    JSON.stringify({ x: secret }),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
  ]) {
    const { text, found } = redactor.redactText(form)
    assert.ok(text.includes(hidden), form)
    assert.deepEqual(found, [{ kind: 'known', count: 1 }], form)
  }
})

test('a known value is found within longer base64, wherever it begins', () => {
  for (const user of ['', 'a', 'ab', 'abc', 'abcd']) {
    const text = Buffer.from(`${user}:${secret}`).toString('base64')
    assert.ok(redactor.redactText(text).text.includes(hidden), user)
  }
})

test('a known value shorter than eight signs is not looked for', async () => {
  const { text } = createRedactor({ key, known: ['seven77'] }).redactText('a seven77 b')
  assert.equal(text, 'a seven77 b')
})
