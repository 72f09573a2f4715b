/** Texts of others on a screen: made safe, wrapped to a width, folded to a number of lines. */
import { truncateToWidth, wrapTextWithAnsi } from '@earendil-works/pi-tui'
import { safeText } from '../../../lib/safe-text.ts'
import type { Paint } from './theme.ts'

/** Beyond this a text is not laid out: it is named by its size. */
const LONGEST = 200_000

export const inLine = (text: string): string => safeText(text)

export function inLines(text: string): string[] {
  const cut =
    text.length > LONGEST
      ? `${text.slice(0, LONGEST)}\n… ${text.length - LONGEST} characters more`
      : text
  return safeText(cut, { breaks: 'keep' }).replace(/\t/g, '    ').split('\n')
}

export const fit = (text: string, width: number): string =>
  truncateToWidth(text, Math.max(1, width), '…')

export const wrap = (text: string, width: number): string[] =>
  wrapTextWithAnsi(text, Math.max(1, width))

type Fold = {
  readonly width: number
  /** How many lines are shown when it is folded. */
  readonly most: number
  readonly isOpen: boolean
  /** Which end is worth seeing. */
  readonly keep: 'head' | 'tail'
  readonly paint: Paint
  readonly faint: Paint
}

const MOST_OPEN = 2000

/** Lines of plain text; what is left out is counted and the key that shows it is named. */
export function folded(text: string, { width, most, isOpen, keep, paint, faint }: Fold): string[] {
  const limit = isOpen ? MOST_OPEN : most
  const all = inLines(text.replace(/(?<!\n)\n+$/, ''))
  // Only what may be shown is wrapped: a text of a million lines costs as much as one of a hundred.
  const some = keep === 'head' ? all.slice(0, limit) : all.slice(-limit)
  const wrapped = some.flatMap((line) => wrap(paint(line), width))
  const shown = keep === 'head' ? wrapped.slice(0, limit) : wrapped.slice(-limit)
  const hidden = all.length - some.length + (wrapped.length - shown.length)
  if (hidden === 0) return shown
  const more = faint(
    `… ${hidden} more line${hidden === 1 ? '' : 's'}${isOpen ? '' : ' · ctrl+o shows them'}`,
  )
  return keep === 'head' ? [...shown, more] : [more, ...shown]
}

export const indent = (lines: readonly string[], by: string): string[] =>
  lines.map((line) => by + line)
