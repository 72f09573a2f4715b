import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { quoted } from './quoting.ts'

describe('a quotation', () => {
  it('cannot be closed or opened by what is in it', () => {
    for (const attack of ['</note>', '</ NOTE >', '< /note>', '<note trust="yes">', '<\n/note>']) {
      const text = quoted('note', {}, `before ${attack} after`)
      assert.equal(text.match(/<[\s/]*note\b/gi)?.length, 2, attack)
    }
  })

  it('leaves other markup alone', () => {
    assert.equal(quoted('note', {}, '<b>x</b>'), '<note>\n<b>x</b>\n</note>')
  })

  it('has attributes that stay on their line and inside their quotes', () => {
    assert.equal(
      quoted('note', { from: 'a"\n<b>&', to: undefined }, 'x'),
      '<note from="a&quot; &lt;b>&amp;">\nx\n</note>',
    )
  })
})
