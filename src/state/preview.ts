/** A text in one short line. Cut on code points: half an emoji is refused by providers for ever. */
export function preview(text: string, limit = 80): string {
  // A code point has at most two units, and there is room for blanks that fold into one: long texts are not scanned whole.
  const head = text.slice(0, limit * 2 + 64).toWellFormed()
  const line = head.replace(BLANKS, ' ').trim()
  const isWhole = head.length === text.length
  if (isWhole && line.length <= limit) return line
  const kept = leading(line, limit)
  if (isWhole && kept === line) return line
  // Joined, not concatenated: that would keep the longer text alive behind every preview.
  return [leading(line, limit - 1).trimEnd(), '…'].join('')
}

// Blanks and control characters, but not the single space that is most of them and may stay as it is.
// oxlint-disable-next-line no-control-regex
const BLANKS = / [\s\0-\x1f\x7f-\x9f]+|(?! )[\s\0-\x1f\x7f-\x9f]+/g

function leading(text: string, codePoints: number): string {
  let end = 0
  for (let count = 0; count < codePoints && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}

/** Head and tail of a text, with the number of characters left out between them. */
export function headAndTail(text: string, limit: number): string {
  if (text.length <= limit) return text
  const half = Math.floor(limit / 2)
  const left = text.length - 2 * half
  return `${whole(text.slice(0, half))}\n… ${left} characters left out …\n${whole(text.slice(-half))}`
}

// A cut between two halves of a pair leaves one at the edge; it goes, rather than becoming a mark.
const whole = (text: string) => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
