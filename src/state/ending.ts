/** How the last turn of a session ended, from its last events. Pure. */
import type { Event, Stranger } from '../format/event.ts'
import { fenced } from '../lib/fenced.ts'
import { preview } from './preview.ts'

export type Ending = {
  readonly how: 'finished' | 'failed' | 'stopped' | 'nothing'
  /** The last thing that was said, or why it failed. */
  readonly text: string
}

/** Two lines of a page; narrower ones cut it themselves. */
const MOST = 240
/** What is said behind this many characters is not shown in any case. */
const LOOKED_AT = 8192

/** Newest first. What happens between turns (closed, resumed, named) says nothing about the turn before. */
export function howItEnded(events: readonly (Event | Stranger)[]): Ending {
  for (const event of events) {
    if ('stranger' in event) continue
    switch (event.type) {
      case 'session.error':
        return { how: 'failed', text: preview(event.data.message, MOST) }
      case 'abort':
        return { how: 'stopped', text: '' }
      case 'assistant.message':
        if (event.data.content.trim() === '') continue
        return {
          how: 'finished',
          text: withoutHalf(preview(withoutMarkup(proseOf(event.data.content)), MOST)),
        }
      case 'tool.execution_complete':
      case 'assistant.turn_end':
        continue
      case 'user.message':
        return { how: 'nothing', text: '' }
      default:
        continue
    }
  }
  return { how: 'nothing', text: '' }
}

/** Blocks of code, tables and formulas are looked at, not read on one line: what is said around them stays. */
function proseOf(content: string): string {
  const text = content.slice(0, LOOKED_AT)
  const around = [...fenced(text)].filter(({ isCode }) => !isCode)
  const prose = around
    .map((block) => block.text)
    .join('\n')
    .replace(/\$\$[^$]*\$\$/g, '')
    .replace(/^[ \t]*\|.*\|[ \t]*$/gm, '')
  return prose.trim() === '' ? text : prose
}

/** A formula that the end of the line went through is left out: half of one cannot be set. */
const withoutHalf = (line: string): string => {
  const at = line.endsWith('…') ? line.lastIndexOf('$') : -1
  const isOpen = at !== -1 && line.split('$').length % 2 === 0 && /[\\^_{]/.test(line.slice(at))
  return isOpen ? `${line.slice(0, at).trimEnd()}…` : line
}

/** Of Markdown what is said, without the signs that say how it looks. */
export const withoutMarkup = (text: string): string =>
  text
    .replace(/^[ \t]*```.*$/gm, '')
    .replace(/^[|: \t-]+$/gm, '')
    .replace(/^[ \t]*(?:#{1,6}|>|\d+[.)])[ \t]+/gm, '')
    .replace(/^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t])?/gm, '· ')
    .replace(/\*\*|__|`/g, '')
    .replaceAll('|', ' ')
    .trim()
    .replace(/^· /, '')
