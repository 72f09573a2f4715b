/** A turn: one user message until the next one. Turns are where a session can be rewound to. */
import type { EventOf } from '../format/event.ts'
import type { EventId } from '../format/ids.ts'
import { isRoot } from './placed.ts'
import type { SessionState, StoredTurn } from './session-state.ts'

export type Turn = Omit<StoredTurn, 'eventsBefore'> & {
  readonly end: number
  readonly events: number
}

/** Steering joins the turn that runs; a sub-agent's prompt is not the user's. */
export const startsTurn = (event: EventOf<'user.message'>): boolean =>
  event.data.delivery !== 'steering' && isRoot(event)

export function turnAt(state: SessionState, index: number): Turn | undefined {
  const turn = state.turns[index]
  if (turn === undefined) return undefined
  const next = state.turns[index + 1]
  const { eventsBefore, ...rest } = turn
  return {
    ...rest,
    end: next?.start ?? state.size,
    events: (next?.eventsBefore ?? state.eventCount) - eventsBefore,
  }
}

/** Oldest first. */
export function turnsOf(state: SessionState): Turn[] {
  return state.turns.flatMap((turn) => turnAt(state, turn.index) ?? [])
}

/** Newest first: rewinding to a point removes its message and all that came after. */
export type RewindPoint = Turn & { readonly eventsRemoved: number; readonly bytesRemoved: number }

export function rewindPoints(state: SessionState): RewindPoint[] {
  return state.turns.map((stored) => pointOf(state, stored)).reverse()
}

/** The point of one event, without making all of them. Undefined when the event begins no turn. */
export function rewindPoint(state: SessionState, eventId: EventId): RewindPoint | undefined {
  const stored = state.turns.findLast((turn) => turn.eventId === eventId)
  return stored && pointOf(state, stored)
}

const pointOf = (state: SessionState, stored: StoredTurn): RewindPoint => ({
  ...(turnAt(state, stored.index) as Turn),
  eventsRemoved: state.eventCount - stored.eventsBefore,
  bytesRemoved: state.size - stored.start,
})

/** The turn that the byte at this offset belongs to; none before the first message and after the log's end. */
export function turnOf(state: SessionState, offset: number): Turn | undefined {
  if (offset >= state.size) return undefined
  let low = 0
  let high = state.turns.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((state.turns[middle]?.start ?? Infinity) <= offset) low = middle + 1
    else high = middle
  }
  return turnAt(state, low - 1)
}
