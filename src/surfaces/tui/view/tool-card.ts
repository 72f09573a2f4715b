/** A tool call as a card: what it is asked, how it goes, what came of it. */
import { argumentText } from '../../../state/call-text.ts'
import type { EntryOf } from '../../../state/transcript.ts'
import { withoutExit } from '../../../state/exit-code.ts'
import { failureText } from '../../../state/failure-text.ts'
import { diffLine } from './highlight.ts'
import { fit, folded, indent, inLine } from './text.ts'
import type { Theme } from './theme.ts'

type CardOptions = {
  readonly width: number
  readonly isOpen: boolean
  readonly theme: Theme
  /** The last of its output while it runs. */
  readonly tail?: string
  /** Nobody is at work in the session: what has no end was interrupted. */
  readonly isStalled: boolean
}

const MOST_LINES = 8

export function toolCard(entry: EntryOf<'tool'>, options: CardOptions): string[] {
  const { theme, width } = options
  // What a person ran is shown as they typed it.
  const name = entry.isUserRequested ? '!' : inLine(entry.toolName)
  const head = `${mark(entry, options)} ${theme.bold(name)} ${inLine(argumentText(entry.arguments))}`
  return [fit(head, width), ...indent(bodyOf(entry, options), theme.dim('  │ '))]
}

function mark({ status }: EntryOf<'tool'>, { theme, isStalled }: CardOptions): string {
  const { dim, yellow, green, red } = theme
  if (isStalled && (status === 'announced' || status === 'running')) return yellow('◌')
  if (status === 'announced') return dim('○')
  if (status === 'running') return yellow('●')
  return status === 'succeeded' ? green('✓') : red('✗')
}

function bodyOf(entry: EntryOf<'tool'>, options: CardOptions): string[] {
  const { width, isOpen, theme, tail, isStalled } = options
  const shape = { width: width - 4, most: MOST_LINES, isOpen, faint: theme.dim }
  if (entry.status === 'running' || entry.status === 'announced') {
    if (isStalled) return [theme.dim('interrupted: it has no result')]
    return tail === undefined || tail === ''
      ? []
      : folded(tail, { ...shape, keep: 'tail', paint: theme.dim })
  }
  const whole = entry.status === 'failed' ? failureText(entry) : (entry.output ?? '')
  const diff = diffOf(entry)
  if (diff !== undefined && entry.status === 'succeeded') {
    return folded(diff, {
      ...shape,
      most: 16,
      keep: 'head',
      paint: (line) => diffLine(line, theme),
    })
  }
  const hasExit = entry.exitCode !== undefined && entry.exitCode !== 0
  const output = hasExit ? withoutExit(whole) : whole
  const ended = hasExit ? [theme.red(`exit ${entry.exitCode}`)] : []
  if (output.trim() === '') return ended
  // What a command printed is no reason by itself: its number is.
  const paint = entry.status === 'failed' && !hasExit ? theme.red : theme.dim
  return [...folded(output, { ...shape, keep: 'tail', paint }), ...ended]
}

/** What an edit did, from its result when that is a diff, else from what was asked for. */
function diffOf({ output = '', arguments: given }: EntryOf<'tool'>): string | undefined {
  if (/^(diff --git|--- |@@ )/m.test(output) && /^[+-]/m.test(output)) return output
  const { old_str: old, new_str: next } = (given ?? {}) as { old_str?: unknown; new_str?: unknown }
  if (typeof old !== 'string' || typeof next !== 'string') return undefined
  const lines = (text: string, sign: string) =>
    text === '' ? [] : text.split('\n').map((line) => sign + line)
  return [...lines(old, '-'), ...lines(next, '+')].join('\n')
}
