/**
 * The keys of vim over an editor that has none: `esc` leaves the text, and then letters move and change it, told to the
 * editor as the keys that it knows. Counts, the operators d, c and y with motions and words, finding in a line, one
 * register, the commands of one letter, the last change again, and visual mode. What is no command here is for nobody, so that nothing is typed by chance.
 */
import {
  change,
  go,
  nothing,
  operate,
  operateLines,
  put,
  repeated,
  timesOf,
  undo,
  type Spot,
  type Step,
  type Vim,
} from './vim-edit.ts'
import * as move from './vim-motions.ts'
import { chosenIn, enterVisual, isVisual, leaveVisual, visual } from './vim-visual.ts'

type Place = { readonly lines: readonly string[]; readonly line: number; readonly col: number }

const LEFT = '\x1b[D'
const UP = '\x1b[A'
const DOWN = '\x1b[B'

/** Keys that wait for another, and those that do behind an operator. */
const OPENS = /^[dcyrfFtTg]$/
const OPENS_BEHIND = /^[fFtTgia]$/
const OPERATOR = /^[dcy]$/
const FIND = /^[fFtT]$/
const VERTICAL: Readonly<Record<string, string>> = { j: DOWN, down: DOWN, k: UP, up: UP }

export function createVim() {
  const vim: Vim = {
    mode: 'insert',
    pending: '',
    count: '',
    register: { text: '', isLines: false },
    lastFind: undefined,
    undos: [],
    keys: [],
    hasChanged: false,
    last: undefined,
    typing: undefined,
    anchor: 0,
  }
  return {
    mode: () => vim.mode,
    /** What is chosen in visual mode. */
    chosen: (place: Place) => chosenIn(vim, spotOf(place)),
    /** Typing again, as for a fresh message. */
    insert(): void {
      vim.mode = 'insert'
      vim.undos.length = 0
      nothing(vim)
    },
    /** What the editor is told for a key; undefined where the key is not for vim. */
    press: (key: string, place: Place) => press(vim, key, place),
  }
}

function press(vim: Vim, key: string, place: Place): readonly Step[] | undefined {
  if (vim.mode === 'insert') {
    if (key !== 'escape') return undefined
    vim.mode = 'normal'
    noteTyped(vim, spotOf(place))
    return place.col > 0 ? [LEFT] : []
  }
  if (key === 'escape' && isVisual(vim)) return leaveVisual(vim)
  if (key === 'escape') return vim.pending === '' && vim.count === '' ? undefined : nothing(vim)
  const isEmpty = place.lines.length === 1 && place.lines[0] === ''
  // Nothing is there to be moved in: a command, a file, a shell command or a question begins.
  if (isEmpty && '/@!?'.includes(key) && key.length === 1) {
    vim.mode = 'insert'
    return undefined
  }
  const isNamed = move.motions[key] !== undefined || VERTICAL[key] !== undefined
  return isNamed || [...key].length === 1 ? commanded(vim, key, spotOf(place)) : undefined
}

/** One key of a command. A command that has changed the text is what `.` does again. */
function commanded(vim: Vim, key: string, spot: Spot): readonly Step[] {
  vim.keys = [...vim.keys, key]
  vim.hasChanged = false
  const steps = isVisual(vim) ? visual(vim, key, spot, normal) : normal(vim, key, spot)
  if (vim.pending !== '' || vim.count !== '' || isVisual(vim)) return steps
  // What was chosen by hand is not chosen again elsewhere.
  if (vim.hasChanged) vim.last = vim.keys.length === 0 ? undefined : { keys: vim.keys, typed: '' }
  vim.keys = []
  return steps
}

const spotOf = ({ lines, line, col }: Place): Spot => ({
  text: lines.join('\n'),
  at: lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, col),
})

function normal(vim: Vim, key: string, spot: Spot): readonly Step[] {
  const isCounted = vim.pending === '' || OPERATOR.test(vim.pending)
  if (isCounted && /^[0-9]$/.test(key) && (key !== '0' || vim.count !== '')) {
    vim.count += key
    return []
  }
  if (vim.pending !== '') return second(vim, key, spot)
  if (OPENS.test(key)) {
    vim.pending = key
    return []
  }
  const times = timesOf(vim)
  const vertical = VERTICAL[key]
  if (vertical !== undefined) return [...nothing(vim), ...repeated(vertical, times)]
  const single = singles[key]
  if (single !== undefined) return single(vim, spot)
  const motion = move.motions[key]
  if (motion === undefined) return nothing(vim)
  let to = spot.at
  for (let left = times; left > 0; left--) to = motion(spot.text, to)
  return go(vim, spot, to)
}

