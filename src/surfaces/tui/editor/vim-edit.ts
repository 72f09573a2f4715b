/** What the commands of vim do to a text, as keys for an editor: they move its cursor, delete, put and take back. */
import { lineEnd, lineStart, onSign, right, stepsIn } from './vim-motions.ts'

export type VimMode = 'insert' | 'normal' | 'visual' | 'visual line'

/** A key for the editor, or a text that it puts at its cursor in one step. */
export type Step = string | { readonly insert: string }

/** Where in which text the cursor is. */
export type Spot = { readonly text: string; readonly at: number }

export type Vim = {
  mode: VimMode
  /** Keys of a command that is not whole. */
  pending: string
  count: string
  register: { readonly text: string; readonly isLines: boolean }
  lastFind: readonly [key: string, sign: string] | undefined
  /** How many steps of the editor each change took; a text, for what was typed since it was so. */
  readonly undos: (number | string)[]
  /** The keys of the command so far. */
  keys: readonly string[]
  /** The command has changed the text. */
  hasChanged: boolean
  /** What `.` does again: the keys of the last change, and what was typed behind them. */
  last: { readonly keys: readonly string[]; readonly typed: string } | undefined
  /** Where typing began. */
  typing: Spot | undefined
  /** The other end of what is chosen. */
  anchor: number
}

/** A part of a text makes way for another, and the cursor goes to `cursor`. */
type Edit = {
  readonly from: number
  readonly to: number
  readonly insert?: string
  readonly cursor?: number
}

const LEFT = '\x1b[D'
const RIGHT = '\x1b[C'
const DELETE = '\x1b[3~'
const UNDO = '\x1f'
const MOST_TIMES = 999
const MOST_UNDOS = 1000

export const timesOf = ({ count }: Vim): number => Math.min(Number(count || '1'), MOST_TIMES)

export const repeated = (step: Step, times: number): Step[] =>
  Array.from<Step>({ length: times }).fill(step)

/** The command is over, and nothing is done. */
export function nothing(vim: Vim): readonly Step[] {
  ;[vim.pending, vim.count] = ['', '']
  return []
}

const moves = (text: string, from: number, to: number): Step[] =>
  repeated(to < from ? LEFT : RIGHT, stepsIn(text.slice(Math.min(from, to), Math.max(from, to))))

export function go(vim: Vim, { text, at }: Spot, to: number): readonly Step[] {
  nothing(vim)
  return moves(text, at, onSign(text, Math.max(0, Math.min(to, text.length))))
}

export function change(vim: Vim, { text, at }: Spot, edit: Edit, mode: VimMode = 'normal') {
  const { from, to, insert = '' } = edit
  const next = [text.slice(0, from), insert, text.slice(to)].join('')
  const wanted = Math.min(edit.cursor ?? from, next.length)
  const deletes = stepsIn(text.slice(from, to))
  if (deletes + insert.length > 0) note(vim, deletes + (insert === '' ? 0 : 1))
  if (mode === 'insert') note(vim, next)
  nothing(vim)
  vim.mode = mode
  vim.hasChanged = true
  if (mode === 'insert') vim.typing = { text: next, at: wanted }
  return [
    ...moves(text, at, from),
    ...repeated(DELETE, deletes),
    ...(insert === '' ? [] : [{ insert }]),
    ...moves(next, from + insert.length, mode === 'insert' ? wanted : onSign(next, wanted)),
  ]
}

function note({ undos }: Vim, done: number | string): void {
  undos.push(done)
  if (undos.length > MOST_UNDOS) undos.shift()
}

/** `d`, `c` and `y` of a part of a text. */
export function operate(
  vim: Vim,
  operator: string,
  spot: Spot,
  [from, to]: readonly [number, number],
): readonly Step[] {
  vim.register = { text: spot.text.slice(from, to), isLines: false }
  if (operator === 'y') return go(vim, spot, from)
  return change(vim, spot, { from, to }, operator === 'c' ? 'insert' : 'normal')
}

/** Of whole lines: the last of a text takes the break before it along, any other the one behind it. */
export function operateLines(
  vim: Vim,
  operator: string,
  spot: Spot,
  other: number,
): readonly Step[] {
  const { text, at } = spot
  const [from, to] = [lineStart(text, Math.min(at, other)), lineEnd(text, Math.max(at, other))]
  vim.register = { text: text.slice(from, to), isLines: true }
  if (operator === 'y') return go(vim, spot, Math.min(at, other))
  if (operator === 'c') return change(vim, spot, { from, to }, 'insert')
  if (to < text.length) return change(vim, spot, { from, to: to + 1 })
  return from === 0
    ? change(vim, spot, { from, to })
    : change(vim, spot, { from: from - 1, to, cursor: lineStart(text, from - 1) })
}

export function put(vim: Vim, spot: Spot, isBefore: boolean): readonly Step[] {
  const { text, at } = spot
  const { text: taken, isLines } = vim.register
  const times = timesOf(vim)
  if (isLines) {
    const lines = repeated(taken, times).join('\n')
    const from = isBefore ? lineStart(text, at) : lineEnd(text, at)
    const insert = isBefore ? `${lines}\n` : `\n${lines}`
    return change(vim, spot, { from, to: from, insert, cursor: isBefore ? from : from + 1 })
  }
  const insert = taken.repeat(times)
  const from = isBefore ? at : right(text, at)
  if (insert === '') return nothing(vim)
  return change(vim, spot, { from, to: from, insert, cursor: from + insert.length - 1 })
}

/** What was typed is taken back as the editor has parted it, until the text is as before. */
export function undo(vim: Vim, { text }: Spot): readonly Step[] {
  const { undos } = vim
  nothing(vim)
  while (undos.at(-1) === text) undos.pop()
  const last = undos.at(-1)
  if (typeof last !== 'number') return [UNDO]
  undos.pop()
  return repeated(UNDO, last)
}
