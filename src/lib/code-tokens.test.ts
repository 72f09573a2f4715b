import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { codeTokens } from './code-tokens.ts'

test('the pieces of a code are the code, letter by letter', () => {
  assert.deepEqual(codeTokens('const a = "x" // y', 'ts'), [
    { text: 'const', kind: 'keyword' },
    { text: ' a = ', kind: 'plain' },
    { text: '"x"', kind: 'string' },
    { text: ' ', kind: 'plain' },
    { text: '// y', kind: 'comment' },
  ])
  fc.assert(
    fc.property(fc.string(), fc.constantFrom('ts', 'py', 'sql', ''), (code, language) => {
      assert.equal(
        codeTokens(code, language)
          .map((token) => token.text)
          .join(''),
        code,
      )
    }),
  )
})

test('what is never closed is looked at once: a comment goes on to the end, a string is none', () => {
  const open = '/* '.repeat(30_000)
  assert.deepEqual(codeTokens(`a ${open}`, 'ts'), [
    { text: 'a ', kind: 'plain' },
    { text: open, kind: 'comment' },
  ])
  for (const sign of ['"', "'", '`']) {
    const code = `\\${sign}`.repeat(40_000)
    assert.deepEqual(codeTokens(code, 'ts'), [{ text: code, kind: 'plain' }])
    const long = `${sign}${'x '.repeat(500)}${sign}`
    assert.deepEqual(codeTokens(long, 'ts'), [{ text: long, kind: 'string' }])
  }
})
