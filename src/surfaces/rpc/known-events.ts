/** Pages of what is known of an open session: its log, then what is told already and written with the next thing. */
import type { EventPage, EventQuery } from '../../engine/live/events.ts'
import type { Session } from '../../engine/session.ts'
import { defined } from '../../lib/defined.ts'

/** All of them, as JSON. */
export async function knownItems({
  now,
  eventItems,
}: Pick<Session, 'now' | 'eventItems'>): Promise<readonly (string | Uint8Array)[]> {
  const { hasLog = true, unwritten = [] } = now ?? {}
  const written = hasLog ? await eventItems() : []
  const rest = unwritten.map((event) => JSON.stringify(event)).join(',')
  return written.length > 0 && rest !== '' ? [...written, ',', rest] : [...written, rest]
}

const NOTHING: EventPage = { events: [], more: false, findings: [] }

export async function knownEvents(
  { now, events: ofLog }: Pick<Session, 'now' | 'events'>,
  { direction = 'forward', cursor, limit = Infinity }: EventQuery = {},
): Promise<EventPage> {
  const { hasLog = true, unwritten = [] } = now ?? {}
  const at = unwritten.findIndex(({ id }) => id === cursor)
  const read = async (query: EventQuery): Promise<EventPage> =>
    hasLog || query.cursor !== undefined ? ofLog({ direction, ...query }) : NOTHING
  if (direction === 'forward') {
    const page = at < 0 ? await read({ limit, ...defined({ cursor }) }) : NOTHING
    if (page.more) return page
    const rest = unwritten.slice(at + 1)
    const taken = rest.slice(0, limit - page.events.length)
    return { ...page, events: [...page.events, ...taken], more: taken.length < rest.length }
  }
  if (cursor !== undefined && at < 0) return read({ cursor, limit })
  const rest = (cursor === undefined ? unwritten : unwritten.slice(0, at)).toReversed()
  const taken = rest.slice(0, limit)
  if (taken.length < rest.length) return { ...NOTHING, events: taken, more: true }
  const page = await read({ limit: limit - taken.length })
  return { ...page, events: [...taken, ...page.events] }
}
