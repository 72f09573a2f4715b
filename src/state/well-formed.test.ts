import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { wellFormed } from './well-formed.ts'

describe('a well-formed value', () => {
  it('has whole characters everywhere, keys included', () => {
    assert.deepEqual(wellFormed({ '\ud83d': ['a\ude00', 1, null] }), {
      '\ufffd': ['a\ufffd', 1, null],
    })
  })

  it('is the same object when nothing had to change', () => {
    const value = { a: [{ b: '🙂' }] }
    assert.equal(wellFormed(value), value)
  })

  it('is not deeper than can be printed', () => {
    const deep: unknown = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`)
    assert.match(JSON.stringify(wellFormed(deep)), /nested too deep/)
  })

  it('keeps a key that looks like a prototype as a key', () => {
    const value = wellFormed(JSON.parse('{"__proto__": "\\ud83d"}')) as object
    assert.deepEqual(Object.entries(value), [['__proto__', '\ufffd']])
  })
})
