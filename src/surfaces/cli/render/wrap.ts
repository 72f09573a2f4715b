/** Spans as lines that fit a width, broken between words; every line begins with the indent. */
import { textOf, withText, type Span } from './span.ts'
import { widthOf } from './width.ts'

export function wrap(spans: readonly Span[], columns: number, indent: string): Span[][] {
  const room = columns - indent.length
  const lines: Span[][] = [[indent]]
  let used = 0
  for (const span of spans)
    for (const word of textOf(span).split(/(?<=\s)/)) {
      if (used > 0 && used + widthOf(word.trimEnd()) > room) {
        lines.push([indent])
        used = 0
      }
      lines.at(-1)?.push(withText(span, word))
      used += widthOf(word)
    }
  return lines.map(trimmed)
}

/** A blank behind the last column would be a line of its own. */
function trimmed(line: Span[]): Span[] {
  const last = line.findLastIndex((span) => textOf(span).trim() !== '')
  return line
    .slice(0, last + 1)
    .map((span, at) => (at === last ? withText(span, textOf(span).trimEnd()) : span))
}
