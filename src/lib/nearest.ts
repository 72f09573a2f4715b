/** The word that a person meant: the one of those there are that is nearest to what was typed. */

/** Undefined when none is near. */
export function nearest(typed: string, words: Iterable<string>): string | undefined {
  const most = typed.length <= 4 ? 1 : typed.length <= 8 ? 2 : 3
  let best: string | undefined
  let least = most + 1
  for (const word of words) {
    const distance = distanceOf(typed.toLowerCase(), word.toLowerCase(), most)
    if (distance < least) [best, least] = [word, distance]
  }
  return best
}

/** As the end of a sentence that refuses a word; empty when none is near. */
export function didYouMean(typed: string, words: Iterable<string>): string {
  const near = nearest(typed, words)
  return near === undefined ? '' : ` Did you mean ${near}?`
}

/** Letters added, left out, changed or swapped with their neighbour. Beyond `most` any larger number. */
export function distanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let before: number[] = []
  let last = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const row = [i]
    for (let j = 1; j <= other.length; j++) {
      const isSame = one[i - 1] === other[j - 1]
      let least = Math.min(
        (last[j] ?? 0) + 1,
        (row[j - 1] ?? 0) + 1,
        (last[j - 1] ?? 0) + (isSame ? 0 : 1),
      )
      if (i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1]) {
        least = Math.min(least, (before[j - 2] ?? 0) + 1)
      }
      row.push(least)
    }
    if (Math.min(...row) > most) return most + 1
    before = last
    last = row
  }
  return last[other.length] ?? most + 1
}
