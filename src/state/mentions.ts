/**
 * Files that a message names: `@src/parse.ts`, `@src/parse.ts:10-20`, `@"a name with blanks.md"`, `@~/notes.md`. What
 * stands behind an `@` may also be a name of a person or a package: only where a file is there it is one.
 */
type Mention = {
  /** As it stands in the text, with the `@`. */
  readonly written: string
  /** What it may mean, the likeliest first: with the lines, without the punctuation behind it. */
  readonly readings: readonly MentionReading[]
}

export type MentionReading = {
  readonly path: string
  /** Counted from 1, both included. */
  readonly lines?: { readonly start: number; readonly end: number }
}

/** Behind a word stands no mention: `me@example.org`. */
const WRITTEN = /(?<![\p{L}\p{N}_.@/-])@(?:"([^"\n]+)"((?::\d+(?:-\d+)?)?)|([^\s"'`<>|]+))/gu
const MOST = 20

export function mentionsIn(text: string): readonly Mention[] {
  const found = new Map<string, Mention>()
  for (const [written, quoted, lines = '', plain = ''] of text.matchAll(WRITTEN)) {
    if (found.size >= MOST) break
    const readings =
      quoted === undefined ? shorter(plain).flatMap(readingsOf) : readingsOf(quoted + lines)
    if (!found.has(written)) found.set(written, { written, readings })
  }
  return [...found.values()]
}

/** A name may end in punctuation that belongs to the sentence. */
function shorter(name: string): readonly string[] {
  const bare = name.replace(/(?<![.,;:!?)\]}…])[.,;:!?)\]}…]+$/, '')
  return bare === name || bare === '' ? [name] : [name, bare]
}

function readingsOf(name: string): readonly MentionReading[] {
  const [, path = '', first = '', last] = /^(.+?)(?::|#L)(\d+)(?:-L?(\d+))?$/.exec(name) ?? []
  const [start, end] = [Number(first), Number(last ?? first)]
  const asWritten = { path: name }
  return path === '' || start < 1 || end < start
    ? [asWritten]
    : [{ path, lines: { start, end } }, asWritten]
}
