/** How each thing that happened is shown. Every kind has its answer here; nothing is shown by being forgotten. */
import { Markdown } from '@earendil-works/pi-tui'
import { defined } from '../../../lib/defined.ts'
import { safeText } from '../../../lib/safe-text.ts'
import type { EntryOf, TranscriptEntry } from '../../../state/transcript.ts'
import type { Item, Note } from '../model/window.ts'
import { fit, folded, indent, inLine, inLines, wrap } from './text.ts'
import { NO_LINE } from './theme.ts'
import type { Paint, Theme } from './theme.ts'
import { toolCard } from './tool-card.ts'

export type EntryOptions = {
  readonly width: number
  readonly isOpen: boolean
  readonly theme: Theme
  readonly tails: Readonly<Record<string, string>>
  readonly isStalled: boolean
}

export function entryLines({ entry }: Item, options: EntryOptions): string[] {
  if (entry.kind === 'note') return [...noteLines(entry, options), '']
  const lines = show(entry, options)
  return lines.length === 0 ? [] : [...lines, '']
}

type Shows = {
  readonly [K in TranscriptEntry['kind']]: (entry: EntryOf<K>, options: EntryOptions) => string[]
}

const unseen = () => []

const shows: Shows = {
  user: userLines,
  assistant: ({ text }, { width, theme }) => markdownLines(text, width, theme),
  thought: ({ text }, options) => thoughtLines(text, options),
  tool: (entry, { tails, ...options }) => {
    const tail = tails[entry.toolCallId]
    return toolCard(entry, { ...options, ...defined({ tail }) })
  },
  permission: ({ what, decision }, options) =>
    decision === undefined || decision.startsWith('approved')
      ? []
      : line(options, options.theme.red, `✗ ${what} · ${decision.replaceAll('-', ' ')}`),
  compaction: ({ status, checkpoint, error }, options) =>
    line(
      options,
      options.theme.magenta,
      status === 'running'
        ? '◌ compacting…'
        : status === 'failed'
          ? `✗ compaction failed: ${error ?? ''}`
          : `◆ compacted${checkpoint === undefined ? '' : ` · checkpoint ${checkpoint}`} · /session checkpoints`,
    ),
  info: ({ topic, text }, options) => line(options, options.theme.dim, `· ${topic}: ${text}`),
  warning: ({ text }, options) => line(options, options.theme.yellow, `! ${text}`),
  error: ({ text }, options) => line(options, options.theme.red, `✗ ${text}`),
  model: ({ model, effort }, options) =>
    line(
      options,
      options.theme.dim,
      `· model: ${model}${effort === undefined ? '' : ` (${effort})`}`,
    ),
  mode: ({ mode }, options) => line(options, options.theme.dim, `· mode: ${mode}`),
  plan: ({ operation }, options) =>
    line(options, options.theme.dim, `· plan ${operation}d · /plan shows it`),
  file: ({ path, operation }, options) =>
    line(options, options.theme.dim, `· file ${operation}d: ${path}`),
  resume: (_entry, options) => line(options, options.theme.dim, '· resumed'),
  shutdown: ({ shutdownType, reason }, options) =>
    shutdownType === 'routine'
      ? []
      : line(options, options.theme.yellow, `! ended: ${reason ?? shutdownType}`),
  abort: (_entry, options) => line(options, options.theme.yellow, '! cancelled'),
  handoff: ({ sourceType, text }, options) =>
    line(options, options.theme.magenta, `⇄ handed over from ${sourceType}: ${text}`),
  subagent: ({ name, status }, options) =>
    line(
      options,
      options.theme.cyan,
      `${status === 'running' ? '●' : status === 'failed' ? '✗' : '✓'} agent ${name}`,
    ),
  skill: ({ name }, options) => line(options, options.theme.dim, `· skill: ${name}`),
  hook: ({ hookType, status, error }, options) =>
    status === 'failed'
      ? line(options, options.theme.red, `✗ hook ${hookType}: ${error ?? ''}`)
      : [],
  stranger: unseen,
}

function show<K extends TranscriptEntry['kind']>(
  entry: EntryOf<K>,
  options: EntryOptions,
): string[] {
  const of: (entry: EntryOf<K>, options: EntryOptions) => string[] = shows[entry.kind as K]
  return of(entry, options)
}

const line = ({ width }: EntryOptions, paint: Paint, text: string): string[] =>
  wrap(paint(inLine(text)), width).slice(0, 6)

function userLines(
  { text, attachments, isSteering }: EntryOf<'user'>,
  options: EntryOptions,
): string[] {
  const { theme, width, isOpen } = options
  const bar = theme.cyan(isSteering ? '↪ ' : '❯ ')
  const shape = { width: width - 2, most: 12, isOpen, keep: 'head', faint: theme.dim } as const
  const lines = folded(text, { ...shape, paint: theme.bold })
  const [first = '', ...rest] = lines
  const files = attachments.map((name) => fit(theme.dim(`⌘ ${inLine(name)}`), width - 2))
  return [bar + first, ...indent([...rest, ...files], '  ')]
}

export function thoughtLines(
  text: string,
  { width, isOpen, theme }: Omit<EntryOptions, 'tails' | 'isStalled'>,
): string[] {
  const paint = (line: string) => theme.dim(theme.italic(line))
  const [first = ''] = inLines(text.trim())
  if (!isOpen) return [fit(paint(`∴ ${first}`), width)]
  return indent(
    inLines(text).flatMap((each) => wrap(paint(each), width - 2)),
    '  ',
  )
}

export const markdownLines = (text: string, width: number, theme: Theme): string[] =>
  new Markdown(safeText(text, { breaks: 'keep' }), 0, 0, theme.markdown)
    .render(width)
    .filter((line) => !line.includes(NO_LINE))

const tones = { plain: undefined, good: 'green', bad: 'red', faint: 'dim' } as const

function noteLines({ text, tone }: Note, { width, theme }: EntryOptions): string[] {
  const name = tones[tone]
  const paint: Paint = name === undefined ? (each) => each : theme[name]
  return inLines(text).flatMap((each) => wrap(paint(each), width))
}
