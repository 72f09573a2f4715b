import assert from 'node:assert/strict'
import { test } from 'node:test'
import { render } from '../output.ts'
import { wantsColour } from './colour.ts'
import { shortIds } from '../../../state/session-title.ts'
import { bold, dim } from './span.ts'
import { table } from './table.ts'
import { fit, widthOf } from './width.ts'
import { wrap } from './wrap.ts'

test('wide signs take two columns and marks none', () => {
  assert.deepEqual(['abc', '你好', 'e\u0301', '🙂'].map(widthOf), [3, 4, 1, 2])
  assert.deepEqual([fit('abcdef', 4), fit('你好吗', 5), fit('abc', 3)], ['abc…', '你好…', 'abc'])
})

const plain = (rows: ReturnType<typeof table>) => rows.map((spans) => render(spans, false))

test('columns are aligned, and one gives way when there is no room', () => {
  const rows = [
    ['a', 'a title that is long', '1'],
    ['bb', '你好', '22'],
  ]
  assert.deepEqual(plain(table(rows, { columns: 80, shrink: 1, right: [2] })), [
    'a   a title that is long   1',
    'bb  你好                  22',
  ])
  assert.deepEqual(plain(table(rows, { columns: 20, shrink: 1, right: [2] })), [
    'a   a title tha…   1',
    'bb  你好          22',
  ])
})

test('lines are broken between words, each with the indent, and styles stay', () => {
  const spans = ['one two ', bold('three four'), ' five']
  assert.deepEqual(plain(wrap(spans, 12, '  ')), ['  one two', '  three four', '  five'])
  assert.deepEqual(plain(wrap(spans, Infinity, '')), ['one two three four five'])
  assert.deepEqual(wrap(spans, 12, '  ')[1]?.slice(1), [bold('three '), bold('four')])
})

test('a cell cannot bring lines or escapes of its own', () => {
  assert.deepEqual(plain(table([['a\n\x1b[31mb', 'c']], { columns: 80, shrink: 0 })), ['a b  c'])
  assert.equal(render([bold('x\x1b[0m'), dim('')], true), '\x1b[1mx\x1b[22m')
})

test('colours follow FORCE_COLOR, then NO_COLOR, then the stream', () => {
  const [tty, pipe] = [{ isTTY: true }, {}]
  assert.deepEqual(
    [
      wantsColour(tty, {}),
      wantsColour(pipe, {}),
      wantsColour(tty, { TERM: 'dumb' }),
      wantsColour(tty, { NO_COLOR: '1' }),
      wantsColour(pipe, { FORCE_COLOR: '1', NO_COLOR: '1' }),
      wantsColour(tty, { FORCE_COLOR: '0' }),
      wantsColour(tty, { NO_COLOR: '' }),
    ],
    [true, false, false, false, true, false, true],
  )
})

test('a short id is the whole one where the beginning is shared', () => {
  const ids = ['aaaaaaaa-1', 'aaaaaaaa-2', 'bbbbbbbb-1']
  assert.deepEqual(ids.map(shortIds(ids)), ['aaaaaaaa-1', 'aaaaaaaa-2', 'bbbbbbbb'])
})
