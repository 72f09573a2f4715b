/** A transcript's entry as lines on a terminal. Every kind of entry has its own form here. */
import { argumentText } from '../../../state/call-text.ts'
import type { EntryOf, TranscriptEntry } from '../../../state/transcript.ts'
import { bold, cyan, dim, green, red, yellow, type Span } from './span.ts'
import { unfinishedWords } from '../../../state/unfinished-words.ts'
import { wentOnWords } from '../../../state/went-on-words.ts'

type Lines = Span[][]
type Forms = { readonly [K in TranscriptEntry['kind']]: (entry: EntryOf<K>) => Lines }

export function transcriptLines(entry: TranscriptEntry): Lines {
  return form(entry)
}

function form<K extends TranscriptEntry['kind']>(entry: EntryOf<K>): Lines {
  const make: (entry: EntryOf<K>) => Lines = forms[entry.kind as K]
  return make(entry)
}

const MOST_OUTPUT = 12

const paragraph = (text: string, style: (line: string) => Span = (line) => line): Lines =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => [style(line)])

const remark = (label: Span, text: string): Lines => [[label, ' ', dim(text)]]

const labels = { info: cyan('info'), warning: yellow('warning'), error: red('error') } as const

function told(entry: EntryOf<'info' | 'warning' | 'error'>): Lines {
  return remark(labels[entry.kind], entry.text)
}

const marks = {
  announced: dim('○'),
  running: yellow('◐'),
  succeeded: green('✓'),
  failed: red('✗'),
} as const

const forms: Forms = {
  user: (entry) => [
    [],
    ...paragraph(entry.text, bold).map((line, at) => [cyan(at === 0 ? '❯ ' : '  '), ...line]),
    ...entry.attachments.map((name) => [dim(`  attached: ${name}`)]),
  ],
  continuation: ({ by, text }) => remark(dim(wentOnWords(by)), text),
  assistant: (entry) => {
    const why = unfinishedWords(entry.unfinished)
    return [[], ...paragraph(entry.text), ...(why === undefined ? [] : [[dim(`⋯ ${why}`)]])]
  },
  thought: (entry) => paragraph(entry.text, dim),
  tool: (entry) => {
    const output = (entry.output ?? '').trimEnd().split('\n')
    const shown = output.slice(0, MOST_OUTPUT).filter((line) => line !== '')
    const more = output.length - MOST_OUTPUT
    return [
      [marks[entry.status], ' ', entry.toolName, ' ', dim(aboutOf(entry.arguments))],
      ...shown.map((line) => [dim(`  │ ${line}`)]),
      ...(more > 0 ? [[dim(`  │ … ${more} more lines`)]] : []),
    ]
  },
  permission: ({ what, decision = 'open', decidedBy }) =>
    remark(
      yellow('permission'),
      `${what}: ${decision}${decidedBy === undefined ? '' : `, by ${decidedBy}`}`,
    ),
  compaction: (entry) =>
    remark(cyan('checkpoint'), `${entry.checkpoint ?? ''} ${entry.error ?? entry.status}`),
  info: told,
  warning: told,
  error: told,
  model: (entry) => remark(cyan('model'), [entry.model, entry.effort ?? ''].join(' ')),
  mode: (entry) => remark(cyan('mode'), entry.mode),
  plan: (entry) => remark(cyan('plan'), entry.operation),
  file: (entry) => remark(cyan('file'), `${entry.operation} ${entry.path}`),
  resume: (entry) => remark(dim('resumed'), entry.at),
  shutdown: (entry) => remark(dim('closed'), entry.reason ?? entry.at),
  abort: (entry) => remark(yellow('aborted'), entry.reason),
  handoff: (entry) => remark(cyan('handoff'), `${entry.sourceType} ${entry.text}`),
  subagent: (entry) => remark(marks[entry.status], `sub-agent ${entry.name} ${entry.error ?? ''}`),
  skill: (entry) => remark(cyan('skill'), entry.name),
  hook: (entry) => remark(marks[entry.status], `hook ${entry.hookType} ${entry.error ?? ''}`),
  stranger: (entry) => remark(dim('event of another version'), entry.type),
}

function aboutOf(given: unknown): string {
  const text = argumentText(given).replace(/\s+/g, ' ').trim()
  return text.length > 200 ? `${text.slice(0, 200).toWellFormed()}…` : text
}
