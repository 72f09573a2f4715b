import { withoutSequences } from '../lib/safe-text.ts'

/** A text in one short line. Cut on code points: half an emoji is refused by providers for ever. */
export function preview(given: string, limit = 80): string {
  const text = shown(given, limit)
  // A code point has at most two units, and there is room for blanks that fold into one: long texts are not scanned whole.
  const end = Math.min(text.length, limit * 2 + 64)
  const isWhole = end === text.length
  const line = onOneLine(text, end, isWhole ? end : limit).toWellFormed()
  if (isWhole && (line.length <= limit || leading(line, limit) === line)) return line
  // Joined, not concatenated: that would keep the longer text alive behind every preview.
  return [leading(line, limit - 1).trimEnd(), '…'].join('')
}

/** Sequences for a terminal are no words. What is not shown is not looked at. */
function shown(text: string, limit: number): string {
  const head = text.slice(0, limit * 4 + 256)
  const clean = withoutSequences(head)
  return clean === head ? text : [clean, text.slice(head.length)].join('')
}

/** Up to a place: blanks and control characters in a row become one space. Stops once it has enough code points. */
function onOneLine(text: string, end: number, enough: number): string {
  const parts: string[] = []
  let at = 0
  let from = -1
  for (let count = 0; at < end && count < enough; at++) {
    const unit = text.charCodeAt(at)
    if (!isBlank(unit)) {
      if (from === -1) from = at
      if (unit < 0xd800 || unit > 0xdbff) count++
    } else if (from !== -1) {
      count++
      if (unit === SPACE && at + 1 < end && !isBlank(text.charCodeAt(at + 1))) continue
      parts.push(text.slice(from, at))
      from = -1
    }
  }
  if (from !== -1) parts.push(text.slice(from, at).trimEnd())
  return parts.join(' ')
}

const SPACE = 0x20

/** What `\s` matches, and control characters. A pattern would take several times as long. */
const isBlank = (unit: number): boolean =>
  unit <= SPACE ||
  (unit >= 0x7f && unit <= 0xa0) ||
  (unit >= 0x1680 && (unit <= 0x200a ? unit === 0x1680 || unit >= 0x2000 : OTHER_BLANKS.has(unit)))
const OTHER_BLANKS = new Set([0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff])

function leading(text: string, codePoints: number): string {
  let end = 0
  for (let count = 0; count < codePoints && end < text.length; count++) {
    end += (text.codePointAt(end) ?? 0) > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}

/**
 * Head and tail of a text, with the number of characters left out between them. Cut between words where it can be:
 * half of a token is a secret that nobody recognises any more.
 */
export function headAndTail(text: string, limit: number): string {
  if (text.length <= limit) return text
  const half = Math.floor(limit / 2)
  const head = wholeWordsBefore(text.slice(0, half))
  const tail = wholeWordsAfter(text.slice(-half))
  const left = text.length - head.length - tail.length
  return `${whole(head)}\n… ${left} characters left out …\n${whole(tail)}`
}

/** What has no blank in it and is secret is shorter. */
const LONGEST_WORD = 2048

/** Without the word that a cut at the end of the text may have gone through. A word that is most of it stays. */
export function wholeWordsBefore(text: string): string {
  const least = Math.max(text.length - LONGEST_WORD, text.length / 2)
  for (let at = text.length; at > least; at--)
    if (isBlank(text.charCodeAt(at - 1))) return text.slice(0, at)
  return text
}

/** The same for a cut before its beginning. */
export function wholeWordsAfter(text: string): string {
  const most = Math.min(LONGEST_WORD, text.length / 2)
  for (let at = 0; at < most; at++) if (isBlank(text.charCodeAt(at))) return text.slice(at)
  return text
}

// A cut between two halves of a pair leaves one at the edge; it goes, rather than becoming a mark.
const whole = (text: string) => text.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '')
