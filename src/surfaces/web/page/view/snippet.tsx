/** A piece of what was said, with what was searched for marked in it. */
import type { SearchAnswer } from '../../api.ts'
import { piecesOf } from '../model/snippet.ts'
import { visible } from '../model/words.ts'

export function Snippet({ text, ranges, isCut }: SearchAnswer['hits'][number]['snippet']) {
  return (
    <span class="snippet">
      {isCut.before && '…'}
      {piecesOf(text, ranges).map(({ text: piece, isMarked }) =>
        isMarked ? <mark>{visible(piece)}</mark> : visible(piece),
      )}
      {isCut.after && '…'}
    </span>
  )
}
