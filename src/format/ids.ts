/** Ids have types, so that a session id is never passed where an event id is meant. */
declare const brand: unique symbol

export type SessionId = string & { readonly [brand]: 'SessionId' }
/** Event ids are UUIDs when we write them; those of other writers are kept as they are. */
export type EventId = string & { readonly [brand]: 'EventId' }

/** The only shape of id that may become part of a path: 36 characters of hex and dashes, lower case. */
export const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const isSessionId = (value: unknown): value is SessionId =>
  typeof value === 'string' && UUID.test(value)

export const isEventId = (value: unknown): value is EventId =>
  typeof value === 'string' && value.length > 0

export function asSessionId(value: string): SessionId {
  if (isSessionId(value)) return value
  throw new TypeError(`"${value}" is not a session id.`)
}

export function asEventId(value: string): EventId {
  if (isEventId(value)) return value
  throw new TypeError('An event id must not be empty.')
}
