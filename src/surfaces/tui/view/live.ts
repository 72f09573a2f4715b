/**
 * The answer as it grows. Paragraphs that are complete are laid out once; only the last one is laid out again with
 * every frame, so a long answer costs no more than a short one.
 */
import type { Live } from '../../../state/live.ts'
import { markdownLines, thoughtLines } from './entry.ts'
import type { Theme } from './theme.ts'

type Options = { readonly width: number; readonly isOpen: boolean; readonly theme: Theme }

type LiveView = (live: Live, options: Options) => string[]

/** A block that does not end, such as a long program, is shown by its last lines until it does. */
const LONGEST_BLOCK = 8000

export function createLiveView(): LiveView {
  let settled = { text: '', key: '', lines: [] as string[] }
  return ({ text, thought }, options) => {
    const { width, theme } = options
    const key = `${width}`
    if (settled.key !== key || !text.startsWith(settled.text))
      settled = { text: '', key, lines: [] }
    const end = lastBreak(text, settled.text.length)
    if (end > settled.text.length) {
      const block = text.slice(settled.text.length, end)
      settled = {
        text: text.slice(0, end),
        key,
        lines: [...settled.lines, ...markdownLines(block, width, theme), ''],
      }
    }
    const rest = text.slice(end)
    const lines = rest.trim() === '' ? [] : markdownLines(endOf(rest), width, theme)
    const thinking =
      text === '' && thought.trim() !== '' ? thoughtLines(lastLine(thought, options), options) : []
    return [...thinking, ...settled.lines, ...lines]
  }
}

/** Behind the last empty line that is not inside a fenced block. */
function lastBreak(text: string, from: number): number {
  let end = from
  let isFenced = false
  for (let at = from; at < text.length;) {
    const next = text.indexOf('\n', at)
    if (next === -1) break
    const line = text.slice(at, next)
    if (/^\s*(```|~~~)/.test(line)) isFenced = !isFenced
    else if (!isFenced && line.trim() === '') end = next + 1
    at = next + 1
  }
  return end
}

function endOf(block: string): string {
  if (block.length <= LONGEST_BLOCK) return block
  const fence = /^\s*(```|~~~)[^\n]*\n/.exec(block)?.[0] ?? ''
  return `${fence}${block.slice(block.indexOf('\n', block.length - LONGEST_BLOCK) + 1)}`
}

const lastLine = (thought: string, { isOpen }: Options): string =>
  isOpen ? thought : (thought.trim().split('\n').at(-1) ?? '')
