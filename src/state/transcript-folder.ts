/** Folds a log into what people read. */
import { applyRule, isStranger, type Placed } from './positioned-event.ts'
import { createDraft, isOpen } from './transcript-draft.ts'
import { transcriptRules } from './transcript-rules.ts'
import type { TranscriptEntry } from './transcript.ts'

export function projectTranscript(records: Iterable<Placed>): TranscriptEntry[] {
  const folder = createTranscriptFolder()
  for (const record of records) folder.push(record)
  return [...folder.entries()]
}

export interface TranscriptFolder {
  /** The entries that the event added or changed. */
  push(record: Placed): readonly TranscriptEntry[]
  /** What has not been taken yet. */
  entries(): readonly TranscriptEntry[]
  /**
   * Takes the first entries that no later event will change, so that a long log is shown without being
   * held. What stays open for long is given as it is.
   */
  finished(): TranscriptEntry[]
  /** Takes all that is left. */
  rest(): TranscriptEntry[]
}

const MOST_HELD = 1000

/** `known`: what was made of the log up to here; an event that ends what began there changes that entry. */
export function createTranscriptFolder(known: readonly TranscriptEntry[] = []): TranscriptFolder {
  const draft = createDraft(known)
  return {
    push({ event, start, end }) {
      draft.touched = []
      if (isStranger(event)) draft.add(event, { kind: 'stranger', type: event.type })
      else applyRule(transcriptRules, draft, event, { start, end })
      return draft.touched
    },
    entries: () => draft.entries,
    finished() {
      const open = draft.entries.findIndex(isOpen)
      const closed = open === -1 ? draft.entries.length : open
      return draft.take(Math.max(closed, draft.entries.length - MOST_HELD))
    },
    rest: () => draft.take(draft.entries.length),
  }
}
