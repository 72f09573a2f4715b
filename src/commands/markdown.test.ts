import assert from 'node:assert/strict'
import { test } from 'node:test'
import { code, plain, unmarked } from './markdown.ts'

test('a text of others is the same again where only plain text can be shown', () => {
  for (const text of ['derived but for `name`, `user_named`', 'a\\b *c* [d] <e> |f| ~g~', '`'])
    assert.equal(unmarked(plain(text)), text)
  assert.equal(unmarked(`in ${code('a b')}: ${plain('`c`')} and ${code('d')}`), 'in a b: `c` and d')
})
