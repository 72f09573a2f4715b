import assert from 'node:assert/strict'
import test from 'node:test'
import * as fc from 'fast-check'
import { boundedOutput } from './bounded-output.ts'

test('head and tail are kept however the output is cut into pieces', () => {
  const LIMIT = 8
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 20 })),
      (pieces) => {
        const output = boundedOutput(LIMIT)
        for (const piece of pieces) output.add(Buffer.from(piece))
        const whole = pieces.join('')
        const left = whole.length - 2 * LIMIT
        const expected =
          left <= 0
            ? whole
            : `${whole.slice(0, LIMIT)}\n… ${left} bytes left out …\n${whole.slice(-LIMIT)}`
        assert.equal(output.text(), expected)
      },
    ),
  )
})

test('a character is never cut in half at an edge', () => {
  const output = boundedOutput(6)
  for (const byte of Buffer.from('€€€😀😀€')) output.add(Uint8Array.of(byte))
  assert.equal(output.text(), '€€\n… 8 bytes left out …\n€')
})

test('no word is left in halves', () => {
  const output = boundedOutput(16)
  output.add(Buffer.from('a b c d e f ghp_0123456789 g h i j k ghp_0123456789 l m n o p q'))
  assert.equal(output.text(), 'a b c d e f \n… 39 bytes left out …\n l m n o p q')
})

test('pieces follow each other, and a large one is cut to its end', () => {
  const output = boundedOutput()
  output.add(Buffer.from('one '))
  const euro = Buffer.from('€')
  output.add(euro.subarray(0, 1))
  assert.equal(output.takePiece(), 'one ')
  output.add(euro.subarray(1))
  assert.equal(output.takePiece(), '€')
  output.add(Buffer.from(`${'x'.repeat(100_000)}end`))
  const piece = output.takePiece()
  assert.equal(piece.length, 16 * 1024)
  assert.ok(piece.endsWith('xend'))
  assert.equal(output.takePiece(), '')
})
