/** Goes on with a transcript that came from the server: the rules of what people see are those of the log itself. */
import type { Event, Stranger } from '../../../../format/event.ts'
import { createTranscriptFolder } from '../../../../state/transcript-folder.ts'
import type { TranscriptEntry } from '../../../../state/transcript.ts'

/** Nothing on the page needs to know where in the file an event stands. */
const NOWHERE = { start: 0, end: 0 }

export function afterEvents(
  entries: readonly TranscriptEntry[],
  events: readonly (Event | Stranger)[],
): readonly TranscriptEntry[] {
  const folder = createTranscriptFolder(entries)
  const touched = events.flatMap((event) => folder.push({ event, ...NOWHERE }))
  return touched.length === 0 ? entries : folder.entries()
}

/** Undefined when the cut lies before what is held: then all must be asked for again. */
export function beforeCut(
  entries: readonly TranscriptEntry[],
  upTo: string,
): readonly TranscriptEntry[] | undefined {
  const place = entries.findIndex(({ eventId }) => eventId === upTo)
  return place === -1 ? undefined : entries.slice(0, place)
}
