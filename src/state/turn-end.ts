/** A turn has a round for every call of the model; the end of one that is followed by another ends no turn. */
import type { Event, Stranger } from '../format/event.ts'

export const endsTurn = (event: Event | Stranger): boolean =>
  !('stranger' in event) &&
  event.type === 'assistant.turn_end' &&
  event.data.reprise?.goesOn !== true
