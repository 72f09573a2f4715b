/** What an edit did, line by line: from its result when that is a diff, else from what was asked for. */
export type DiffLine = {
  readonly kind: 'add' | 'remove' | 'same' | 'place' | 'head'
  readonly text: string
}

export function diffOf(output: string | undefined, given: unknown): DiffLine[] | undefined {
  if (output !== undefined && isDiff(output)) return parseDiff(output)
  const edit = (given ?? {}) as Readonly<Record<string, unknown>>
  const diff = edit['diff'] ?? edit['patch']
  if (typeof diff === 'string' && isDiff(diff)) return parseDiff(diff)
  const before = edit['old_str'] ?? edit['old_string'] ?? edit['oldText']
  const after = edit['new_str'] ?? edit['new_string'] ?? edit['newText']
  if (typeof before === 'string' && typeof after === 'string') return compare(before, after)
  const created = edit['file_text']
  return typeof created === 'string' ? compare('', created) : undefined
}

export const isDiff = (text: string): boolean =>
  /^(diff --git|--- |@@ )/m.test(text) && /^[+-]/m.test(text)

export const parseDiff = (text: string): DiffLine[] =>
  text.replace(/\n$/, '').split('\n').map(lineOf)

function lineOf(line: string): DiffLine {
  if (/^(diff |index |--- |\+\+\+ |new file|deleted file|similarity|rename )/.test(line))
    return { kind: 'head', text: line }
  if (line.startsWith('@@')) return { kind: 'place', text: line }
  if (line.startsWith('+')) return { kind: 'add', text: line.slice(1) }
  if (line.startsWith('-')) return { kind: 'remove', text: line.slice(1) }
  return { kind: 'same', text: line.replace(/^ /, '') }
}

/** The equal beginning and end stay; what is between was replaced. */
export function compare(before: string, after: string): DiffLine[] {
  const old = before === '' ? [] : before.split('\n')
  const next = after === '' ? [] : after.split('\n')
  const most = Math.min(old.length, next.length)
  let head = 0
  while (head < most && old[head] === next[head]) head++
  let tail = 0
  while (tail < most - head && old.at(-1 - tail) === next.at(-1 - tail)) tail++
  const as = (kind: DiffLine['kind']) => (text: string) => ({ kind, text })
  return [
    ...old.slice(0, head).map(as('same')),
    ...old.slice(head, old.length - tail).map(as('remove')),
    ...next.slice(head, next.length - tail).map(as('add')),
    ...old.slice(old.length - tail).map(as('same')),
  ]
}

export const countChanges = (lines: readonly DiffLine[]) => ({
  added: lines.filter(({ kind }) => kind === 'add').length,
  removed: lines.filter(({ kind }) => kind === 'remove').length,
})
