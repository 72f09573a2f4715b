/** A transcript that grows: entries are added at its end, and what is open is found again and changed once it ends. */
import type { Event, Stranger } from '../format/event.ts'
import { defined } from '../lib/defined.ts'
import type { Body, EntryOf, TranscriptEntry } from './transcript.ts'

export type TranscriptDraft = {
  readonly entries: TranscriptEntry[]
  touched: TranscriptEntry[]
  /** The newest entry, taken or not. */
  last: TranscriptEntry | undefined
  add(event: Event | Stranger, body: Body): void
  /** Changes the last entry of the kind under that key. False when there is none that is open: of two ends the first stays. */
  change<K extends Body['kind']>(
    kind: K,
    key: string,
    change: (entry: EntryOf<K>) => Partial<EntryOf<K>>,
  ): boolean
  /** Removes the first entries. */
  take(count: number): TranscriptEntry[]
}

export function createDraft(known: readonly TranscriptEntry[]): TranscriptDraft {
  const entries: TranscriptEntry[] = []
  /** Places are counted from the first entry ever; so many have been taken. */
  let taken = 0
  const places = new Map<string, number>()
  const hold = (entry: TranscriptEntry): void => {
    const key = keyOf(entry)
    if (key !== undefined) places.set(`${entry.kind} ${key}`, taken + entries.length)
    entries.push(entry)
    draft.last = entry
  }
  const draft: TranscriptDraft = {
    entries,
    touched: [],
    last: undefined,
    add({ id, timestamp, agentId }, body) {
      const entry = {
        ...body,
        eventId: id,
        at: timestamp,
        ...defined({ agentId }),
      }
      hold(entry)
      draft.touched.push(entry)
    },
    change(kind, key, change) {
      const place = (places.get(`${kind} ${key}`) ?? -1) - taken
      const entry = entries[place]
      if (entry === undefined || !isOpen(entry)) return false
      const changed = { ...entry, ...change(entry as EntryOf<typeof kind>) } as TranscriptEntry
      entries[place] = changed
      draft.touched.push(changed)
      return true
    },
    take(count) {
      const gone = entries.splice(0, count)
      for (const [at, entry] of gone.entries()) {
        const key = `${entry.kind} ${keyOf(entry)}`
        if (places.get(key) === taken + at) places.delete(key)
      }
      taken += gone.length
      return gone
    },
  }
  for (const entry of known) hold(entry)
  return draft
}

export function isOpen(entry: TranscriptEntry): boolean {
  if (entry.kind === 'permission') return entry.decision === undefined
  return 'status' in entry && (entry.status === 'running' || entry.status === 'announced')
}

/** By what a later event names the entry; undefined for what no event changes. */
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