/** Behind a key that waited for it. */
function second(vim: Vim, key: string, spot: Spot): readonly Step[] {
  const { text, at } = spot
  const [first = '', more = ''] = vim.pending
  const isOperator = OPERATOR.test(first)
  if (isOperator && more === '') {
    if (!OPENS_BEHIND.test(key)) return operated(vim, first, key, spot)
    vim.pending += key
    return []
  }
  const sought = isOperator ? more : first
  if (FIND.test(sought) && [...key].length === 1) {
    vim.lastFind = [sought, key]
    return find(vim, spot, vim.lastFind, isOperator ? first : undefined)
  }
  if (sought === 'g' && key === 'g')
    return isOperator
      ? operateLines(vim, first, spot, 0)
      : go(vim, spot, lineOf(vim, text, 'first'))
  if ((more === 'i' || more === 'a') && key === 'w')
    return operate(vim, first, spot, move.wordAround(text, at, more))
  const next = move.right(text, at)
  if (first === 'r' && [...key].length === 1 && next > at)
    return change(vim, spot, { from: at, to: next, insert: key, cursor: at })
  return nothing(vim)
}

function operated(vim: Vim, operator: string, key: string, spot: Spot): readonly Step[] {
  const times = timesOf(vim)
  if (key === operator) return operateLines(vim, operator, spot, lineBelow(spot, times - 1))
  if (key === 'G') return operateLines(vim, operator, spot, lineOf(vim, spot.text, 'last'))
  if (key === 'j') return operateLines(vim, operator, spot, lineBelow(spot, times))
  if (key === 'k') return operateLines(vim, operator, spot, lineBelow(spot, -times))
  const range = rangeOf(vim, operator, key, spot)
  return range === undefined ? nothing(vim) : operate(vim, operator, spot, range)
}

/** What a motion leads over; undefined for what is no motion. */
function rangeOf(
  vim: Vim,
  operator: string,
  key: string,
  { text, at }: Spot,
): readonly [number, number] | undefined {
  const isWord = /^[wW]$/.test(key)
  // On a word, `cw` leaves the blank behind it.
  const toEnd = operator === 'c' && isWord && /\S/.test(text[at] ?? ' ')
  const motion = move.motions[toEnd ? (key === 'w' ? 'e' : 'E') : key]
  if (motion === undefined) return undefined
  let to = toEnd ? move.lastOfWord(text, at, key === 'W') : at
  for (let left = timesOf(vim) - (toEnd ? 1 : 0); left > 0; left--) to = motion(text, to)
  const end = move.lineEnd(text, at)
  // A word that is deleted at the end of a line leaves the break.
  if (isWord && !toEnd && at < end && timesOf(vim) === 1) to = Math.min(to, end)
  if (toEnd || move.takesItsEnd.has(key)) to = move.right(text, to)
  return to < at ? [to, at] : [at, to]
}

function find(
  vim: Vim,
  spot: Spot,
  [key, sign]: readonly [string, string],
  operator?: string,
): readonly Step[] {
  let to: number | undefined = spot.at
  for (let left = timesOf(vim); left > 0 && to !== undefined; left--)
    to = move.found(spot.text, to, key, sign)
  if (to === undefined) return nothing(vim)
  if (operator === undefined) return go(vim, spot, to)
  const end = move.takesItsEnd.has(key) ? move.right(spot.text, to) : to
  return operate(vim, operator, spot, end < spot.at ? [end, spot.at] : [spot.at, end])
}

/** Typing begins at a place. */
const typeAt = (vim: Vim, spot: Spot, at: number) =>
  change(vim, spot, { from: at, to: at }, 'insert')
const openLine = (vim: Vim, spot: Spot, at: number, lines: 0 | 1) =>
  change(vim, spot, { from: at, to: at, insert: '\n', cursor: at + lines }, 'insert')
const signs = (vim: Vim, operator: string, spot: Spot, key: 'h' | 'l') =>
  operate(vim, operator, spot, rangeOf(vim, operator, key, spot) ?? [spot.at, spot.at])
const restOfLine = (vim: Vim, operator: string, spot: Spot) =>
  operate(vim, operator, spot, [spot.at, move.lineEnd(spot.text, spot.at)])

type Single = (vim: Vim, spot: Spot) => readonly Step[]

