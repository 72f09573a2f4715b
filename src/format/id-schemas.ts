/** Schemas of ids, apart from their types: a process that only lists sessions does not load a schema library. */
import { z } from 'zod'
import { SESSION_ID, type EventId, type SessionId } from './ids.ts'

export const SessionIdSchema = z.string().regex(SESSION_ID) as unknown as z.ZodType<
  SessionId,
  string
>
export const EventIdSchema = z.string().min(1) as unknown as z.ZodType<EventId, string>
