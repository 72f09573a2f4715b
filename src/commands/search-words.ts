/** What every surface says of a search besides its hits: why one stands where it does, and what was not looked at. */
import type { Explained, SearchResult } from '../store/search.ts'

/** `reindex`: how the command is called there. */
export function aboutMeaning(meaning: SearchResult['meaning'], reindex: string): readonly string[] {
  if (meaning?.failed !== undefined)
    return [`${meaning.failed} So it was looked for by words alone.`]
  if ((meaning?.missing ?? 0) === 0) return []
  return [`Some sessions are not known by their meaning yet. ${reindex} makes all of them known.`]
}

const figure = (value: number): string => value.toPrecision(3)

/** What was multiplied, in the order in which it is thought of. */
export function whyHit({ words, meaning, fused }: Explained): string {
  const parts = [
    words &&
      `words: place ${words.rank} = rarity ${figure(words.weight)} × age ${figure(words.recency)} × where ${figure(words.field)}`,
    meaning &&
      `meaning: place ${meaning.rank}, ${figure(meaning.similarity)} alike (${meaning.of})`,
    fused === undefined ? undefined : `both: ${figure(fused)}`,
  ]
  return parts.filter((part) => part !== undefined).join(' · ')
}