const singles: Readonly<Record<string, Single>> = {
  i: (vim, spot) => typeAt(vim, spot, spot.at),
  a: (vim, spot) => typeAt(vim, spot, move.right(spot.text, spot.at)),
  I: (vim, spot) => typeAt(vim, spot, move.firstOfLine(spot.text, spot.at)),
  A: (vim, spot) => typeAt(vim, spot, move.lineEnd(spot.text, spot.at)),
  o: (vim, spot) => openLine(vim, spot, move.lineEnd(spot.text, spot.at), 1),
  O: (vim, spot) => openLine(vim, spot, move.lineStart(spot.text, spot.at), 0),
  x: (vim, spot) => signs(vim, 'd', spot, 'l'),
  X: (vim, spot) => signs(vim, 'd', spot, 'h'),
  s: (vim, spot) => signs(vim, 'c', spot, 'l'),
  S: (vim, spot) => operateLines(vim, 'c', spot, spot.at),
  C: (vim, spot) => restOfLine(vim, 'c', spot),
  D: (vim, spot) => restOfLine(vim, 'd', spot),
  Y: (vim, spot) => operateLines(vim, 'y', spot, lineBelow(spot, timesOf(vim) - 1)),
  J: joined,
  '~': swapCase,
  p: (vim, spot) => put(vim, spot, false),
  P: (vim, spot) => put(vim, spot, true),
  u: undo,
  '.': again,
  v: (vim, spot) => enterVisual(vim, spot, 'visual'),
  V: (vim, spot) => enterVisual(vim, spot, 'visual line'),
  G: (vim, spot) => go(vim, spot, lineOf(vim, spot.text, 'last')),
  ';': (vim, spot) => (vim.lastFind === undefined ? nothing(vim) : find(vim, spot, vim.lastFind)),
  ',': (vim, spot) =>
    vim.lastFind === undefined ? nothing(vim) : find(vim, spot, turned(vim.lastFind)),
}

/** The last change once more, with what was typed in it. */
function again(vim: Vim, spot: Spot): readonly Step[] {
  const { last } = vim
  nothing(vim)
  let steps: readonly Step[] = []
  for (const key of last?.keys ?? []) steps = normal(vim, key, spot)
  if (vim.mode === 'insert') {
    vim.mode = 'normal'
    const typed = last?.typed ?? ''
    if (typed !== '') steps = [...steps, { insert: typed }, ...(typed.endsWith('\n') ? [] : [LEFT])]
  }
  vim.hasChanged = false
  return steps
}

/** What was typed since typing began, when it stands in one piece. */
function noteTyped(vim: Vim, { text }: Spot): void {
  const { typing, last } = vim
  vim.typing = undefined
  if (typing === undefined || last === undefined) return
  const [head, tail] = [typing.text.slice(0, typing.at), typing.text.slice(typing.at)]
  const isOne = text.length >= typing.text.length && text.startsWith(head) && text.endsWith(tail)
  if (isOne) vim.last = { ...last, typed: text.slice(head.length, text.length - tail.length) }
}

function joined(vim: Vim, spot: Spot): readonly Step[] {
  const end = move.lineEnd(spot.text, spot.at)
  if (end === spot.text.length) return nothing(vim)
  const blanks = /^\n[ \t]*/.exec(spot.text.slice(end))?.[0].length ?? 1
  return change(vim, spot, { from: end, to: end + blanks, insert: ' ' })
}

function swapCase(vim: Vim, spot: Spot): readonly Step[] {
  const [from, to] = rangeOf(vim, 'd', 'l', spot) ?? [spot.at, spot.at]
  const insert = Array.from(spot.text.slice(from, to), (sign) =>
    sign === sign.toUpperCase() ? sign.toLowerCase() : sign.toUpperCase(),
  ).join('')
  return change(vim, spot, { from, to, insert, cursor: from + insert.length })
}

/** The line that a count names; without one the first or the last. */
function lineOf(vim: Vim, text: string, usual: 'first' | 'last'): number {
  const usually = usual === 'first' ? 0 : text.length
  return move.firstOfLine(
    text,
    vim.count === '' ? usually : move.startOfLine(text, timesOf(vim) - 1),
  )
}

function lineBelow({ text, at }: Spot, lines: number): number {
  const line = text.slice(0, at).split('\n').length - 1
  return move.startOfLine(text, Math.max(0, line + lines))
}

const turned = ([key, sign]: readonly [string, string]): readonly [string, string] => [
  key === key.toLowerCase() ? key.toUpperCase() : key.toLowerCase(),
  sign,
]
