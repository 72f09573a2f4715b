/**
 * Parts of a text between an opening and the closing word that belongs to it. A closing word that is not there any more
 * is not looked for again: the time is that of the text's length, whatever stands in it.
 */
type Enclosed = {
  readonly opening: RegExpExecArray
  readonly inner: string
  readonly start: number
  readonly end: number
}

export function* enclosed(
  text: string,
  opening: RegExp,
  closingOf: (opening: RegExpExecArray) => string,
): Generator<Enclosed, void, void> {
  const look = new RegExp(opening, 'g')
  const absent = new Set<string>()
  for (let found = look.exec(text); found !== null; found = look.exec(text)) {
    const closing = closingOf(found)
    const from = look.lastIndex
    const to = absent.has(closing) ? -1 : text.indexOf(closing, from)
    if (to === -1) {
      absent.add(closing)
      continue
    }
    const end = to + closing.length
    yield { opening: found, inner: text.slice(from, to), start: found.index, end }
    look.lastIndex = end
  }
}

/** The text without those parts. */
export function withoutEnclosed(text: string, parts: Iterable<Enclosed>): string {
  const kept: string[] = []
  let at = 0
  for (const { start, end } of parts) {
    kept.push(text.slice(at, start))
    at = end
  }
  return [...kept, text.slice(at)].join('')
}
