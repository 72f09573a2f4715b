import assert from 'node:assert/strict'
import { test } from 'node:test'
import { limitDepth } from './limit-depth.ts'

test('what is nested too deeply is replaced by a word for it, and nothing else is touched', () => {
  const value = { a: [{ b: { c: 1 }, d: [] }], e: { f: null }, g: 'text' }
  limitDepth(value, 4)
  assert.deepEqual(value, { a: [{ b: { c: 1 }, d: [] }], e: { f: null }, g: 'text' })
  limitDepth(value, 3)
  const cut = '[nested more than 3 levels deep]'
  assert.deepEqual(value, { a: [{ b: cut, d: cut }], e: { f: null }, g: 'text' })
})

test('a hundred thousand levels are cut without running out of stack, lists and objects alike', () => {
  for (const [open, close] of [
    ['[', ']'],
    ['[1,', ',2]'],
    ['{"a":', ',"b":1}'],
  ] as const) {
    const value: unknown = JSON.parse(`${open.repeat(100_000)}0${close.repeat(100_000)}`)
    limitDepth(value, 1000)
    assert.match(JSON.stringify(value), /nested more than 1000 levels deep/)
  }
})

test('what is no container has no depth', () => {
  for (const value of [null, 1, 'text', undefined]) limitDepth(value, 1)
})
