/**
 * A transcript as Markdown, to be kept or sent. What tools printed stands in fences that it cannot
 * close; control characters that a terminal would obey are left out, and what cannot be seen is shown as marks.
 */
import { showUnseen } from '../lib/visible-unicode.ts'
import { decisionWords } from './decision-words.ts'
import { headAndTail, preview } from './preview.ts'
import type { EntryOf, TranscriptEntry } from './transcript.ts'
import { unfinishedWords } from './unfinished-words.ts'
import { wentOnWords } from './went-on-words.ts'
import { wellFormed } from './well-formed.ts'

/** Longer outputs are shown by their head and tail. */
const LONGEST_OUTPUT = 4000

type MarkdownAbout = {
  readonly id: string
  readonly title: string
  readonly createdAt: string
  readonly repository?: string
  readonly branch?: string
}

/** With what is known of the session, it begins with a title. */
export function toMarkdown(entries: Iterable<TranscriptEntry>, about?: MarkdownAbout): string {
  const blocks = Array.from(entries, (entry) => `${clean(blockOf(entry))}\n`)
  return [...(about === undefined ? [] : [`${clean(headOf(about))}\n`]), ...blocks].join('\n')
}

function headOf({ id, title, createdAt, repository, branch }: MarkdownAbout): string {
  const facts = [repository, branch, createdAt, id].flatMap((fact) => (fact ? [inline(fact)] : []))
  return `# ${inline(title) || id}\n\n${facts.join(' · ')}`
}

type Blocks = {
  readonly [K in TranscriptEntry['kind']]: (entry: EntryOf<K>) => string
}

const remark = (entry: EntryOf<'info' | 'warning' | 'error'>) =>
  note(`${entry.kind} (${entry.topic})`, entry.text)

const blocks: Blocks = {
  user: (entry) => {
    const files = entry.attachments.map((name) => `- attached: ${inline(name)}`).join('\n')
    return [title(entry, userTitle(entry)), entry.text, files]
      .filter((part) => part.trim() !== '')
      .join('\n\n')
  },
  continuation: ({ by, text }) => note(wentOnWords(by), text),
  assistant: (entry) => {
    const why = unfinishedWords(entry.unfinished)
    return `${title(entry, 'Assistant')}\n\n${entry.text}${why === undefined ? '' : `\n\n*(${why})*`}`
  },
  thought: (entry) => note('thought', entry.text),
  tool: (entry) => {
    const head = `**${inline(entry.toolName)}** ${entry.status}${exitOf(entry)}`
    const output = entry.output ?? ''
    return [
      entry.isUserRequested ? `${head} (asked for by the user)` : head,
      fence(argumentsText(entry.arguments)),
      output.trim() === '' ? '' : fence(headAndTail(output, LONGEST_OUTPUT)),
    ]
      .filter((part) => part !== '')
      .join('\n\n')
  },
  permission: (entry) => note('permission', `${entry.what} → ${decisionWords(entry)}`),
  compaction: (entry) => {
    const text = entry.error ?? entry.summary ?? ''
    const number = entry.checkpoint === undefined ? '' : ` ${entry.checkpoint}`
    return note(`checkpoint${number} ${entry.status}`, text)
  },
  info: remark,
  warning: remark,
  error: remark,
  model: (entry) =>
    note('model', entry.effort === undefined ? entry.model : `${entry.model} (${entry.effort})`),
  mode: (entry) => note('mode', entry.mode),
  plan: (entry) => note('plan', entry.operation),
  file: (entry) => note('file', `${entry.operation} ${entry.path}`),
  resume: (entry) => note('resumed', `${entry.at}, after ${entry.eventCount} events`),
  shutdown: (entry) => note('shutdown', entry.reason ?? entry.shutdownType),
  abort: (entry) => note('aborted', entry.reason),
  handoff: (entry) => note(`handoff (${entry.sourceType})`, entry.text),
  subagent: (entry) => note(`subagent ${entry.status}`, `${entry.name} ${entry.error ?? ''}`),
  skill: (entry) => note('skill', `${entry.name} ${entry.path}`),
  hook: (entry) => note(`hook ${entry.status}`, `${entry.hookType} ${entry.error ?? ''}`),
  stranger: (entry) => note('event of another version', entry.type),
}

function blockOf<K extends TranscriptEntry['kind']>(entry: EntryOf<K>): string {
  const block: (entry: EntryOf<K>) => string = blocks[entry.kind as K]
  return entry.agentId === undefined ? block(entry) : quote(block(entry))
}

const userTitle = ({ by, isSteering }: EntryOf<'user'>): string =>
  `${inline(by?.name ?? by?.who ?? 'User')}${isSteering ? ' (steering)' : ''}`

const title = (entry: TranscriptEntry, who: string) => `## ${who} · ${inline(entry.at)}`

const note = (label: string, text: string) => quote(`*${inline(label)}*: ${text.trim()}`)

const quote = (text: string) => text.replace(/^/gm, '> ').replace(/(?<! ) +$/gm, '')

const inline = (text: string) => preview(text, 200).replace(/[`*_<>[\]\\]/g, '\\$&')

const exitOf = (entry: EntryOf<'tool'>) =>
  entry.exitCode === undefined ? '' : ` (exit ${entry.exitCode})`

function argumentsText(value: unknown): string {
  if (typeof value === 'string') return headAndTail(value, LONGEST_OUTPUT)
  if (typeof value !== 'object' || value === null || Object.keys(value).length === 0) return ''
  return headAndTail(JSON.stringify(wellFormed(value), null, 2), LONGEST_OUTPUT)
}

/** Longer than any run of backticks inside. */
function fence(text: string): string {
  if (text === '') return ''
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map((run) => run.length))
  const mark = '`'.repeat(longest + 1)
  return `${mark}\n${text.replace(/(?<!\n)\n+$/, '')}\n${mark}`
}

const clean = (text: string) =>
  showUnseen(text.toWellFormed().replaceAll('\r\n', '\n'))
    // oxlint-disable-next-line no-control-regex
    .replace(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g, '')
