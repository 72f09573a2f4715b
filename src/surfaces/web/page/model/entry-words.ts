/** What an entry that is one line says, and what the heads of those that open say: on the page and in an export. */
import { decisionWords } from '../../../../state/decision-words.ts'
import type { EntryOf, TranscriptEntry } from '../../../../state/transcript.ts'
import { wentOnWords } from '../../../../state/went-on-words.ts'

export type LineWords = { readonly name: string; readonly text: string }

type Short = Exclude<
  TranscriptEntry,
  { kind: 'user' | 'assistant' | 'thought' | 'tool' | 'continuation' | 'compaction' | 'handoff' }
>

/** Who said it, by name where that is not the person at the machine. A guest who watches is not the one who said it. */
export function userName({ isSteering, by }: EntryOf<'user'>, who = by?.name ?? by?.who ?? 'You') {
  return isSteering ? `${who}, while it worked` : who
}

export const continuationWords = ({ by, text }: EntryOf<'continuation'>): LineWords => ({
  name: capital(wentOnWords(by)),
  text,
})

const capital = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1)

/** An answer that was cut off came without the name of its model: `speaker` answered then, most likely. */
export const assistantName = (
  { model, unfinished }: EntryOf<'assistant'>,
  speaker = 'Agent',
): string => model ?? (unfinished === undefined ? 'Agent' : speaker)

/** Who is heard right now: its name comes with the whole answer only, and is most likely that of the last one. */
export function speakerName(
  entries: readonly TranscriptEntry[],
  model: string | undefined,
): string {
  const last = entries.findLast(
    (entry) => entry.kind === 'assistant' && entry.unfinished === undefined,
  )
  return last?.kind === 'assistant' ? assistantName(last) : (model ?? 'Agent')
}

export const compactionWords = (entry: EntryOf<'compaction'>): LineWords => ({
  name: compactionName(entry),
  text: entry.error ?? '',
})

function compactionName({ status, checkpoint }: EntryOf<'compaction'>): string {
  if (status === 'running') return 'Summing up…'
  if (status === 'failed') return 'Could not be summed up'
  return checkpoint === undefined ? 'Summed up' : `Summed up as checkpoint ${checkpoint}`
}

export const handoffWords = ({ from }: EntryOf<'handoff'>): LineWords => ({
  name: 'Handed over',
  text: from ?? '',
})

const stoppedBy: Readonly<Record<string, string>> = {
  user_initiated: 'by a person',
  user_abort: 'by a person',
  remote_command: 'from Mission Control',
  autopilot_credit_limit: 'at the limit of autopilot',
}

/** What the log calls it, as words. */
const heading = (topic: string): string => {
  const words = topic.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function lineWords(entry: Short): LineWords {
  switch (entry.kind) {
    case 'permission':
      return { name: 'Permission', text: `${entry.what} — ${decisionWords(entry)}` }
    case 'info':
      return { name: heading(entry.topic), text: entry.text }
    case 'warning':
      return { name: 'Warning', text: entry.text }
    case 'error':
      return { name: 'Failed', text: entry.text }
    case 'model':
      return { name: 'Model', text: [entry.model, entry.effort ?? ''].join(' ') }
    case 'mode':
      return { name: 'Mode', text: entry.mode }
    case 'plan':
      return { name: 'Plan', text: entry.operation }
    case 'file':
      return { name: 'File', text: `${entry.path} ${entry.operation}` }
    case 'resume':
      return { name: 'Resumed', text: '' }
    case 'shutdown':
      return { name: 'Closed', text: entry.reason ?? entry.shutdownType }
    case 'abort':
      return { name: 'Stopped', text: stoppedBy[entry.reason] ?? entry.reason }
    case 'subagent':
      return { name: entry.name, text: entry.error ?? entry.status }
    case 'skill':
      return { name: 'Skill', text: `${entry.name} ${entry.path}` }
    case 'hook':
      return { name: 'Hook', text: `${entry.hookType} ${entry.error ?? entry.status}` }
    case 'stranger':
      return { name: 'Unknown event', text: entry.type }
  }
}
