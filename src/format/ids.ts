/** Ids have types, so that a session id is never passed where an event id is meant. */
import { z } from 'zod'

/** The only shape of id that may become part of a path: 36 characters of hex and dashes, lower case. */
const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export const SessionId = z.string().regex(UUID).brand('SessionId')
export type SessionId = z.infer<typeof SessionId>

/** Event ids are UUIDs when we write them; those of other writers are kept as they are. */
export const EventId = z.string().min(1).brand('EventId')
export type EventId = z.infer<typeof EventId>

export const isSessionId = (value: unknown): value is SessionId =>
  typeof value === 'string' && UUID.test(value)

export const isEventId = (value: unknown): value is EventId =>
  typeof value === 'string' && value.length > 0
