import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { shellQuote } from './quote.ts'

test('a shell reads back the word that was quoted', () => {
  assert.equal(shellQuote('/srv/app-1/file.jsonl'), '/srv/app-1/file.jsonl')
  for (const word of ['a b', "it's", '$(touch x)', '', '`x`', 'a\nb', '*', '~', '"', '\\'])
    assert.equal(
      execFileSync('sh', ['-c', `printf %s ${shellQuote(word)}`], { encoding: 'utf8' }),
      word,
    )
})
