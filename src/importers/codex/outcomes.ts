/** What became of a call: what the model was told of it, its exit code, and the files that it changed. */
import { defined } from '../../lib/defined.ts'
import { fieldsOf, listIn, textIn, type Fields } from '../../lib/fields.ts'
import { numberIn, parsedText, pictureOfUrl, shown, textOf } from '../convert/values.ts'

/** What is known of a call besides what the model was told. */
export type Outcome = {
  readonly exitCode?: number
  readonly isFailed?: boolean
  readonly diffs: readonly Diff[]
}
type Diff = { readonly path: string; readonly kind: 'create' | 'edit'; readonly text: string }

export function resultOf(payload: Fields, outcome: Outcome | undefined) {
  const { exitCode, isFailed, diffs = [] } = outcome ?? {}
  const raw = payload['output']
  const fields = fieldsOf(parsedText(raw))
  const parts = Array.isArray(raw) ? (raw as unknown[]) : listIn(fields, 'content')
  const text =
    typeof raw === 'string'
      ? raw
      : parts.length > 0
        ? textOf(parts)
        : shown(fields['content'] ?? raw)
  const told = numberIn(fieldsOf(fields['metadata']), 'exit_code')
  const code = exitCode ?? told ?? codeIn(text)
  return {
    text,
    isError: isFailed === true || (code !== undefined && code !== 0) || fields['success'] === false,
    images: parts.flatMap((part) => pictureOfUrl(fieldsOf(part)['image_url']) ?? []),
    edits: diffs.map(({ path, kind }) => ({ path, kind })),
    ...defined({
      exitCode: code,
      diff: diffs.length > 0 ? diffs.map((each) => each.text).join('\n') : undefined,
    }),
  }
}

/** With what one more line tells of it. */
export function outcomeWith(before: Outcome | undefined, told: Fields): Outcome {
  const exitCode = numberIn(told, 'exit_code')
  const status = textIn(told, 'status')?.toLowerCase()
  const isFailed = told['success'] === false || status === 'failed' || status === 'declined'
  return {
    ...before,
    ...defined({ exitCode }),
    isFailed: isFailed || before?.isFailed === true,
    diffs: [...(before?.diffs ?? []), ...diffsOf(told['changes'])],
  }
}

const codeIn = (text: string): number | undefined => {
  const code = /^(?:Process exited with|Exit) code:? (-?\d+)/m.exec(text.slice(0, 500))?.[1]
  return code === undefined ? undefined : Number(code)
}

/** `{ path: { type: 'update' | 'add', unified_diff | content } }`, or a list of the same. */
function diffsOf(changes: unknown): Diff[] {
  const listed = Array.isArray(changes)
    ? changes.map((each) => [textIn(fieldsOf(each), 'path') ?? '', each] as const)
    : Object.entries(fieldsOf(changes))
  return listed.map(([path, change]) => {
    const fields = fieldsOf(change)
    const kind = textIn(fields, 'type') ?? textIn(fieldsOf(fields['kind']), 'type')
    const content = textIn(fields, 'content')
    const [isNew, isGone] = [kind === 'add', kind === 'delete']
    // Of a file that came or went it has the whole text, in the place of a diff.
    const text =
      textIn(fields, 'unified_diff') ??
      (isNew || isGone ? wholeDiff(content ?? textIn(fields, 'diff') ?? '', isNew) : undefined) ??
      textIn(fields, 'diff') ??
      ''
    const [from, to] = [isNew ? '/dev/null' : path, isGone ? '/dev/null' : path]
    return { path, kind: isNew ? 'create' : 'edit', text: `--- ${from}\n+++ ${to}\n${text}` }
  })
}

function wholeDiff(content: string, isNew: boolean): string {
  // Newer ones have a diff here, too.
  if (content.startsWith('@@ ')) return content
  const lines = content === '' ? [] : content.replace(/\n$/, '').split('\n')
  const [place, sign] = isNew ? [`-0,0 +1,${lines.length}`, '+'] : [`-1,${lines.length} +0,0`, '-']
  return [`@@ ${place} @@`, ...lines.map((line) => `${sign}${line}`)].join('\n')
}
