import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { headAndTail, preview } from './preview.ts'

describe('a preview', () => {
  it('is one line without control characters', () => {
    assert.equal(preview(' a\n\tb\u2028c\u0007\u0001 d'), 'a b c d')
  })

  it('has nothing left of sequences for a terminal', () => {
    const osc = '\u001b]0;pwn\u0007'
    assert.equal(preview(`a \u001b[31mred\u001b[0m ${osc}b\u009b1;2Hc`), 'a red bc')
    assert.equal(preview(`${osc.repeat(8)}${'word '.repeat(100)}`, 20), 'word word word word…')
  })

  it('is cut on code points, at any length', () => {
    const text = '👩‍👩‍👧 🙂'.repeat(100)
    for (let limit = 2; limit < 40; limit++) {
      const line = preview(text, limit)
      assert.ok(line.isWellFormed() && Array.from(line).length <= limit && line.endsWith('…'))
    }
  })

  it('replaces half characters that were there before', () => {
    assert.equal(preview('a\ud83d'), 'a\ufffd')
  })
})

describe('head and tail', () => {
  it('say how much is left out between them', () => {
    assert.equal(headAndTail('abcdefghij', 4), 'ab\n… 6 characters left out …\nij')
    assert.equal(headAndTail('abc', 4), 'abc')
  })

  it('are cut between words, so that no token is left in halves', () => {
    const token = 'ghp_0123456789'
    const text = `${'a b '.repeat(20)}${token} ${'c d '.repeat(20)}${token} ${'e f '.repeat(20)}`
    for (let limit = 60; limit < text.length; limit++) {
      const [head = '', tail = ''] = headAndTail(text, limit).split(
        /\n… \d+ characters left out …\n/,
      )
      assert.ok(text.startsWith(head) && text.endsWith(tail) && head.length + tail.length <= limit)
      assert.doesNotMatch(head.replaceAll(token, ''), /ghp|\d/)
      assert.doesNotMatch(tail.replaceAll(token, ''), /ghp|\d/)
    }
  })

  it('keep a word that is all there is', () => {
    assert.equal(headAndTail('a bcdefghijklmnop q', 8), 'a bc\n… 11 characters left out …\nop q')
  })

  it('lose the half of a character at the cut', () => {
    assert.ok(headAndTail(`a${'🙂'.repeat(20)}`, 8).isWellFormed())
    assert.ok(headAndTail(`${'🙂'.repeat(20)}a`, 8).isWellFormed())
  })
})
