/** The transcript in pages from the end. A page begins where a turn does, so no tool is shown without its beginning. */
import type { Engine } from '../../engine/engine.ts'
import type { Event, Stranger } from '../../format/event.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { projectTranscript } from '../../state/transcript-folder.ts'
import { startsTurn } from '../../state/turns.ts'
import type { TranscriptAnswer } from './api.ts'

/** A turn may be longer than any page should be; then the page begins within it. */
const MOST_EVENTS = 5000

export async function transcriptPage(
  engine: Engine,
  id: SessionId,
  { before, limit }: { readonly before?: EventId | undefined; readonly limit: number },
): Promise<TranscriptAnswer> {
  const events: (Event | Stranger)[] = []
  let cursor = before
  let hasMore = true
  while (hasMore && !isWhole(events, limit)) {
    const page = await (
      await engine.open(id)
    ).events({
      direction: 'backward',
      limit,
      ...defined({ cursor }),
    })
    events.push(...page.events)
    cursor = events.at(-1)?.id
    hasMore = page.more
  }
  const kept = hasMore || events.length > limit ? cutToTurns(events, limit, hasMore) : events
  const [newest] = kept
  const oldest = kept.at(-1)
  const isFirst = !hasMore && kept.length === events.length
  return {
    // Where in the log an event is makes no difference to how it reads.
    entries: projectTranscript(kept.toReversed().map((event) => ({ event, start: 0, end: 0 }))),
    ...(oldest !== undefined && !isFirst && { before: oldest.id }),
    ...(newest !== undefined && { lastEventId: newest.id }),
  }
}

const isTurn = (event: Event | Stranger): boolean =>
  !('stranger' in event) && event.type === 'user.message' && startsTurn(event)

const isWhole = (events: readonly (Event | Stranger)[], limit: number): boolean =>
  events.length >= MOST_EVENTS || (events.length >= limit && events.slice(limit - 1).some(isTurn))

/** Newest first: up to the first beginning of a turn that makes the page long enough. */
function cutToTurns(
  events: readonly (Event | Stranger)[],
  limit: number,
  hasMore: boolean,
): readonly (Event | Stranger)[] {
  const from = Math.max(0, limit - 1)
  const at = events.slice(from).findIndex(isTurn)
  if (at === -1) return hasMore ? events.slice(0, MOST_EVENTS) : events
  return events.slice(0, from + at + 1)
}
