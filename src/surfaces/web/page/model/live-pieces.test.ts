import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { livePieces } from './live-pieces.ts'

test('what is written comes in pieces that do not change', () => {
  assert.deepEqual(livePieces('One\n\nTwo\nmore\n\n'), ['One\n\n', 'Two\nmore\n\n'])
  const torn = '- a\n\n  of a\n\n```ts\nx\n\ny\n```\n\nend'
  assert.deepEqual(livePieces(torn), ['- a\n\n  of a\n\n', '```ts\nx\n\ny\n```\n\n', 'end'])
  assert.deepEqual(livePieces('````md\n```\n\nstill\n'), ['````md\n```\n\nstill\n'])
})

test('nothing is lost, and what came first stays when more comes', () => {
  const words = fc.array(fc.constantFrom('a', ' ', '\n', '\n\n', '```', '- ', '~~~'))
  fc.assert(
    fc.property(words, words, (first, more) => {
      const before = livePieces(first.join(''))
      const after = livePieces([...first, ...more].join(''))
      assert.equal(before.join(''), first.join(''))
      const settled = before.slice(0, -1)
      assert.deepEqual(after.slice(0, settled.length), settled)
    }),
  )
})
