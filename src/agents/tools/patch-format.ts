/**
 * Patches between `*** Begin Patch` and `*** End Patch`: files to add, to delete, and to change by passages that are
 * found by their lines, not by line numbers.
 */
import { defined } from '../../lib/defined.ts'
import { ToolFailure } from './tool.ts'

export type FileChange =
  | { readonly kind: 'add'; readonly path: string; readonly lines: readonly string[] }
  | { readonly kind: 'delete'; readonly path: string }
  | {
      readonly kind: 'update'
      readonly path: string
      readonly moveTo?: string
      readonly hunks: readonly Hunk[]
    }

export type Hunk = {
  /** Lines that come somewhere before the passage, in their order. */
  readonly after: readonly string[]
  readonly lines: readonly HunkLine[]
  readonly isAtEnd: boolean
}

export type HunkLine = { readonly sign: ' ' | '-' | '+'; readonly text: string }

const HEAD = /^\*\*\* (Add|Delete|Update) File: (.+)$/
const MOVE = /^\*\*\* Move to: (.+)$/
const END_OF_FILE = '*** End of File'

export function parsePatch(patch: string): readonly FileChange[] {
  const lines = patch.trim().split(/\r?\n/)
  if (lines.shift()?.trim() !== '*** Begin Patch')
    throw wrong('It does not begin with "*** Begin Patch".')
  if (lines.pop()?.trim() !== '*** End Patch') throw wrong('It does not end with "*** End Patch".')
  const changes: FileChange[] = []
  while (lines.length > 0) {
    const head = lines.shift() ?? ''
    if (head.trim() === '') continue
    const [, kind, name] = HEAD.exec(head.trimEnd()) ?? []
    if (kind === undefined || name === undefined) throw wrong(`This line begins no file: ${head}`)
    changes.push(changeOf(kind, name.trim(), takeBody(lines)))
  }
  if (changes.length === 0) throw wrong('It changes no file.')
  const paths = changes.map(({ path }) => path)
  const twice = paths.find((path, index) => paths.indexOf(path) !== index)
  if (twice !== undefined) throw wrong(`It names ${twice} twice.`)
  return changes
}

function takeBody(lines: string[]): string[] {
  const end = lines.findIndex((line) => HEAD.test(line.trimEnd()))
  return lines.splice(0, end === -1 ? lines.length : end)
}

function changeOf(kind: string, path: string, body: string[]): FileChange {
  if (kind === 'Add') return { kind: 'add', path, lines: addedLines(path, body) }
  if (kind === 'Delete') {
    if (body.some((line) => line.trim() !== ''))
      throw wrong(`Lines follow the deletion of ${path}.`)
    return { kind: 'delete', path }
  }
  const moveTo = MOVE.exec((body[0] ?? '').trimEnd())?.[1]?.trim()
  const hunks = hunksOf(path, moveTo === undefined ? body : body.slice(1))
  if (hunks.length === 0 && moveTo === undefined) throw wrong(`It changes nothing in ${path}.`)
  return { kind: 'update', path, ...defined({ moveTo }), hunks }
}

function addedLines(path: string, body: readonly string[]): string[] {
  const last = body.findLastIndex((line) => line !== '')
  return body.slice(0, last + 1).map((line) => {
    if (!line.startsWith('+'))
      throw wrong(`Every line of the new file ${path} must begin with "+": ${line}`)
    return line.slice(1)
  })
}

function hunksOf(path: string, body: readonly string[]): Hunk[] {
  const hunks: { after: string[]; lines: HunkLine[]; isAtEnd: boolean }[] = []
  const last = () => hunks.at(-1)
  for (const line of body) {
    if (line.startsWith('@@')) {
      const context = line.slice(2).trim()
      const open = last()
      const hunk =
        open !== undefined && open.lines.length === 0
          ? open
          : { after: [], lines: [], isAtEnd: false }
      if (hunk !== open) hunks.push(hunk)
      if (context !== '') hunk.after.push(context)
      continue
    }
    if (last() === undefined) hunks.push({ after: [], lines: [], isAtEnd: false })
    const hunk = last()
    if (hunk === undefined) continue
    if (line.trimEnd() === END_OF_FILE) hunk.isAtEnd = true
    else hunk.lines.push(hunkLine(path, line))
  }
  for (const hunk of hunks) dropBlankEnd(hunk)
  return hunks.filter(({ lines }) => lines.length > 0)
}

function hunkLine(path: string, line: string): HunkLine {
  // A blank line often comes without the blank that should begin it.
  if (line === '') return { sign: ' ', text: '' }
  const sign = line.charAt(0)
  if (sign === ' ' || sign === '-' || sign === '+') return { sign, text: line.slice(1) }
  throw wrong(`In ${path} every line must begin with " ", "-" or "+": ${line}`)
}

/** An empty line before the next heading belongs to the layout of the patch. */
function dropBlankEnd(hunk: { lines: HunkLine[] }): void {
  const end = hunk.lines.at(-1)
  if (end?.sign === ' ' && end.text === '') hunk.lines.pop()
}

const wrong = (reason: string) =>
  new ToolFailure('invalid_arguments', `The patch cannot be read: ${reason} Nothing was changed.`)
