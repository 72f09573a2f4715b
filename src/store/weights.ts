/** How much a place counts in which words are found, and where two lists are made one. */

/** A name or a summary says what all was about, a prompt more than an answer, an output least. */
export const FIELD_WEIGHTS = {
  name: 1.5,
  checkpoint: 1.2,
  prompt: 1.25,
  tool: 0.6,
  other: 1,
} as const

/** Behind so many places the next one hardly matters: as in the paper on reciprocal rank fusion. */
const FLAT = 60

/** One list of several: what is high in any of them is high, what is high in two is higher. */
export const fusedScore = (ranks: readonly (number | undefined)[]): number =>
  ranks.reduce<number>((sum, rank) => (rank === undefined ? sum : sum + 1 / (FLAT + rank)), 0)

const DULL = new Set(
  `a an and are as at be been but by can could did do does for from had has have how i if in into is it its me my no not
   of on or our should so than that the their them then there these they this those to us was we were what when where
   which who whom whose why will with would you your`.split(/\s+/),
)

/** English words that hold a sentence together. */
export const isDull = (word: string): boolean => DULL.has(word)
