/** Schemas of ids, apart from their types: whoever only lists sessions does not load a schema library. */
import { z } from 'zod'
import { UUID, type EventId, type SessionId } from './ids.ts'

export const SessionIdSchema = z.string().regex(UUID) as unknown as z.ZodType<SessionId, string>
export const EventIdSchema = z.string().min(1) as unknown as z.ZodType<EventId, string>
