/** Two texts as one, in hunks as `diff -u` writes them, with three lines around each change. */
import { keptLines } from './line-diff.ts'

type Line = { readonly sign: ' ' | '-' | '+'; readonly text: string }

const AROUND = 3

/** Empty when nothing differs. */
export function unifiedDiff(before: string, after: string): string {
  const lines = merged(linesOf(before), linesOf(after))
  const changed = lines.flatMap(({ sign }, at) => (sign === ' ' ? [] : [at]))
  return hunksAround(changed, lines.length)
    .map(([from, to]) => hunk(lines, from, to))
    .join('\n')
}

const linesOf = (text: string): readonly string[] =>
  text === '' ? [] : text.replace(/\r?\n$/, '').split('\n')

/** What goes stands before what comes. */
function merged(before: readonly string[], after: readonly string[]): readonly Line[] {
  const lines: Line[] = []
  let old = 0
  let added: Line[] = []
  const changeUpTo = (place: number) => {
    for (; old < place; old++) lines.push({ sign: '-', text: before[old] ?? '' })
    lines.push(...added)
    added = []
  }
  for (const [at, kept] of keptLines(before, after).entries()) {
    const text = after[at] ?? ''
    if (kept === -1) {
      added.push({ sign: '+', text })
      continue
    }
    changeUpTo(kept)
    lines.push({ sign: ' ', text })
    old = kept + 1
  }
  changeUpTo(before.length)
  return lines
}

/** Half-open ranges; those that touch are one. */
function hunksAround(changed: readonly number[], length: number): readonly [number, number][] {
  const ranges: [number, number][] = []
  for (const at of changed) {
    const [from, to] = [Math.max(0, at - AROUND), Math.min(length, at + AROUND + 1)]
    const last = ranges.at(-1)
    if (last !== undefined && from <= last[1]) last[1] = to
    else ranges.push([from, to])
  }
  return ranges
}

function hunk(lines: readonly Line[], from: number, to: number): string {
  const count = (part: readonly Line[], other: '-' | '+') =>
    part.filter(({ sign }) => sign !== other).length
  const [above, part] = [lines.slice(0, from), lines.slice(from, to)]
  const place = (other: '-' | '+') => {
    const size = count(part, other)
    return `${count(above, other) + (size === 0 ? 0 : 1)},${size}`
  }
  return [`@@ -${place('+')} +${place('-')} @@`, ...part.map(({ sign, text }) => sign + text)].join(
    '\n',
  )
}
