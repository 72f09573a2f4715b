/** How each thing that happened is shown on the screen. */
import { Markdown } from '@earendil-works/pi-tui'
import { defined } from '../../../lib/defined.ts'
import { safeText } from '../../../lib/safe-text.ts'
import type { EntryOf, TranscriptEntry } from '../../../state/transcript.ts'
import type { Item, Note } from '../model/window.ts'
import { briefOf } from './brief.ts'
import { fit, folded, indent, inLine, inLines, wrap } from './text.ts'
import { markLoneDollars } from './lone-dollars.ts'
import type { Pictures } from './pictures.ts'
import { NO_LINE, type Paint, type Theme } from './theme.ts'
import { toolCard } from './tool-card.ts'
import { unfinishedWords } from '../../../state/unfinished-words.ts'

type EntryOptions = {
  readonly width: number
  readonly isOpen: boolean
  readonly theme: Theme
  readonly pictures: Pictures
  readonly tails: Readonly<Record<string, string>>
  readonly isStalled: boolean
}

export function entryLines({ entry }: Item, options: EntryOptions): string[] {
  if (entry.kind === 'note') return [...noteLines(entry, options), '']
  const lines = show(entry, options)
  return lines.length === 0 ? [] : [...lines, '']
}

function show(entry: TranscriptEntry, options: EntryOptions): string[] {
  const { width, theme, tails } = options
  switch (entry.kind) {
    case 'user':
      return userLines(entry, options)
    case 'assistant': {
      const why = unfinishedWords(entry.unfinished)
      const lines = markdownLines(entry.text, width, theme)
      return why === undefined ? lines : [...lines, theme.dim(`⋯ ${why}`)]
    }
    case 'thought':
      return thoughtLines(entry.text, options)
    case 'tool':
      return [
        ...toolCard(entry, { ...options, ...defined({ tail: tails[entry.toolCallId] }) }),
        ...indent(
          (entry.pictures ?? []).flatMap((each) => options.pictures.lines(each, width - 4, theme)),
          '    ',
        ),
      ]
    default: {
      const brief = briefOf(entry)
      if (brief === undefined) return []
      const { mark, colour, text } = brief
      return wrap(theme[colour](inLine(`${mark} ${text}`)), width).slice(0, 6)
    }
  }
}

function userLines(
  { text, attachments, pictures = [], isSteering, by }: EntryOf<'user'>,
  options: EntryOptions,
): string[] {
  const { theme, width, isOpen } = options
  const bar = theme.cyan(isSteering ? '↪ ' : '❯ ')
  const shape = { width: width - 2, most: 12, isOpen, keep: 'head', faint: theme.dim } as const
  const lines = folded(text, { ...shape, paint: theme.bold })
  const [first = '', ...rest] = lines
  const seen = new Set(pictures.map(({ name }) => name))
  const shown = pictures.flatMap((each) => options.pictures.lines(each, width - 2, theme))
  const others = attachments.filter((name) => !seen.has(name))
  const files = others.map((name) => fit(theme.dim(`⌘ ${inLine(name)}`), width - 2))
  const from =
    by === undefined || senderWords(by) === ''
      ? []
      : [fit(theme.dim(inLine(`— ${senderWords(by)}`)), width - 2)]
  return [bar + first, ...indent([...rest, ...files, ...shown, ...from], '  ')]
}

const senderWords = ({ who, name, from }: NonNullable<EntryOf<'user'>['by']>): string =>
  [name ?? who, from === '' ? '' : `from ${from}`].filter(Boolean).join(', ')

export function thoughtLines(
  text: string,
  { width, isOpen, theme }: Omit<EntryOptions, 'tails' | 'isStalled' | 'pictures'>,
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
  new Markdown(markLoneDollars(safeText(text, { breaks: 'keep' })), 0, 0, theme.markdown)
    .render(width)
    .filter((line) => !line.includes(NO_LINE))

const tones = { plain: undefined, good: 'green', bad: 'red', faint: 'dim' } as const

function noteLines({ text, tone }: Note, { width, theme }: EntryOptions): string[] {
  const name = tones[tone]
  const paint: Paint = name === undefined ? (each) => each : theme[name]
  return inLines(text).flatMap((each) => wrap(paint(each), width))
}
