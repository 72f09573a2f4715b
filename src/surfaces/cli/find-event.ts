/** Which event a word or a turn's number means: the beginning of the id of a turn's message, or a whole id. */
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import { isEventId } from '../../format/ids.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import { usage } from './command.ts'

export async function findEvent(
  engine: Engine,
  id: SessionId,
  { word, turn }: { readonly word: string | undefined; readonly turn: number | undefined },
): Promise<EventId | undefined> {
  if (word !== undefined && turn !== undefined) throw usage('Give an event or --turn, not both.')
  if (word === undefined && turn === undefined) return undefined
  const points = await (await engine.open(id)).rewindPoints()
  if (turn !== undefined) {
    const point = points.find(({ index }) => index === turn - 1)
    if (point !== undefined) return point.eventId
    throw new EngineError(
      'not_found',
      `The session has ${points.length} turns; there is no turn ${turn}.`,
    )
  }
  const wanted = word ?? ''
  const matches = points.filter(({ eventId }) => eventId.startsWith(wanted.toLowerCase()))
  if (matches.length > 1) {
    throw new EngineError('ambiguous', `${matches.length} turns begin with "${wanted}".`, {
      details: { eventIds: matches.map(({ eventId }) => eventId) },
    })
  }
  if (matches[0] !== undefined) return matches[0].eventId
  if (isEventId(wanted)) return wanted
  throw usage('An event id must not be empty.')
}
