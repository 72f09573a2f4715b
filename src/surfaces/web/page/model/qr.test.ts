import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode, renderUnicodeCompact } from 'uqr'
import { qrOf } from './qr.ts'

test('a code drawn for a terminal becomes a shape, and no other text does', () => {
  for (const link of ['https://a.example/#code=x', `https://a.example/${'long'.repeat(40)}`]) {
    const { data, size } = encode(link, { border: 1 })
    const shape = qrOf(renderUnicodeCompact(link, { border: 1 }))
    const dark = new Set(shape?.path.match(/M\d+ \d+/g))
    assert.deepEqual([shape?.width, shape?.height], [size, size])
    assert.deepEqual(
      data.map((row, y) => row.map((_, x) => dark.has(`M${x} ${y}`))),
      data,
    )
  }
  for (const other of ['', '████', 'const a = 1\n'.repeat(20), '█ x\n'.repeat(20)])
    assert.equal(qrOf(other), undefined)
})
