import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { cleanEvents } from '../../../test/support/clean-events.ts'
import { seededSecrets, shapes } from '../../../test/support/seeded-secrets.ts'
import { createRedactor } from './redact.ts'

const key = new Uint8Array(32).fill(7)
const phrase = 'one tall\ngrey heron'
const redactor = createRedactor({
  key,
  known: [phrase],
})

function streamed(chunks: readonly string[]): string {
  const stream = redactor.createStream()
  return chunks.map((chunk) => stream.push(chunk)).join('') + stream.end()
}

const cutAt = (text: string, places: readonly number[]) => {
  const ends = [...places].sort((a, b) => a - b)
  return [...ends, text.length].map((end, at) => text.slice(ends[at - 1] ?? 0, end))
}

test('a secret of every kind is hidden wherever the border of two chunks falls', () => {
  for (const { kind, place, text } of seededSecrets(3, shapes.length)) {
    if (!['prose', 'diff', 'env', 'json'].includes(place)) continue
    const whole = redactor.redactText(`before ${text} after\nand more`).text
    // Every place in short texts, every seventh in long ones.
    for (let at = 1; at < text.length + 7; at += text.length > 400 ? 7 : 1) {
      const chunks = cutAt(`before ${text} after\nand more`, [at])
      assert.equal(streamed(chunks), whole, `${kind} in ${place}, cut at ${at}`)
    }
  }
})

test('a text in single signs gives what the whole text gives', () => {
  for (const { text } of seededSecrets(4, shapes.length)) {
    const whole = redactor.redactText(text).text
    assert.equal(streamed([...text]), whole)
  }
})

test('a password of a command is hidden, though the command was shown before it came', () => {
  for (const text of [
    'run curl -u bob:Tr0ub4dor7x http://x',
    "mysql -h db -p'two words' main",
    'redis-cli -h db -a hunter2 ping',
    'echo hunter2 | sudo -S ls',
    'ENV DB_PASS Tr0ub4dor7x',
    'password: |\n  Tr0ub4dor7x\n',
    'machine a\n login b\n password hunter2\n',
  ]) {
    const whole = redactor.redactText(text).text
    assert.notEqual(whole, text)
    for (const size of [1, 3, 7])
      assert.equal(streamed(text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []), whole)
  }
})

test('any text in any chunks gives what the whole text gives', () => {
  const texts = [
    ...seededSecrets(5, shapes.length).map(({ text }) => text),
    ...cleanEvents(6, 60),
    phrase,
  ]
  const pieces = fc.array(fc.oneof(fc.constantFrom(...texts), fc.string({ unit: 'binary' })), {
    maxLength: 5,
  })
  fc.assert(
    fc.property(
      pieces,
      fc.constantFrom('\n', ' ', ', ', '\n\n'),
      fc.array(fc.nat(6000), { maxLength: 12 }),
      (parts, between, places) => {
        const text = parts.join(between)
        const within = places.filter((place) => place < text.length)
        assert.equal(streamed(cutAt(text, within)), redactor.redactText(text).text)
      },
    ),
    { numRuns: 300, seed: 7 },
  )
})

test('a known value with white space in it is held until it is complete', () => {
  const text = `say ${phrase} again`
  for (let at = 1; at < text.length; at += 1) {
    assert.equal(streamed(cutAt(text, [at])), redactor.redactText(text).text)
  }
})

test('words are shown as they come, and a line that names a secret when it ends', () => {
  const stream = redactor.createStream()
  assert.deepEqual(
    ['Now I ', 'run the te', 'sts.', '\nthe password ', 'is unknown', '\n'].map((chunk) =>
      stream.push(chunk),
    ),
    ['Now I ', 'run the ', '', 'tests.\n', '', 'the password is unknown\n'],
  )
})

test('a text without white space is held up to a limit, and a secret in it is found wherever it stands', () => {
  const [secret] = seededSecrets(8, 1)
  const filler = 'ab,'.repeat(10_000)
  for (let offset = 0; offset < 20_000; offset += 997) {
    const text = `${filler.slice(0, offset)},${secret!.secret},${filler}`
    const stream = redactor.createStream()
    let given = ''
    let most = 0
    for (let at = 0; at < text.length; at += 512) {
      given += stream.push(text.slice(at, at + 512))
      most = Math.max(most, Math.min(text.length, at + 512) - given.length)
    }
    given += stream.end()
    assert.ok(!given.includes(secret!.secret) && given.includes('[REDACTED:'), `at ${offset}`)
    assert.ok(most <= 17 * 1024, `${most} held`)
  }
})

test('a name at the place of a cut stays with the value behind it', () => {
  const filler = 'ab,'.repeat(10_000)
  for (let offset = 11_900; offset < 12_600; offset += 3) {
    const text = `${filler.slice(0, offset)},api_key="9f8e7d6c5b4a39281706f5e4d3c2b1a0",${filler.slice(0, 9000)}`
    assert.ok(!streamed(text.match(/.{1,256}/g) ?? []).includes('9f8e7d6c5b4a'), `at ${offset}`)
  }
})

test('a private key that never ends is held no longer than a key can be', () => {
  const stream = redactor.createStream()
  const begin = ['-----BEGIN', 'PRIVATE KEY-----\n'].join(' ')
  let given = stream.push(begin)
  for (let line = 0; line < 3000; line += 1) given += stream.push(`${'QUJD'.repeat(16)}\n`)
  given += stream.end()
  assert.ok(given.startsWith('[REDACTED:private-key:'))
})
