/** A text cut at its marked ranges. Ranges that overlap, point outside or run backwards do no harm. */
type Piece = { readonly text: string; readonly isMarked: boolean }

export function piecesOf(
  text: string,
  ranges: readonly { readonly start: number; readonly end: number }[],
): Piece[] {
  const pieces: Piece[] = []
  let from = 0
  for (const { start, end } of [...ranges].sort((a, b) => a.start - b.start)) {
    const begin = Math.max(from, start)
    const stop = Math.min(text.length, end)
    if (stop <= begin) continue
    if (begin > from) pieces.push({ text: text.slice(from, begin), isMarked: false })
    pieces.push({ text: text.slice(begin, stop), isMarked: true })
    from = stop
  }
  if (from < text.length) pieces.push({ text: text.slice(from), isMarked: false })
  return pieces
}
