import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { textBehind } from './one-statement.ts'

const blank = fc
  .array(
    fc.oneof(
      fc.constantFrom(' ', '\t', '\n', '\r', '\f', '/**/', '/* ; */', '/* -- */', '/* /* */'),
      fc.string().map((text) => `--${text.replaceAll('\n', '')}\n`),
      fc.string().map((text) => `/*${text.replaceAll('*/', '')}*/`),
    ),
  )
  .map((parts) => parts.join(''))

test('blanks and comments behind a statement are nothing', () => {
  fc.assert(
    fc.property(blank, fc.constantFrom('', '-- no end', '/* no end', '/*'), (between, end) => {
      assert.equal(textBehind(`SELECT 1;${between}${end}`, 'SELECT 1;'), '')
    }),
  )
})

test('whatever else stands there is found, however it is hidden', () => {
  fc.assert(
    fc.property(
      blank,
      fc.constantFrom('x', ';', '*/', '-', '/', '\u00a0', '\0'),
      (between, rest) => {
        assert.equal(textBehind(`SELECT 1;${between}${rest}`, 'SELECT 1;'), rest)
      },
    ),
  )
})
