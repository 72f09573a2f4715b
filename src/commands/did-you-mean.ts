/** Which known words a person may have meant: those that begin so, or are a slip of the finger away. */

export function nearTo(word: string, known: readonly string[]): readonly string[] {
  const beginning = known.filter((each) => each.startsWith(word) || word.startsWith(`${each}-`))
  if (beginning.length > 0) return beginning.slice(0, MOST)
  const most = word.length < 5 ? 1 : 2
  return known
    .map((each) => ({ each, distance: distance(word, each) }))
    .filter((near) => near.distance <= most)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MOST)
    .map(({ each }) => each)
}

const MOST = 3

/** How many letters must be put in, taken out, replaced or swapped with the next one. */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, at) => at)]
  const cell = (row: number, column: number) => rows[row]?.[column] ?? Infinity
  for (let row = 1; row <= a.length; row++) {
    const next = [row]
    rows.push(next)
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1]
      const isSwapped = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      next.push(
        Math.min(
          cell(row - 1, column) + 1,
          (next[column - 1] ?? Infinity) + 1,
          cell(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? cell(row - 2, column - 2) + 1 : Infinity,
        ),
      )
    }
  }
  return cell(a.length, b.length)
}
