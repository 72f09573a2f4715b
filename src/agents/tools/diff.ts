/** The difference of two texts as one unified hunk, for a person who decides whether it may be written. */
import { headAndTail } from '../../state/preview.ts'

const AROUND = 3
const MAX_CHARS = 64 * 1024

export function diff(name: string, before: string | undefined, after: string): string {
  const old = linesOf(before ?? '')
  const now = linesOf(after)
  const start = commonLength(old, now)
  const shared = Math.min(old.length, now.length) - start
  const end = Math.min(shared, commonLength(old.toReversed(), now.toReversed()))
  const from = Math.max(0, start - AROUND)
  const tail = old.slice(old.length - end, old.length - end + AROUND)
  const removed = old.slice(start, old.length - end)
  const added = now.slice(start, now.length - end)
  if (removed.length === 0 && added.length === 0) return ''
  const lead = old.slice(from, start)
  const body = [
    ...lead.map((line) => ` ${line}`),
    ...removed.map((line) => `-${line}`),
    ...added.map((line) => `+${line}`),
    ...tail.map((line) => ` ${line}`),
  ]
  const span = (count: number) => `${count === 0 ? from : from + 1},${count}`
  const around = lead.length + tail.length
  const header = [
    `--- ${before === undefined ? '/dev/null' : name}`,
    `+++ ${name}`,
    `@@ -${span(around + removed.length)} +${span(around + added.length)} @@`,
  ]
  return headAndTail(`${[...header, ...body].join('\n')}\n`, MAX_CHARS)
}

const NO_NEWLINE = '\n\\ No newline at end of file'

/** A last line without its newline differs from one with it. */
function linesOf(text: string): string[] {
  if (text === '') return []
  const lines = text.split('\n')
  const last = lines.pop() ?? ''
  return last === '' ? lines : [...lines, last + NO_NEWLINE]
}

function commonLength(one: readonly string[], other: readonly string[]): number {
  const limit = Math.min(one.length, other.length)
  let length = 0
  while (length < limit && one[length] === other[length]) length++
  return length
}
