/**
 * Which of several diffs has written a line, for sessions of which only the diffs are known. A diff has written it when it
 * adds a line of the same text, and the text is alone in the file or a line beside it is the same, too.
 */
import { readFile } from 'node:fs/promises'

/** The lines of a file of the user's; undefined when it cannot be read. */
export const linesOf = (file: string): Promise<readonly string[] | undefined> =>
  readFile(file, 'utf8').then(
    (text) => text.split(/\r?\n/),
    () => undefined, // it is not there, or not for us
  )

/** `at` counts from 0. */
export function hasWritten(diff: string, lines: readonly string[], at: number): boolean {
  const text = lines[at]
  if (text === undefined) return false
  const isAlone = lines.indexOf(text) === lines.lastIndexOf(text)
  const after = afterwards(diff)
  return after.some((line, place) => {
    if (!line.isAdded || line.text !== text) return false
    const before = after[place - 1]?.text
    const next = after[place + 1]?.text
    const isBeside = (own: string | undefined, there: string | undefined) =>
      own !== undefined && own !== '' && own === there
    return isAlone || isBeside(before, lines[at - 1]) || isBeside(next, lines[at + 1])
  })
}

type Line = { readonly text: string; readonly isAdded: boolean }

/** What stands in the file after it, as far as the diff shows: unified, or with the number of each line as pi has it. */
function afterwards(diff: string): readonly Line[] {
  const lines = diff.split(/\r?\n/)
  const start = lines.findIndex((line) => line.startsWith('@@'))
  const isNumbered = start === -1
  return lines.slice(start + 1).flatMap((line): Line[] => {
    const mark = line.charAt(0)
    if ((mark !== '+' && mark !== ' ') || line.startsWith('+++ ')) return []
    const text = isNumbered ? line.slice(1).replace(/^\s*\d+ /, '') : line.slice(1)
    return [{ text, isAdded: mark === '+' }]
  })
}
