/** Places of a text and what is read there. */
import { isDefault, isSample } from './plausible.ts'
import { RANK, type Range } from './range.ts'

export type TextRange = { readonly start: number; readonly end: number }

/** What stands at a place. The pattern is sticky. */
export function read(text: string, at: number, pattern: RegExp): TextRange {
  pattern.lastIndex = at
  const length = pattern.exec(text)?.[0].length ?? 0
  return { start: at, end: at + length }
}

/** `from`: where what gives the value away begins. */
export const found = (kind: string, { start, end }: TextRange, from: number): Range => ({
  start,
  end,
  kind,
  from,
  rank: RANK.context,
})

/** For places where nothing but a password stands: all but a variable, a sample and what manuals write there. */
export function isMadeUp(text: string, { start, end }: TextRange): boolean {
  const secret = text.slice(start, end)
  return secret.length >= 4 && !isSample(secret) && !isDefault(secret)
}
