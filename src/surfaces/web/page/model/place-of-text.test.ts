import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeOfText } from './place-of-text.ts'

const found = (pieces: readonly string[], text: string): string | undefined => {
  const place = placeOfText(pieces, text)
  if (place === undefined) return undefined
  const { start, end } = place
  return pieces
    .map((piece, at) =>
      piece.slice(
        at < start.node ? piece.length : at === start.node ? start.offset : 0,
        at > end.node ? 0 : at === end.node ? end.offset : piece.length,
      ),
    )
    .join('|')
}

test('a text is found in what was drawn of it, over marks, lines and cases', () => {
  assert.equal(found(['m1', 'the ', 'Quick', ' zebra'], '**quick** zebra'), '||Quick| zebra')
  assert.equal(found(['one\ntwo three'], 'ONE two'), 'one\ntwo')
  assert.equal(found(['a -> b'], '->'), '->')
  assert.equal(found(['say ', '𝒳y!'], '𝒳y'), '|𝒳y')
  assert.equal(found(['nothing'], 'else'), undefined)
  assert.equal(found(['nothing'], ''), undefined)
})
