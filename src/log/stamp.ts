/** Gives drafts their ids, times and places, and the bytes in which they are written. */
import { recognise, serialise, type Draft, type Event, type ToldDraft } from '../format/event.ts'
import { asEventId, type EventId } from '../format/ids.ts'
import { NotAnEvent } from './errors.ts'
import type { LogRecord } from './record.ts'

/** All of them or none: a draft that is no event throws before anything is queued. */
export function stamp(
  drafts: readonly (Draft | ToldDraft)[],
  end: { readonly size: number; readonly lastId: EventId | null },
  { clock, newId }: { clock: () => Date; newId: () => string },
): { records: readonly LogRecord[]; bytes: Uint8Array } {
  const now = clock().toISOString()
  const records: LogRecord[] = []
  const lines: Buffer[] = []
  let parentId = end.lastId
  let start = end.size
  for (const draft of drafts) {
    const { id = asEventId(newId()), timestamp = now } = draft as Partial<ToldDraft>
    const text = serialise({ ...draft, id, timestamp, parentId } as Event)
    const line = Buffer.from(`${text}\n`)
    records.push({ event: asWritten(text), start, end: start + line.length })
    lines.push(line)
    parentId = id
    start += line.length
  }
  return { records, bytes: Buffer.concat(lines) }
}

/** What readers will read, not what was given: text is well-formed now, and nobody else holds the object. */
function asWritten(text: string): Event {
  const value: unknown = JSON.parse(text)
  const seen = recognise(value)
  if (seen.kind === 'event') return seen.event
  const { type } = value as { type?: unknown }
  throw new NotAnEvent(String(type), ('reason' in seen && seen.reason) || 'no such event type')
}
