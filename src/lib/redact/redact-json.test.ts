import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRedactor } from './redact.ts'

const key = new Uint8Array(32).fill(7)
const known = 'tall-grey-heron'
const redactor = createRedactor({ key, known: [known] })
const hidden = redactor.redactText(known).text

test('strings are redacted at every depth, keys included, and the value that was given stays as it was', () => {
  const given = { a: [{ b: `x ${known} y` }, 1, null, true], [known]: { c: 'clean' } }
  const copy = structuredClone(given)
  const { value, found } = redactor.redactJson(given)
  assert.deepEqual(value, {
    a: [{ b: `x ${hidden} y` }, 1, null, true],
    [hidden]: { c: 'clean' },
  } as unknown)
  assert.deepEqual(found, [{ kind: 'known', count: 2 }])
  assert.deepEqual(given, copy)
})

test('what holds no secret is given back as it is', () => {
  const given = { a: ['b', { c: 1 }], d: { e: 'f' } }
  assert.equal(redactor.redactJson(given).value, given)
})

test('what a provider has signed or sealed is kept to the letter', () => {
  const given = {
    reasoningOpaque: known,
    encryptedContent: known,
    blocks: [{ signature: known, text: known }],
  }
  assert.deepEqual(redactor.redactJson(given).value, {
    reasoningOpaque: known,
    encryptedContent: known,
    blocks: [{ signature: known, text: hidden }],
  })
})

test('the name of a field gives its value away', () => {
  const { value } = redactor.redactJson({
    env: { DB_PASSWORD: 'hunterhunter', PORT: '5432' },
    password: 'Hunter2hunter',
    apiKey: '9f8e7d6c5b4a39281706f5e4d3c2b1a0',
    tokenCount: '1234567890123456',
    passwordHint: 'Hunter2hunter',
  })
  assert.deepEqual(JSON.parse(JSON.stringify(value).replace(/:[0-9a-f]{4}\]/g, ']')), {
    env: { DB_PASSWORD: '[REDACTED:password]', PORT: '5432' },
    password: '[REDACTED:password]',
    apiKey: '[REDACTED:api-key]',
    tokenCount: '1234567890123456',
    passwordHint: 'Hunter2hunter',
  })
})

test('redacting twice changes nothing', () => {
  const once = redactor.redactJson({ DB_PASSWORD: 'hunterhunter', list: [known] }).value
  const twice = redactor.redactJson(once)
  assert.equal(twice.value, once)
  assert.deepEqual(twice.found, [])
})

test('a field named __proto__ stays a field', () => {
  const given = JSON.parse(`{"__proto__": {"x": "${known}"}}`) as object
  assert.equal(JSON.stringify(redactor.redactJson(given).value), `{"__proto__":{"x":"${hidden}"}}`)
})

test('what lies too deep to be looked at is not let through', () => {
  const given: unknown = JSON.parse(`${'['.repeat(50_000)}"${known}"${']'.repeat(50_000)}`)
  const { value, found } = redactor.redactJson(given)
  assert.deepEqual(found, [{ kind: 'too-deep', count: 1 }])
  assert.ok(!JSON.stringify(value).includes(known))
})
