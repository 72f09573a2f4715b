/** What the variables of a script are given. */
import type { Word } from './word.ts'

export type Binding = {
  /** `*` for any. */
  readonly name: string
  /** Undefined for what only running it tells. */
  readonly word: Word | undefined
}

/** One variable may be another by name, or any may have been set. */
export const ALL_UNKNOWN: Binding = { name: '*', word: undefined }

/** `before` is what stands before the value: `x=`, `x+=`, `x[1]=`. */
export function bindingsOf(
  before: string,
  words: readonly (Word | undefined)[],
): readonly Binding[] {
  const [, name = '*', isWhole] = /^(\w+)(?:\[[^\]]*\])?(=)?/.exec(before) ?? []
  // `IFS` decides where the values of all others end.
  const all = name === 'IFS' ? [ALL_UNKNOWN] : []
  return [
    ...all,
    ...words.map((word) => ({ name, word: isWhole === undefined ? undefined : word })),
  ]
}

/** Commands that set the variables whose names they are given. */
export function bindingsBy([first, ...words]: readonly Word[]): readonly Binding[] {
  if (first?.value === 'set') return []
  const values = words.map(({ value }) => value)
  const names =
    first?.value === 'printf' ? values.slice(values.indexOf('-v') + 1).slice(0, 1) : values
  if (first?.value === 'printf' && !values.includes('-v')) return []
  return names.flatMap((name) =>
    name === undefined ? [ALL_UNKNOWN] : /^\w+$/.test(name) ? [{ name, word: undefined }] : [],
  )
}
