import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { compare, countChanges, parseDiff, sideBySide, withContext } from './diff.ts'

const forty = Array.from({ length: 40 }, (_, at) => `line ${at}`)

test('two edits of one line in forty are two edits of one line', () => {
  const after = forty.with(2, 'A').with(37, 'B')
  const lines = compare(forty.join('\n'), after.join('\n'))
  assert.deepEqual(countChanges(lines), { added: 2, removed: 2 })
  const rows = withContext(lines)
  assert.deepEqual(
    rows.map(({ kind, lines: each }) => [kind, each.length]),
    [
      ['lines', 7],
      ['gap', 28],
      ['lines', 7],
    ],
  )
})

test('a created file of five lines has five lines', () => {
  assert.deepEqual(countChanges(compare('', 'a\nb\nc\nd\ne\n')), { added: 5, removed: 0 })
})

test('lines have their numbers, and words that differ are marked', () => {
  const [same, removed, added] = compare('one\ntwo words here\n', 'one\ntwo other here\n')
  assert.deepEqual(same, { kind: 'same', text: 'one', old: 1, now: 1 })
  assert.deepEqual([removed?.old, removed?.marks], [2, [{ start: 4, end: 9 }]])
  assert.deepEqual([added?.now, added?.marks], [2, [{ start: 4, end: 9 }]])
})

test('a diff that a tool printed has the numbers that its places say', () => {
  const lines = parseDiff('--- a\n+++ b\n@@ -10,2 +20,2 @@\n same\n-old\n+new\n')
  assert.deepEqual(
    lines.map(({ kind, old, now }) => [kind, old, now]),
    [
      ['head', undefined, undefined],
      ['head', undefined, undefined],
      ['place', undefined, undefined],
      ['same', 10, 20],
      ['remove', 11, undefined],
      ['add', undefined, 21],
    ],
  )
})

test('a line of a hunk is a line, whatever it looks like; a place without numbers has none', () => {
  const diff = '--- a.sql\n+++ a.sql\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n same\n@@\n+more'
  assert.deepEqual(
    parseDiff(diff).map(({ kind, old, now }) => [kind, old, now]),
    [
      ['head', undefined, undefined],
      ['head', undefined, undefined],
      ['place', undefined, undefined],
      ['remove', 1, undefined],
      ['add', undefined, 1],
      ['same', 2, 2],
      ['place', undefined, undefined],
      ['add', undefined, undefined],
    ],
  )
})

test('whatever is compared, each side is what it was', () => {
  const line = fc.constantFrom('a', 'b', 'c', 'a b c')
  const text = fc.array(line, { maxLength: 20 })
  fc.assert(
    fc.property(text, text, (before, after) => {
      const pairs = sideBySide(compare(before.join('\n'), after.join('\n')))
      const left = pairs.flatMap(({ left: each }) => (each === undefined ? [] : [each.text]))
      const right = pairs.flatMap(({ right: each }) => (each === undefined ? [] : [each.text]))
      assert.deepEqual([left, right], [before, after])
    }),
  )
})
