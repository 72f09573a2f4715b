/**
 * Goes on with a transcript that came from the server: an event that ends what an earlier page began changes that
 * entry. The rules of what people see are those of the log itself.
 */
import type { Event, Stranger } from '../../../../format/event.ts'
import { applyRule, isStranger } from '../../../../state/placed.ts'
import { transcriptRules } from '../../../../state/transcript-rules.ts'
import type {
  Body,
  EntryOf,
  TranscriptDraft,
  TranscriptEntry,
} from '../../../../state/transcript.ts'

/** Nothing on the page needs to know where in the file an event stands. */
const NOWHERE = { start: 0, end: 0 }

export function afterEvents(
  entries: readonly TranscriptEntry[],
  events: readonly (Event | Stranger)[],
): readonly TranscriptEntry[] {
  const draft = goingOnWith([...entries])
  for (const event of events) {
    if (isStranger(event)) draft.add(event, { kind: 'stranger', type: event.type })
    else applyRule(transcriptRules, draft, event, NOWHERE)
  }
  return draft.touched.length === 0 ? entries : draft.entries
}

function goingOnWith(entries: TranscriptEntry[]): TranscriptDraft {
  const draft: TranscriptDraft = {
    entries,
    touched: [],
    add({ id, timestamp, agentId }, body) {
      const entry = {
        ...body,
        eventId: id,
        at: timestamp,
        ...(agentId !== undefined && { agentId }),
      }
      entries.push(entry)
      draft.touched.push(entry)
    },
    change(kind, key, change) {
      const place = entries.findLastIndex((entry) => entry.kind === kind && keyOf(entry) === key)
      const entry = entries[place]
      if (entry === undefined || !isOpen(entry)) return false
      const changed = { ...entry, ...change(entry as EntryOf<typeof kind>) } as TranscriptEntry
      entries[place] = changed
      draft.touched.push(changed)
      return true
    },
    take: (count) => entries.splice(0, count),
  }
  return draft
}

/** Under which key the rules look an entry up. */
function keyOf(entry: Body): string | undefined {
  switch (entry.kind) {
    case 'tool':
    case 'subagent':
      return entry.toolCallId
    case 'permission':
      return entry.requestId
    case 'hook':
      return entry.hookInvocationId
    case 'compaction':
      return 'running'
    default:
      return undefined
  }
}

function isOpen(entry: TranscriptEntry): boolean {
  if (entry.kind === 'permission') return entry.decision === undefined
  return 'status' in entry && (entry.status === 'running' || entry.status === 'announced')
}

/** Undefined when the cut lies before what is held: then all must be asked for again. */
export function beforeCut(
  entries: readonly TranscriptEntry[],
  upTo: string,
): readonly TranscriptEntry[] | undefined {
  const place = entries.findIndex(({ eventId }) => eventId === upTo)
  return place === -1 ? undefined : entries.slice(0, place)
}
