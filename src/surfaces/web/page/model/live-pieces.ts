/**
 * A text that is still being written, in pieces that are drawn one by one: what was written before the last empty line
 * does not change any more, and is not read again with every word. Whole pieces of it: a fence or what belongs to an
 * item above is never torn.
 */
export function livePieces(text: string): string[] {
  const pieces: string[] = []
  let start = 0
  let at = 0
  let fence: string | undefined
  let isAfterGap = false
  for (const line of text.split('\n')) {
    if (isAfterGap && fence === undefined && /^\S/.test(line)) {
      pieces.push(text.slice(start, at))
      start = at
    }
    const [, mark] = /^\s*(?:[-*+>] +|\d+[.)] +)*(`{3,}|~{3,})/.exec(line) ?? []
    if (fence === undefined) fence = mark
    else if (mark !== undefined && mark.startsWith(fence)) fence = undefined
    isAfterGap = line.trim() === ''
    at += line.length + 1
  }
  return [...pieces, text.slice(start)]
}
