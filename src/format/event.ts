/**
 * The events of a session: one table of schemas, and every type derived from it. A new event is a new
 * row here; each projection then fails to compile until it says what the event means to it.
 */
import type { z } from 'zod'
import { isEventId, type EventId } from './ids.ts'
import { shapeCheck } from './shape-check.ts'
import { assistantEvents } from './events/assistant.ts'
import { hookEvents } from './events/hook.ts'
import { permissionEvents } from './events/permission.ts'
import { sessionEvents } from './events/session.ts'
import { skillEvents } from './events/skill.ts'
import { subagentEvents } from './events/subagent.ts'
import { toolEvents } from './events/tool.ts'
import { userEvents } from './events/user.ts'

export const eventSchemas = {
  ...sessionEvents,
  ...userEvents,
  ...assistantEvents,
  ...toolEvents,
  ...permissionEvents,
  ...hookEvents,
  ...skillEvents,
  ...subagentEvents,
} as const

export type EventType = keyof typeof eventSchemas
export type Payload<T extends EventType> = z.output<(typeof eventSchemas)[T]>

export type Envelope = {
  readonly id: EventId
  readonly timestamp: string
  readonly parentId: EventId | null
  readonly agentId?: string
}

/** A durable fact of a type we know, in a shape we know. */
export type Event = { [T in EventType]: EventOf<T> }[EventType]
export type EventOf<T extends EventType> = Envelope & {
  readonly type: T
  readonly data: Payload<T>
}

/** A durable fact of another version or vendor: kept, shown by its type, never interpreted. */
export type Stranger = Envelope & {
  readonly type: string
  readonly data: unknown
  readonly stranger: true
}

/** An event before it has an id, a time and a place. */
export type Draft = { [T in EventType]: DraftOf<T> }[EventType]
export type DraftOf<T extends EventType> = {
  readonly type: T
  readonly data: Payload<T>
  readonly agentId?: string
}

/** A draft that was told before it is written: it keeps the id and the time by which it is known. */
export type ToldDraft = Draft & Pick<Envelope, 'id' | 'timestamp'>

export const isEventType = (type: string): type is EventType => Object.hasOwn(eventSchemas, type)

export type Recognised =
  | { readonly kind: 'event'; readonly event: Event }
  /** `reason` is set when the type is known and its fields are not as they should be. */
  | { readonly kind: 'stranger'; readonly event: Stranger; readonly reason?: string }
  | { readonly kind: 'damage'; readonly reason: string }

const checks = new Map<string, (data: unknown) => string | undefined>()

/**
 * Says what a parsed line is. Cheap enough for every line of a large log: required fields and plain
 * types are checked, unknown fields are left alone, unknown values of a closed list are let through.
 */
export function recognise(value: unknown): Recognised {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return { kind: 'damage', reason: 'not a JSON object' }
  }
  const { type, data, id, timestamp, parentId } = value as Record<string, unknown>
  if (typeof type !== 'string') return { kind: 'damage', reason: 'no event type' }
  if (!isEventId(id)) return { kind: 'damage', reason: 'no event id' }
  if (typeof timestamp !== 'string') return { kind: 'damage', reason: 'no timestamp' }
  if (parentId !== null && parentId !== undefined && typeof parentId !== 'string') {
    return { kind: 'damage', reason: 'parentId is not an id' }
  }
  const check = checkFor(type)
  if (check === undefined) return { kind: 'stranger', event: asStranger(value) }
  const reason = check(data)
  if (reason !== undefined) return { kind: 'stranger', event: asStranger(value), reason }
  return { kind: 'event', event: value as Event }
}

/** Undefined for a type that we do not know. */
function checkFor(type: string): ((data: unknown) => string | undefined) | undefined {
  const known = checks.get(type)
  if (known !== undefined || !isEventType(type)) return known
  const check = shapeCheck(eventSchemas[type])
  checks.set(type, check)
  return check
}

const asStranger = (value: object): Stranger => ({
  ...(value as Omit<Stranger, 'stranger'>),
  stranger: true,
})

/** The one form in which we write an event: this key order, no spaces, no lone surrogates, one line. */
export function serialise(event: Event): string {
  const { type, data, id, timestamp, parentId, ...rest } = event
  const line = JSON.stringify({ type, data, ...rest, id, timestamp, parentId })
  return line.isWellFormed() && !LONE.test(line)
    ? line
    : JSON.stringify(wellFormed(JSON.parse(line)))
}

// JSON.stringify escapes lone surrogates as \udXXX, which other readers turn back into broken text.
const LONE = /\\ud[89a-f]/i

function wellFormed(value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed()
  if (Array.isArray(value)) return value.map(wellFormed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key.toWellFormed(), wellFormed(inner)]),
  )
}
