/**
 * Dollars that open no formula. The library takes one without an end for a formula that is still being written, and shows
 * the rest of the paragraph, or of the text, as it was typed; and it would set `$HOME/bin:$PATH` as mathematics.
 */

/** Such dollars are marked as mere signs; what is code, an address or a formula stays as it is. */
export function markLoneDollars(text: string): string {
  if (!text.includes('$')) return text
  const lines = text.split('\n')
  let fence: string | undefined
  let formulaEnd = -1
  return lines
    .map((line, at) => {
      const mark = /^ {0,3}(?:>[> ]*)?(`{3,}|~{3,})/.exec(line)?.[1]
      if (fence !== undefined) {
        if (mark?.startsWith(fence) === true) fence = undefined
        return line
      }
      if (mark !== undefined) fence = mark
      if (mark !== undefined || at <= formulaEnd || /^(?: {4}|\t)/.test(line)) return line
      if (/^ {0,3}\$\$(?!.*\$\$)/.test(line)) {
        const end = endOfFormula(lines, at)
        if (end !== undefined) {
          formulaEnd = end
          return line
        }
      }
      return line.includes('$') ? inOneLine(line) : line
    })
    .join('\n')
}

/** Longer is no formula; nor is a long text looked through for the end of one again and again. */
const MOST_LINES = 60

/** Between lines of `$$`. */
function endOfFormula(lines: readonly string[], from: number): number | undefined {
  for (let at = from + 1; at < Math.min(lines.length, from + MOST_LINES); at++) {
    const line = lines[at] ?? ''
    if (line.trimEnd().endsWith('$$')) return at
    if (line.trim() === '') return undefined
  }
  return undefined
}

function inOneLine(line: string): string {
  let made = ''
  for (let at = 0; at < line.length;) {
    const length = lengthOfWhole(line, at)
    if (length > 0) {
      made += line.slice(at, at + length)
      at += length
      continue
    }
    if (line[at] !== '$') {
      made += line[at]
      at++
      continue
    }
    const sign = line.startsWith('$$', at) ? '$$' : '$'
    const end = endOfInline(line, at, sign)
    if (end === undefined) {
      made += sign.replaceAll('$', '\\$$')
      at += sign.length
      continue
    }
    const after = end + sign.length
    // With words behind it on its line it is no block of its own.
    const isAmongWords = sign === '$$' && line.slice(after).trim() !== ''
    const inside = line.slice(at + sign.length, end)
    made += isAmongWords ? `\\(${inside}\\)` : line.slice(at, after)
    at = after
  }
  return made
}

/** How much is taken as it is: an escaped sign, code, an address. */
function lengthOfWhole(line: string, at: number): number {
  if (line[at] === '\\') return 2
  if (line[at] === '`') {
    const sign = /^`+/.exec(line.slice(at, at + 16))?.[0] ?? '`'
    const end = line.indexOf(sign, at + sign.length)
    return end < 0 ? sign.length : end + sign.length - at
  }
  if (line.startsWith('http://', at) || line.startsWith('https://', at)) {
    const end = line.slice(at).search(/[\s<>]/)
    return end < 0 ? line.length - at : end
  }
  return 0
}

/** A formula has no space at its edges, and no word or number right behind it. */
function endOfInline(line: string, at: number, sign: string): number | undefined {
  const begin = at + sign.length
  const end = line.indexOf(sign, begin)
  if (end <= begin) return undefined
  const inside = line.slice(begin, end)
  if (inside.includes('`')) return undefined
  if (sign === '$$') return end
  const isTight = !/^\s/.test(inside) && !/\s$/.test(inside)
  return isTight && !/^[\w{$]/.test(line.slice(end + 1, end + 2)) ? end : undefined
}
