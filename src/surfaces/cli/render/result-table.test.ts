import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { resultTable } from './result-table.ts'
import { textOf } from './span.ts'
import { widthOf } from './width.ts'

const shown = (head: string[], rows: string[][], columns: number, right: number[] = []) =>
  resultTable({ head, rows, right }, columns).map((spans) => spans.map(textOf).join(''))

test('columns that fit are whole, and numbers stand under each other', () => {
  assert.deepEqual(
    shown(
      ['name', 'n'],
      [
        ['a', '5'],
        ['bcdef', '12'],
      ],
      40,
      [1],
    ),
    ['name    n', 'a       5', 'bcdef  12'],
  )
})

test('the widest column gives way first', () => {
  assert.deepEqual(shown(['id', 'a', 'b'], [['1', 'x'.repeat(12), 'y'.repeat(90)]], 40), [
    'id  a             b',
    `1   ${'x'.repeat(12)}  ${'y'.repeat(21)}…`,
  ])
})

test('a table is never wider than the terminal, as long as each column can have 8 signs', () => {
  const cell = fc.string({ unit: 'grapheme', maxLength: 60 })
  fc.assert(
    fc.property(
      fc
        .integer({ min: 1, max: 5 })
        .chain((width) =>
          fc.array(fc.array(cell, { minLength: width, maxLength: width }), { minLength: 1 }),
        ),
      ([head = [], ...rows]) => {
        for (const line of shown(head, rows, 60)) assert.ok(widthOf(line) <= 60, line)
      },
    ),
  )
})
