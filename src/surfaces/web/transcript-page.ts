/**
 * The transcript in pages: from the end, before or after a place, or around one. A page begins where a turn does and
 * ends where one does, so no tool is shown without its beginning or its end.
 */
import type { Engine } from '../../engine/engine.ts'
import type { EventPage } from '../../engine/live/events.ts'
import type { Session } from '../../engine/session.ts'
import type { Event, Stranger } from '../../format/event.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { findIn } from '../../state/find-in.ts'
import { projectTranscript } from '../../state/transcript-folder.ts'
import { startsTurn } from '../../state/turns.ts'
import type { TranscriptAnswer } from './api.ts'
import { WebFailure } from './failure.ts'

type Logged = Event | Stranger
type Part = { readonly events: readonly Logged[]; readonly more: boolean }

type Wish = {
  readonly before?: EventId | undefined
  readonly after?: EventId | undefined
  readonly around?: EventId | undefined
  readonly turn?: number | undefined
  readonly text?: string | undefined
  readonly limit: number
}

/** A turn may be longer than any page should be; then the page begins within it. */
const MOST_EVENTS = 5000

export async function transcriptPage(
  engine: Engine,
  id: SessionId,
  { before, after, around, turn, text, limit }: Wish,
): Promise<TranscriptAnswer> {
  if ([before, after, around, turn].filter((each) => each !== undefined).length > 1)
    throw new WebFailure('invalid', 'Give one of before, after, around and turn.')
  const session = await engine.open(id)
  const place = turn === undefined ? around : await placeIn(session, turn, text)
  if (place !== undefined) return pageAround(session, place, limit)
  if (after !== undefined) {
    const later = await readAfter(session, after, limit)
    return answerOf({ events: [], more: false }, later, { isWhole: false })
  }
  return answerOf(await readBefore(session, before, limit), undefined, {})
}

/** Half of it before the place, the place itself and half of it after. */
async function pageAround(
  session: Session,
  place: EventId,
  limit: number,
): Promise<TranscriptAnswer> {
  const half = Math.ceil(limit / 2)
  const later = await readAfter(session, place, half)
  const own = await session.events({
    direction: 'forward',
    limit: 1,
    ...(await stepBack(session, place)),
  })
  const earlier = await readBefore(session, place, half)
  const before = { events: [...own.events, ...earlier.events], more: earlier.more }
  return { ...answerOf(before, later, {}), anchor: place }
}

/** A cursor is not included, so the event itself is read from the one before it. */
async function stepBack(session: Session, place: EventId): Promise<{ cursor?: EventId }> {
  const { events } = await session.events({ direction: 'backward', cursor: place, limit: 1 })
  return defined({ cursor: events[0]?.id })
}

/** The message of a turn, or what was said in it that has a text. */
async function placeIn(session: Session, turn: number, text: string | undefined): Promise<EventId> {
  const point = (await session.rewindPoints()).find(({ index }) => index === turn)
  if (point === undefined) throw new WebFailure('not_found', `There is no turn ${turn} in it.`)
  if (text === undefined) return point.eventId
  const { events } = await readPart(
    point.eventId,
    (at) =>
      session.events({ direction: 'forward', limit: TURN_EVENTS, ...defined({ cursor: at }) }),
    (read) => firstTurn(read, 0, 0),
  )
  const entry = entriesOf(events).find(
    (each) => SAID.includes(each.kind) && findIn(each, text) !== undefined,
  )
  return entry?.eventId ?? point.eventId
}

const TURN_EVENTS = 500
const SAID: readonly string[] = ['user', 'assistant']

/** Newest first: up to the first beginning of a turn that makes the page long enough. */
const readBefore = (session: Session, cursor: EventId | undefined, limit: number): Promise<Part> =>
  readPart(
    cursor,
    (at) => session.events({ direction: 'backward', limit, ...defined({ cursor: at }) }),
    (events) => firstTurn(events, limit - 1, 1),
  )

/** Oldest first: up to where a turn begins once the page is long enough. */
const readAfter = (session: Session, cursor: EventId, limit: number): Promise<Part> =>
  readPart(
    cursor,
    (at) => session.events({ direction: 'forward', limit, ...defined({ cursor: at }) }),
    (events) => firstTurn(events, limit, 0),
  )

async function readPart(
  start: EventId | undefined,
  read: (cursor: EventId | undefined) => Promise<EventPage>,
  end: (events: readonly Logged[]) => number,
): Promise<Part> {
  const events: Logged[] = []
  for (let cursor = start, more = true; more; cursor = events.at(-1)?.id) {
    const page = await read(cursor)
    events.push(...page.events)
    ;({ more } = page)
    const cut = end(events)
    if (cut !== -1) return { events: events.slice(0, cut), more: more || cut < events.length }
    if (events.length >= MOST_EVENTS) return { events: events.slice(0, MOST_EVENTS), more }
  }
  return { events, more: false }
}

/** Where the page ends, the beginning of the turn with it or not; -1 when there is none yet. */
function firstTurn(events: readonly Logged[], from: number, taken: 0 | 1): number {
  const at = events.findIndex((event, index) => index >= Math.max(0, from) && isTurn(event))
  return at === -1 ? -1 : at + taken
}

const isTurn = (event: Logged): boolean =>
  !('stranger' in event) && event.type === 'user.message' && startsTurn(event)

/** Where in the log an event is makes no difference to how it reads. */
const entriesOf = (events: readonly Logged[]) =>
  projectTranscript(events.map((event) => ({ event, start: 0, end: 0 })))

/** `earlier` is newest first. */
function answerOf(
  earlier: Part,
  later: Part | undefined,
  { isWhole = true }: { readonly isWhole?: boolean },
): TranscriptAnswer {
  const events = [...earlier.events.toReversed(), ...(later?.events ?? [])]
  const [oldest] = events
  const newest = events.at(-1)
  return {
    entries: entriesOf(events),
    ...(oldest !== undefined && isWhole && earlier.more && { before: oldest.id }),
    ...(newest !== undefined && later?.more === true && { after: newest.id }),
    ...defined({ lastEventId: newest?.id }),
  }
}
