/** What fills the window, as bars and as a list of the largest pieces. */
import type { WindowParts } from '../engine/history/context-parts.ts'
import { amount } from '../lib/quantities.ts'
import { preview } from '../state/preview.ts'
import { safeText } from '../lib/safe-text.ts'
import type { Wording } from './command.ts'
import { code, fenced } from './markdown.ts'

/** With its name and its number, no wider than 40 columns. */
const WIDTH = 12
/** With what stands before it, no wider than the narrowest usual terminal. */
const LONGEST_NAME = 56

export function contextText(
  { kinds, total, window, largest }: WindowParts,
  { call }: Wording,
): string {
  const whole = window ?? total
  const free = window === undefined ? [] : [{ kind: 'free', tokens: Math.max(0, window - total) }]
  const pieces = largest.map(
    ({ kind, what, tokens }) =>
      `${amount(tokens).padStart(6)}  ${kind.padEnd(13)}${preview(safeText(what), LONGEST_NAME)}`,
  )
  const of = window === undefined ? '' : ` of ${amount(window)}`
  return [
    `**Context: about ${amount(total)}${of} tokens**`,
    fenced(bars([...kinds, ...free], whole).join('\n')),
    ...(pieces.length === 0 ? [] : ['**The largest**', fenced(pieces.join('\n'))]),
    `Tokens are estimated. ${code(call('compact'))} makes room; ${code(call('context', 'now'))} lists what is given, and a number what was given in that turn.`,
  ].join('\n\n')
}

export const bars = (
  kinds: readonly { readonly kind: string; readonly tokens: number }[],
  whole: number,
): readonly string[] => kinds.map(({ kind, tokens }) => row(kind, tokens, whole))

function row(kind: string, tokens: number, whole: number): string {
  const part = whole === 0 ? 0 : tokens / whole
  const full = tokens === 0 ? 0 : Math.max(1, Math.round(part * WIDTH))
  const bar = (kind === 'free' ? '░' : '█').repeat(Math.min(WIDTH, full)).padEnd(WIDTH)
  return `${kind.padEnd(13)}${bar} ${amount(tokens).padStart(6)} ${`${Math.round(part * 100)}%`.padStart(4)}`
}
