/**
 * Pages of a transcript from the log, newest first. A page begins with a message of the user where it can, so that what
 * starts and ends in two events, such as a tool, is never torn apart.
 */
import type { Engine } from '../../../engine/engine.ts'
import type { Event, Stranger } from '../../../format/event.ts'
import type { EventId, SessionId } from '../../../format/ids.ts'
import { defined } from '../../../lib/defined.ts'
import { createTranscriptFolder, type TranscriptFolder } from '../../../state/transcript-folder.ts'
import type { TranscriptEntry } from '../../../state/transcript.ts'
import { startsTurn } from '../../../state/turns.ts'

type HistoryPage = {
  readonly entries: readonly TranscriptEntry[]
  /** Where the next older page ends; undefined at the beginning. */
  readonly olderThan: EventId | undefined
  readonly last: EventId | undefined
  /** Goes on where the page ends. */
  readonly folder: TranscriptFolder
}

const STEP = 200
const MOST = 1000

export async function readPage(
  engine: Engine,
  id: SessionId,
  before?: EventId,
): Promise<HistoryPage> {
  const { events, hasMore } = await collect(engine, id, before)
  const at = hasMore ? events.findIndex(isTurnStart) : 0
  const page = at === -1 ? events : events.slice(at)
  const folder = createTranscriptFolder()
  for (const event of page) folder.push({ event, start: 0, end: 0 })
  const first = page[0]
  return {
    entries: [...folder.entries()],
    olderThan: hasMore || at > 0 ? first?.id : undefined,
    last: page.at(-1)?.id,
    folder,
  }
}

type VisitedPage = Pick<HistoryPage, 'entries' | 'olderThan'> & {
  /** The message that the turn begins with. */
  readonly at: EventId
  /** Nothing comes after it. */
  readonly isEnd: boolean
}

/** The page that holds a turn, with a little of what comes after it. Undefined when there is no such turn any more. */
export async function readTurn(
  engine: Engine,
  id: SessionId,
  turn: number,
): Promise<VisitedPage | undefined> {
  const points = await (await engine.open(id)).rewindPoints()
  const at = points.find(({ index }) => index === turn)?.eventId
  const behind = points.find(({ index }) => index === turn + 2)?.eventId
  if (at === undefined) return undefined
  const { entries, olderThan } = await readPage(engine, id, behind)
  return { entries, olderThan, at, isEnd: behind === undefined }
}

async function collect(engine: Engine, id: SessionId, before: EventId | undefined) {
  let events: (Event | Stranger)[] = []
  let cursor = before
  for (;;) {
    const page = await (
      await engine.open(id)
    ).events({
      direction: 'backward',
      limit: STEP,
      ...defined({ cursor }),
    })
    events = [...page.events.toReversed(), ...events]
    cursor = events[0]?.id
    const isEnough = events.some(isTurnStart) || events.length >= MOST
    if (!page.more || isEnough || cursor === undefined) return { events, hasMore: page.more }
  }
}

const isTurnStart = (event: Event | Stranger): boolean =>
  !('stranger' in event) && event.type === 'user.message' && startsTurn(event)
