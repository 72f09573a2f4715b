/** What stands in the transcript, top to bottom, each with a key that stays its own while it changes. */
import type { TranscriptEntry } from '../../../../state/transcript.ts'
import type { Live } from '../../../../state/live.ts'

type Row =
  | { readonly kind: 'entry'; readonly key: string; readonly entry: TranscriptEntry }
  | { readonly kind: 'live'; readonly key: string; readonly live: Live }

export function transcriptRows(entries: readonly TranscriptEntry[], live: Live): Row[] {
  const seen = new Map<string, number>()
  const rows: Row[] = entries.map((entry) => {
    const own = 'toolCallId' in entry ? entry.toolCallId : ''
    const name = `${entry.eventId} ${entry.kind} ${own}`
    // Another writer may have used an id twice.
    const times = seen.get(name) ?? 0
    seen.set(name, times + 1)
    return { kind: 'entry', key: times === 0 ? name : `${name} ${times}`, entry }
  })
  const isSpeaking =
    live.text !== '' || live.thought !== '' || live.intent !== undefined || live.retry !== undefined
  if (isSpeaking) rows.push({ kind: 'live', key: 'live', live })
  return rows
}
