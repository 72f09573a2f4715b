/** What happened, as lines to be read aloud: no signs that only an eye understands. */
import { found } from '../view/greeting.ts'
import { withoutExit } from '../../../state/exit-code.ts'
import { failureText } from '../../../state/failure-text.ts'
import { briefOf, type Brief } from '../view/brief.ts'
import { argumentText } from '../../../state/call-text.ts'
import type { EntryOf, TranscriptEntry } from '../../../state/transcript.ts'
import type { Model } from '../model/model.ts'
import type { Message } from '../model/message.ts'
import { keyOf } from '../model/window.ts'
import { unfinishedWords } from '../../../state/unfinished-words.ts'

/** What a change of the model means. What is asked is told apart, and what was `typed` just now is not told again. */
export function spoken(
  message: Message,
  before: Model,
  after: Model,
  typed: string | undefined,
): string[] {
  const note = after.notes > before.notes ? after.window.items.at(-1)?.entry : undefined
  if (note?.kind === 'note') return [note.text]
  switch (message.kind) {
    case 'fed':
      return message.entries.filter((entry) => isNews(entry, before, typed)).flatMap(entryTexts)
    case 'loaded':
      return before.window.items.some(({ entry }) => entry.kind !== 'note')
        ? []
        : [opened(after), ...lastTurn(message.entries).flatMap(entryTexts)]
    case 'visited': {
      const from = message.entries.findIndex(({ eventId }) => eventId === message.at)
      return [opened(after), ...message.entries.slice(from).flatMap(entryTexts)]
    }
    case 'left':
      return message.to === undefined ? ['A new session.'] : []
    case 'queue':
      return after.queue
        .slice(before.queue.length)
        .map(({ prompt }, at) => `${before.queue.length + at + 1} waits: ${prompt}`)
    case 'settled':
      return after.queue.length === 0
        ? []
        : [`${after.queue.length} waiting: an empty line sends them, /queue changes them.`]
    case 'found':
      return greetingTexts(before, after)
    case 'page':
      return message.page === undefined ? [] : [message.page.title, readable(message.page.text)]
    case 'work':
      return message.what === undefined || before.work !== undefined ? [] : [`${message.what}…`]
    default:
      return []
  }
}

/** Once everything was looked for; a newcomer is shown around behind it. */
function greetingTexts({ greeting: before }: Model, { greeting, answering }: Model): string[] {
  if (greeting.agents === undefined) return []
  const isTour = greeting.isNewcomer === true && before.isNewcomer !== true
  return [
    ...(before.agents === undefined ? found(greeting, answering, '/session') : []),
    ...(isTour ? tour : []),
  ]
}

/** That of the screen, by what there is here. */
const tour = [
  '/undo takes turns back with their files; /redo brings them back.',
  '/search finds what was said in any session and opens it there.',
  '/fork goes on in a copy; /tree shows all of them.',
  'A message that you type while it works waits its turn; /tell says it in the turn.',
]

/** What only changed in something that a line does not tell is not told again. */
function isNews(entry: TranscriptEntry, { window }: Model, typed: string | undefined): boolean {
  if (entry.kind === 'user') return entry.text !== typed
  if (!('status' in entry)) return true
  const known = window.items.findLast(({ key }) => key === keyOf(entry))?.entry
  return known === undefined || !('status' in known) || known.status !== entry.status
}

const opened = ({ session: { id, name } }: Model): string =>
  `Session ${id?.slice(0, 8)} is open${name === undefined ? '' : `: ${name}`}. /export writes all of it into a file.`

const lastTurn = (entries: readonly TranscriptEntry[]): readonly TranscriptEntry[] =>
  entries.slice(
    Math.max(
      0,
      entries.findLastIndex(({ kind }) => kind === 'user'),
    ),
  )

function entryTexts(entry: TranscriptEntry): string[] {
  // What a sub-agent does is its own; what comes of it is told.
  if (entry.agentId !== undefined) return []
  switch (entry.kind) {
    case 'user':
      return [`${entry.by?.name ?? entry.by?.who ?? 'You'}: ${entry.text}`]
    case 'assistant': {
      const why = unfinishedWords(entry.unfinished)
      return [why === undefined ? entry.text : `${entry.text.trimEnd()} (${why})`]
    }
    case 'thought':
      return []
    case 'tool':
      return toolTexts(entry)
    default: {
      const brief = briefOf(entry)
      return brief === undefined ? [] : [words(brief)]
    }
  }
}

function toolTexts(tool: EntryOf<'tool'>): string[] {
  const { status, output = '' } = tool
  if (status === 'announced') return []
  if (status === 'running') return [`Tool: ${tool.toolName} ${argumentText(tool.arguments)}`]
  if (status === 'failed' && tool.exitCode !== undefined && tool.exitCode !== 0)
    return [`Tool: exit ${tool.exitCode}: ${withoutExit(output) || 'no output'}`]
  if (status === 'failed') return [`Tool: failed: ${failureText(tool)}`]
  // What a person ran is run for its output; an agent tells what it made of it.
  return [tool.isUserRequested && output.trim() !== '' ? output.trimEnd() : 'Tool: done']
}

const words = ({ mark, text }: Brief): string => {
  const plain = text.replaceAll(' · ', ', ')
  if (mark === '✗') return `Error: ${plain}`
  return mark === '!' ? `Warning: ${plain}` : plain
}

/** Without what is only there to be seen. */
const readable = (markdown: string): string =>
  markdown.replace(/^~~~~.*\n?/gm, '').replace(/ *[█░]+ */g, ' ')
