/** A turn: one user message until the next one. Turns are where a session can be rewound to. */
import type { EventOf } from '../format/event.ts'
import type { EventId } from '../format/ids.ts'
import { isRoot } from './positioned-event.ts'
import type { SessionState, StoredTurn } from './session-state.ts'

type Turn = Omit<StoredTurn, 'eventsBefore'> & {
  readonly end: number
  readonly events: number
}

/** Who asked the agent to go on in the place of a person; undefined when a person spoke. */
export function wentOnBy({ data }: EventOf<'user.message'>): 'autopilot' | 'hook' | undefined {
  if (data.isAutopilotContinuation === true) return 'autopilot'
  return data.source === 'agent-stop' ? 'hook' : undefined
}

/** Steering and what makes the agent go on join the turn that runs; a sub-agent's prompt is not the user's. */
export const startsTurn = (event: EventOf<'user.message'>): boolean =>
  event.data.delivery !== 'steering' && isRoot(event) && wentOnBy(event) === undefined

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

function pointOf(state: SessionState, { eventsBefore, ...turn }: StoredTurn): RewindPoint {
  const next = state.turns[turn.index + 1]
  return {
    ...turn,
    end: next?.start ?? state.size,
    events: (next?.eventsBefore ?? state.eventCount) - eventsBefore,
    eventsRemoved: state.eventCount - eventsBefore,
    bytesRemoved: state.size - turn.start,
  }
}
