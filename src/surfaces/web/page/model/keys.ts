/** Keys of the whole page. A key pressed in a field of text is the field's own, but for Escape. */
import { defined } from '../../../../lib/defined.ts'
export type Command =
  | 'search'
  | 'down'
  | 'up'
  | 'open'
  | 'home'
  | 'inbox'
  | 'sessions'
  | 'find'
  | 'review'
  | 'history'
  | 'chronicle'
  | 'sql'
  | 'board'
  | 'trash'
  | 'help'
  | 'close'
  | 'new'
  | 'compose'
  | 'commands'

type Press = {
  readonly key: string
  readonly isInField: boolean
  readonly hasModifier: boolean
  /** Control, or Command on a Mac, and no other. */
  readonly hasControl?: boolean
}

type KeyState = { readonly isAfterG: boolean }

const plain: Readonly<Record<string, Command>> = {
  '/': 'search',
  j: 'down',
  k: 'up',
  Enter: 'open',
  n: 'new',
  i: 'compose',
  f: 'find',
  r: 'review',
  '?': 'help',
  Escape: 'close',
}
const afterG: Readonly<Record<string, Command>> = {
  g: 'home',
  i: 'inbox',
  s: 'sessions',
  h: 'history',
  c: 'chronicle',
  q: 'sql',
  b: 'board',
  t: 'trash',
}

export function press(
  { isAfterG }: KeyState,
  { key, isInField, hasModifier, hasControl = false }: Press,
): { readonly state: KeyState; readonly command?: Command } {
  const rest = { isAfterG: false }
  if (key === 'Escape') return { state: rest, command: 'close' }
  if (hasControl && key === 'k') return { state: rest, command: 'commands' }
  if (isInField || hasModifier) return { state: rest }
  if (isAfterG) {
    const command = Object.hasOwn(afterG, key) ? afterG[key] : undefined
    return { state: rest, ...defined({ command }) }
  }
  if (key === 'g') return { state: { isAfterG: true } }
  const command = Object.hasOwn(plain, key) ? plain[key] : undefined
  return { state: rest, ...defined({ command }) }
}

export const keyHelp: readonly (readonly [string, string])[] = [
  ['/', 'search'],
  ['j / k', 'next, previous session'],
  ['Enter', 'open the session'],
  ['i', 'write a message'],
  ['Ctrl+K', 'everything that can be done'],
  ['f', 'find in the session'],
  ['r', 'review what changed'],
  ['y / n', 'allow, deny: while what is asked has the focus'],
  ['n', 'new session'],
  ['g g', 'home'],
  ['g i', 'inbox'],
  ['g s', 'sessions'],
  ['g h', 'history'],
  ['g c', 'chronicle'],
  ['g b', 'board'],
  ['g q', 'SQL'],
  ['g t', 'trash'],
  ['?', 'this help'],
  ['Esc', 'close, leave a field'],
]
