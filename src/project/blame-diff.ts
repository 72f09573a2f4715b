/**
 * Which lines a diff has written, for sessions of which only the diffs are known. A diff has written it when it
 * adds a line of the same text, and the text is alone in the file or a line beside it is the same, too.
 */
import { readFile } from 'node:fs/promises'

/** The lines of a file of the user's, as people read them; undefined when it cannot be read. */
export const readLines = (file: string): Promise<readonly string[] | 'binary' | undefined> =>
  readFile(file, 'utf8').then(
    (text) => {
      if (text.includes('\0')) return 'binary'
      const lines = text.split(/\r?\n/)
      return lines.at(-1) === '' ? lines.slice(0, -1) : lines
    },
    () => undefined, // it is not there, or not for us
  )

/** Those of the lines that the diff has written; they are counted from 0. */
export function writtenBy(
  diff: string,
  lines: readonly string[],
  among: readonly number[],
): readonly number[] {
  const after = afterwards(diff)
  const added = new Map<string, number[]>()
  after.forEach(({ text, isAdded }, place) => {
    if (isAdded) added.set(text, [...(added.get(text) ?? []), place])
  })
  const isBeside = (own: string | undefined, there: string | undefined) =>
    own !== undefined && own !== '' && own === there
  return among.filter((at) => {
    const text = lines[at]
    const places = text === undefined ? undefined : added.get(text)
    if (text === undefined || places === undefined) return false
    if (lines.indexOf(text) === lines.lastIndexOf(text)) return true
    return places.some(
      (place) =>
        isBeside(after[place - 1]?.text, lines[at - 1]) ||
        isBeside(after[place + 1]?.text, lines[at + 1]),
    )
  })
}

type Line = { readonly text: string; readonly isAdded: boolean }

/** What stands in the file after it, as far as the hunks show; an empty line keeps them apart. */
const afterwards = (diff: string): readonly Line[] =>
  diff.split('\n').flatMap((line): Line[] => {
    if (line.startsWith('@@')) return [{ text: '', isAdded: false }]
    const mark = line.charAt(0)
    return mark === '+' || mark === ' ' ? [{ text: line.slice(1), isAdded: mark === '+' }] : []
  })
