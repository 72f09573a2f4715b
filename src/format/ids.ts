/** Ids have types, so that a session id is never passed where an event id is meant. */
declare const brand: unique symbol

export type SessionId = string & { readonly [brand]: 'SessionId' }
/** Event ids are UUIDs when we write them; those of other writers are kept as they are. */
export type EventId = string & { readonly [brand]: 'EventId' }

/** What we name sessions and events by. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/
export const isUuid = (value: string): boolean => UUID.test(value)

/**
 * The only shape of id that may become part of a path. Programs name sessions as they like (`user-123-task-456`); no
 * such name leads out of its folder, is hidden, is that of a log of an older format or of a device of Windows, or
 * becomes longer than 255 bytes with what is put behind it.
 */
export const SESSION_ID =
  /^(?!.*\.jsonl$)(?!(?:[cC][oO][nN]|[pP][rR][nN]|[aA][uU][xX]|[nN][uU][lL]|(?:[cC][oO][mM]|[lL][pP][tT])[0-9])(?:\.|$))[A-Za-z0-9_-][A-Za-z0-9._-]{0,236}$/

export const isSessionId = (value: unknown): value is SessionId =>
  typeof value === 'string' && SESSION_ID.test(value)

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
