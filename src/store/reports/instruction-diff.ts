/**
 * Adds lines to an instruction file, as a unified diff that `git apply` takes. They go under one heading of ours,
 * which is made when it is missing; a line that the file has already is not added again.
 */
export const HEADING = '## Learned from sessions'

export type InstructionFile = {
  /** Relative to the root of the repository. */
  readonly path: string
  /** Undefined when there is no such file yet. */
  readonly text: string | undefined
}

/** Undefined when there is nothing to add. */
export function diffFor(
  { path, text }: InstructionFile,
  lines: readonly string[],
): string | undefined {
  const known = new Set((text ?? '').split('\n').map((line) => line.trim()))
  const wanted = [...new Set(lines)].filter((line) => !known.has(line.trim()))
  if (wanted.length === 0) return undefined
  const old = linesOf(text ?? '')
  const { at, added } = insertion(old.lines, wanted)
  const head = [text === undefined ? '--- /dev/null' : `--- a/${path}`, `+++ b/${path}`]
  return `${[...head, ...hunk(old, at, added)].join('\n')}\n`
}

type Lines = {
  readonly lines: readonly string[]
  readonly isEnded: boolean
  /** What stands before a line feed. */
  readonly end: string
}

function linesOf(text: string): Lines {
  const lines = text.split('\n')
  const isEnded = lines.at(-1) === ''
  return {
    lines: isEnded ? lines.slice(0, -1) : lines,
    isEnded,
    end: text.includes('\r\n') ? '\r' : '',
  }
}

function insertion(lines: readonly string[], wanted: readonly string[]) {
  const heading = lines.findIndex((line) => line.trim() === HEADING)
  if (heading === -1) {
    const gap = lines.length === 0 || lines.at(-1)?.trim() === '' ? [] : ['']
    return { at: lines.length, added: [...gap, HEADING, '', ...wanted] }
  }
  const next = lines.findIndex((line, index) => index > heading && /^#{1,2}\s/.test(line))
  let at = next === -1 ? lines.length : next
  const hasGap = lines[at - 1]?.trim() === ''
  while (at > heading + 1 && lines[at - 1]?.trim() === '') at--
  return {
    at,
    added: [
      ...(at === heading + 1 ? [''] : []),
      ...wanted,
      ...(next !== -1 && !hasGap ? [''] : []),
    ],
  }
}

const CONTEXT = 3
const NO_END = '\\ No newline at end of file'

function* hunk({ lines, isEnded, end }: Lines, at: number, added: readonly string[]) {
  const from = Math.max(0, at - CONTEXT)
  const to = Math.min(lines.length, at + CONTEXT)
  const count = to - from
  const start = count === 0 ? 0 : from + 1
  yield `@@ -${start},${count} +${from + 1},${count + added.length} @@`
  const isAfterOpenEnd = at === lines.length && !isEnded && count > 0
  for (let index = from; index < to; index++) {
    if (index === at) yield* additions(added, end)
    const line = lines[index] ?? ''
    if (index === lines.length - 1 && isAfterOpenEnd) yield* [`-${line}`, NO_END, `+${line}${end}`]
    else yield ` ${line}`
  }
  if (at === to) yield* additions(added, end)
  else if (to === lines.length && !isEnded) yield NO_END
}

const additions = (lines: readonly string[], end: string): string[] =>
  lines.map((line) => `+${line}${end}`)
