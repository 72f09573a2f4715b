/** An event at its place in the log: what every projection is given, one after the other. */
import type { Envelope, Event, EventOf, EventType, Stranger } from '../format/event.ts'

export type ByteRange = {
  /** Byte offset of the first byte of the event's line. */
  readonly start: number
  /** Byte offset after the newline. */
  readonly end: number
}

export type Placed = ByteRange & { readonly event: Event | Stranger }

export const isStranger = (event: Event | Stranger): event is Stranger =>
  (event as { readonly stranger?: unknown }).stranger === true

/** One answer for every type of event: a new type does not compile until each projection has its row. */
export type Rules<Target, Result = void> = {
  readonly [T in EventType]: (target: Target, event: EventOf<T>, place: ByteRange) => Result
}

/** Looks up the rule of the event's own type. */
export function applyRule<Target, Result, T extends EventType>(
  rules: Rules<Target, Result>,
  target: Target,
  event: EventOf<T>,
  place: ByteRange,
): Result {
  return rules[event.type](target, event, place)
}

/** A sub-agent's events belong to its own conversation; the session's has only what the root agent saw. */
export const isRoot = (event: Envelope & { readonly data: object }): boolean =>
  event.agentId === undefined &&
  (event.data as { readonly parentToolCallId?: unknown }).parentToolCallId === undefined
