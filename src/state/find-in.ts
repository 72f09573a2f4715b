/** Where a text stands in an entry of the transcript, whatever the case of its letters. Pure. */
import type { TranscriptEntry } from './transcript.ts'

type FoundIn = { readonly text: string; readonly start: number; readonly end: number }

const AROUND = 60

export function findIn(entry: TranscriptEntry, wanted: string): FoundIn | undefined {
  const lower = wanted.toLowerCase()
  for (const text of textsOf(entry)) {
    const at = text.toLowerCase().indexOf(lower)
    if (at === -1) continue
    const from = Math.max(0, at - AROUND)
    const piece = text.slice(from, at + wanted.length + AROUND)
    return { text: piece, start: at - from, end: at - from + wanted.length }
  }
  return undefined
}

/** What a reader sees of it; texts that a fold holds are seen when it is opened. */
function textsOf(entry: TranscriptEntry): readonly string[] {
  switch (entry.kind) {
    case 'user':
      return [entry.text, ...entry.attachments]
    case 'assistant':
    case 'thought':
    case 'info':
    case 'warning':
    case 'error':
    case 'handoff':
      return [entry.text]
    case 'tool':
      return [entry.toolName, argumentsOf(entry.arguments), entry.output ?? '']
    case 'permission':
      return [entry.what, entry.intention ?? '']
    case 'compaction':
      return [entry.summary ?? '', entry.error ?? '']
    case 'file':
      return [entry.path]
    case 'skill':
    case 'subagent':
      return [entry.name]
    default:
      return []
  }
}

function argumentsOf(given: unknown): string {
  if (typeof given === 'string') return given
  if (typeof given !== 'object' || given === null) return ''
  return Object.values(given)
    .map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
    .join('\n')
}
