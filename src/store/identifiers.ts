/** The pieces of compound words: parseSummary is also "parse Summary", HTTPServer "HTTP Server". Linear in the text. */

/** Longer runs of letters are keys and base64, not names. */
const LONGEST = 64
/** So many of one document: a generated file has no end of names. */
const MOST = 500

/** The pieces of every compound word of a text, each word once. Empty when there is none. */
export function partsOf(text: string): string {
  const seen = new Set<string>()
  BORDER.lastIndex = 0
  for (let hit = BORDER.exec(text); hit !== null && seen.size < MOST; hit = BORDER.exec(text)) {
    const start = wordStart(text, hit.index)
    const end = wordEnd(text, hit.index)
    BORDER.lastIndex = end
    if (end - start <= LONGEST) seen.add(text.slice(start, end))
  }
  return Array.from(seen, (word) => piecesOf(word).join(' ')).join(' ')
}

/** One piece when the word is not a compound. */
export const piecesOf = (word: string): string[] => word.split(BETWEEN)

const BORDER = /[a-z0-9][A-Z]|[A-Z][A-Z][a-z]/g
const BETWEEN = /(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/

function wordStart(text: string, at: number): number {
  let start = at
  while (start > 0 && at - start <= LONGEST && isWordUnit(text.charCodeAt(start - 1))) start--
  return start
}

/** To its very end, so that nothing of a long run is looked at twice. */
function wordEnd(text: string, at: number): number {
  let end = at
  while (end < text.length && isWordUnit(text.charCodeAt(end))) end++
  return end
}

const isWordUnit = (unit: number): boolean =>
  (unit >= 97 && unit <= 122) ||
  (unit >= 65 && unit <= 90) ||
  (unit >= 48 && unit <= 57) ||
  unit > 127
