/** How the table says that a secret follows some words. */
import { RANK, group, rangeOf, type Range, type Rule, type TextRange } from './range.ts'

export type Looks = (value: string) => boolean
type Follow = (text: string, place: TextRange) => Range | undefined

/** `begins`: the first three signs, each as a sign or a choice, with blanks between the ways to begin. */
export const clue = (begins: string, opening: RegExp, follow: Follow): Rule => ({
  begins: begins.split(/(?<!\\) /),
  opening,
  isClue: true,
  find: (text, place) => {
    const range = follow(text, place)
    return { ranges: range === undefined ? [] : [range], end: range?.end ?? place.end }
  },
})

/** How far before a clue its command or statement may begin. */
const BEFORE_LONGEST = 300

/** The first group of a pattern behind the clue, if it looks like a secret and what leads to the clue is as `before`. */
export const follow =
  (kind: string, pattern: RegExp, looks: Looks, before?: RegExp): Follow =>
  (text, place) => {
    const said = text.slice(Math.max(0, place.start - BEFORE_LONGEST), place.end)
    if (before !== undefined && !before.test(said)) return undefined
    const value = group(text, place.end, pattern)
    return value !== undefined && looks(text.slice(value.start, value.end))
      ? { ...rangeOf(value.start, value.end, kind, RANK.context), from: place.start }
      : undefined
  }

/** The first of them that finds something. */
export const either =
  (...ways: readonly Follow[]): Follow =>
  (text, place) => {
    for (const way of ways) {
      const range = way(text, place)
      if (range !== undefined) return range
    }
    return undefined
  }
