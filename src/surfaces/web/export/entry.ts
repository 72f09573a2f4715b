/** An entry of the transcript as the page draws it, with everything that the page would fetch or unfold inside. */
import { argumentText } from '../../../state/call-text.ts'
import type { EntryOf, TranscriptEntry } from '../../../state/transcript.ts'
import { countChanges, diffOf } from '../page/model/diff.ts'
import {
  assistantName,
  compactionWords,
  continuationWords,
  handoffWords,
  lineWords,
  userName,
  type LineWords,
} from '../page/model/entry-words.ts'
import { sizeText } from '../../../lib/quantities.ts'
import { argumentDetails, oneLine, toolMarks } from '../page/model/tool.ts'
import { duration, withoutAnsi } from '../page/model/words.ts'
import { diff, markdown } from './markdown.ts'
import { markup, words, type Markup } from './markup.ts'
import { unfinishedWords } from '../../../state/unfinished-words.ts'

export function entryMarkup(entry: TranscriptEntry): Markup {
  const agent = words(entry.agentId === undefined ? '' : ' of-subagent')
  return markup`<article class="entry e-${words(entry.kind)}${agent}">${body(entry)}</article>\n`
}

function body(entry: TranscriptEntry): Markup {
  switch (entry.kind) {
    case 'user':
      return markup`${head(userName(entry), entry.at)}${markdown(entry.text)}${entry.attachments.map(
        (name) => markup`<span class="chip">${words(name)}</span>`,
      )}`
    case 'continuation': {
      const { name, text } = continuationWords(entry)
      return fold('thought', line({ name, text: '' }), markdown(text))
    }
    case 'assistant':
      return markup`${head(assistantName(entry), entry.at)}${markdown(entry.text)}${cutHere(entry)}`
    case 'thought':
      return fold('thought', line({ name: 'Thought', text: entry.text }), markdown(entry.text))
    case 'tool':
      return tool(entry)
    case 'compaction':
      return fold('compaction', line(compactionWords(entry)), markdown(entry.summary ?? ''))
    case 'handoff':
      return fold('', line(handoffWords(entry)), markdown(entry.text))
    default:
      return line(lineWords(entry))
  }
}

function cutHere({ unfinished }: EntryOf<'assistant'>): Markup {
  const why = unfinishedWords(unfinished)
  return why === undefined ? markup`` : markup`<p class="faint">⋯ ${words(why)}</p>`
}

const head = (who: string, at: string): Markup =>
  markup`<header><span class="who">${words(who)}</span><time>${words(at.slice(0, 16).replace('T', ' '))}</time></header>`

const line = ({ name, text }: LineWords): Markup =>
  markup`<span class="line"><b>${words(name)}</b> <span>${words(text.slice(0, 2000))}</span></span>`

const fold = (kind: string, summary: Markup, inside: Markup, isOpen = false): Markup =>
  markup`<details class="${words(kind)}"${isOpen ? markup` open` : undefined}><summary>${summary}</summary><div class="fold-body">${inside}</div></details>`

/** A diff of this length is read, a longer one is looked up. */
const SHORT_DIFF = 40

function tool(entry: EntryOf<'tool'>): Markup {
  const lines = entry.status === 'failed' ? undefined : diffOf(entry.output, entry.arguments)
  const took = entry.endedAt === undefined ? '' : duration(entry.at, entry.endedAt)
  const isBad = entry.exitCode !== undefined && entry.exitCode !== 0
  const summary = markup`<span class="mark" role="img" aria-label="${words(entry.status)}">${words(toolMarks[entry.status])}</span><b>${words(entry.toolName)}</b><span class="what">${words(oneLine(argumentText(entry.arguments)))}</span>${lines && changes(countChanges(lines))}${
    isBad ? markup`<span class="bad">exit ${words(String(entry.exitCode))}</span>` : undefined
  }<span class="faint">${words(took)}</span>`
  const details = argumentDetails(entry.arguments)
  const inside =
    lines === undefined
      ? markup`${details === undefined ? undefined : pre('args', details)}${output(entry)}`
      : diff(lines)
  return fold(
    `tool ${entry.status}`,
    summary,
    inside,
    lines !== undefined && lines.length <= SHORT_DIFF,
  )
}

const changes = ({ added, removed }: { added: number; removed: number }): Markup =>
  markup`<span class="changes"><span class="good">+${words(String(added))}</span> <span class="bad">−${words(String(removed))}</span></span>`

function output({ output: text = '', whole }: EntryOf<'tool'>): Markup {
  if (text.trim() === '') return markup`<p class="faint">No output.</p>`
  if (whole === undefined) return pre('output', withoutAnsi(text))
  return markup`<p class="faint">The beginning and the end of ${words(sizeText(whole.byteLength))}.</p>${pre('output', withoutAnsi(text))}`
}

const pre = (kind: string, text: string): Markup =>
  markup`<pre class="${words(kind)}" tabindex="0">${words(text)}</pre>`
