import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readResult } from './mcp-result.ts'

const text = (said: string) => ({ type: 'text', text: said })

test('the model is given what a server gives apart from its texts, once', () => {
  const structuredContent = { sum: 3, of: [1, 2] }
  const contentOf = (...content: readonly object[]) =>
    readResult({ content, structuredContent }).content
  assert.equal(contentOf(), '{"sum":3,"of":[1,2]}')
  assert.equal(contentOf(text('It is 3.')), 'It is 3.\n{"sum":3,"of":[1,2]}')
  assert.equal(contentOf(text('{ "of": [1, 2], "sum": 3 }')), '{ "of": [1, 2], "sum": 3 }')
})
