/** Visual mode: motions move one end of what is chosen, and an operator takes all of it. */
import {
  change,
  go,
  nothing,
  operate,
  operateLines,
  type Spot,
  type Step,
  type Vim,
} from './vim-edit.ts'
import { lineEnd, lineStart, right, wordAround } from './vim-motions.ts'

type Press = (vim: Vim, key: string, spot: Spot) => readonly Step[]

export const isVisual = ({ mode }: Vim): boolean => mode === 'visual' || mode === 'visual line'

export function enterVisual(vim: Vim, { at }: Spot, mode: 'visual' | 'visual line') {
  vim.mode = mode
  vim.anchor = at
  return nothing(vim)
}

export function leaveVisual(vim: Vim): readonly Step[] {
  vim.mode = 'normal'
  vim.keys = []
  return nothing(vim)
}

/** With the sign under its later end; undefined where nothing is chosen. */
export function chosenIn(vim: Vim, { text, at }: Spot): string | undefined {
  if (!isVisual(vim)) return undefined
  const [from, to] = rangeOf(vim, { text, at })
  return text.slice(from, to)
}

/** Keys that do something to what is chosen, by the operator that they stand for. */
const OPERATORS: Readonly<Record<string, string>> = {
  d: 'd',
  x: 'd',
  D: 'd',
  X: 'd',
  c: 'c',
  s: 'c',
  S: 'c',
  y: 'y',
  Y: 'y',
}

/** `move` is what a key does in normal mode: what is no command of this one moves the cursor. */
export function visual(vim: Vim, key: string, spot: Spot, move: Press): readonly Step[] {
  const { text, at } = spot
  // Behind g, f, t and their like.
  if (vim.pending === 'i' || vim.pending === 'a') return word(vim, key, spot)
  if (vim.pending !== '') return move(vim, key, spot)
  const operator = OPERATORS[key]
  if (operator !== undefined) return taken(vim, operator, spot)
  switch (key) {
    case 'v':
    case 'V': {
      const mode = key === 'v' ? 'visual' : 'visual line'
      if (vim.mode === mode) return leaveVisual(vim)
      vim.mode = mode
      return nothing(vim)
    }
    case 'o': {
      const other = vim.anchor
      vim.anchor = at
      return go(vim, spot, other)
    }
    case 'i':
    case 'a':
      vim.pending = key
      return []
    case 'p':
    case 'P':
      return replaced(vim, spot, vim.register.text)
    case '~':
    case 'u':
    case 'U':
      return replaced(vim, spot, inCase(key, text.slice(...rangeOf(vim, spot))))
    default:
      return MOVES.test(key) || key.length > 1 ? move(vim, key, spot) : nothing(vim)
  }
}

/** Motions, counts, and what waits for the rest of one. */
const MOVES = /^[hjklwWeEbB0^$GgfFtT;,1-9]$/

function word(vim: Vim, key: string, spot: Spot): readonly Step[] {
  const how = vim.pending === 'i' ? 'i' : 'a'
  if (key !== 'w') return nothing(vim)
  const [from, to] = wordAround(spot.text, spot.at, how)
  vim.anchor = from
  return go(vim, spot, Math.max(from, to - 1))
}

function rangeOf(vim: Vim, { text, at }: Spot): [number, number] {
  const [from, to] = [Math.min(at, vim.anchor), Math.max(at, vim.anchor)]
  return vim.mode === 'visual line'
    ? [lineStart(text, from), lineEnd(text, to)]
    : [from, right(text, to)]
}

function taken(vim: Vim, operator: string, spot: Spot): readonly Step[] {
  const [range, isLines, { anchor }] = [rangeOf(vim, spot), vim.mode === 'visual line', vim]
  leaveVisual(vim)
  return isLines ? operateLines(vim, operator, spot, anchor) : operate(vim, operator, spot, range)
}

function replaced(vim: Vim, spot: Spot, insert: string): readonly Step[] {
  const [from, to] = rangeOf(vim, spot)
  leaveVisual(vim)
  return change(vim, spot, { from, to, insert })
}

function inCase(key: string, text: string): string {
  if (key !== '~') return key === 'u' ? text.toLowerCase() : text.toUpperCase()
  return Array.from(text, (sign) =>
    sign === sign.toUpperCase() ? sign.toLowerCase() : sign.toUpperCase(),
  ).join('')
}
