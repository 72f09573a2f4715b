/**
 * Puts the hunks of a patch into a text. A passage is looked for exactly first, then without regard to blanks at line
 * ends, then at both ends; lines that a hunk only mentions stay as they are in the file. Nothing is guessed beyond that.
 */
import type { Hunk, HunkLine } from './patch-format.ts'
import { ToolFailure } from './tool.ts'

export function applyHunks(before: string, hunks: readonly Hunk[]): string {
  const endsWithNewline = before === '' || before.endsWith('\n')
  const lines = before === '' ? [] : before.replace(/\n$/, '').split('\n')
  const lineEnd = lines[0]?.endsWith('\r') ? '\r' : ''
  const result: string[] = []
  let from = 0
  for (const hunk of hunks) {
    const start = startOf(hunk, lines, from)
    result.push(...lines.slice(from, start))
    let at = start
    for (const { sign, text } of hunk.lines) {
      if (sign === '+') result.push(text + lineEnd)
      else if (sign === ' ') result.push(lines[at++] ?? text)
      else at++
    }
    from = at
  }
  result.push(...lines.slice(from))
  return result.join('\n') + (endsWithNewline && result.length > 0 ? '\n' : '')
}

function startOf(hunk: Hunk, lines: readonly string[], from: number): number {
  let start = from
  for (const context of hunk.after) {
    const found = find(lines, [context], start)
    if (found === -1) throw missing([context])
    start = found + 1
  }
  const old = hunk.lines.filter(({ sign }) => sign !== '+').map(({ text }) => text)
  // Only additions: after the line that was named, or at the end.
  if (old.length === 0) return hunk.after.length > 0 && !hunk.isAtEnd ? start : lines.length
  const found = hunk.isAtEnd ? findAtEnd(lines, old, start) : find(lines, old, start)
  if (found === -1) throw missing(old)
  return found
}

const LIKENESS: readonly ((line: string) => string)[] = [
  (line) => line,
  (line) => line.trimEnd(),
  (line) => line.trim(),
]

function find(lines: readonly string[], wanted: readonly string[], from: number): number {
  for (const like of LIKENESS) {
    for (let start = from; start <= lines.length - wanted.length; start++) {
      if (isAt(lines, wanted, start, like)) return start
    }
  }
  return -1
}

function findAtEnd(lines: readonly string[], wanted: readonly string[], from: number): number {
  const start = lines.length - wanted.length
  if (start < from) return -1
  return LIKENESS.some((like) => isAt(lines, wanted, start, like)) ? start : -1
}

const isAt = (
  lines: readonly string[],
  wanted: readonly string[],
  start: number,
  like: (line: string) => string,
): boolean => wanted.every((line, index) => like(lines[start + index] ?? '') === like(line))

const missing = (wanted: readonly HunkLine['text'][]) =>
  new ToolFailure('failed', `These lines are not in the file:\n${wanted.join('\n')}`)
