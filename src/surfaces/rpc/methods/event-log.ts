/** The log in pages, from either end, and from where a client left off. */
import { z } from 'zod'
import { method, passOn, sessionId, sessionMethod, type Methods } from '../method.ts'
import { readPage, tailCursor, type PageQuery } from '../read-events.ts'

const direction = z.enum(['forward', 'backward']).optional()
const cursor = z.string().max(600).optional()
const max = z.int().min(1).max(1000).default(200)

export const eventLogMethods: Methods = {
  'session.eventLog.read': sessionMethod(
    'Events after a cursor, or before it. Waits for new ones when asked to.',
    {
      cursor,
      max,
      direction,
      waitMs: z.number().min(0).optional().describe('At most 30,000.'),
      types: z.union([z.literal('*'), z.array(z.string()).min(1)]).optional(),
      agentScope: z.enum(['primary', 'all']).optional(),
      agentIds: z.array(z.string()).min(1).optional(),
      includeEphemeral: z.boolean().optional(),
    },
    (session, params, { signal }) => readPage(session, params as PageQuery, signal),
  ),
  'session.eventLog.tail': passOn('state', {
    summary: 'A cursor at the end of the log.',
    from: (state) => ({ cursor: tailCursor(state) }),
  }),
  'session.eventLog.registerInterest': sessionMethod(
    'Asks to be told of a kind of event that is not told to everybody.',
    { eventType: z.string().min(1) },
    ({ id }, { eventType }, { client }) => {
      const handle = crypto.randomUUID()
      client.interests.set(handle, { sessionId: id, eventType })
      return { handle }
    },
  ),
  'session.eventLog.releaseInterest': sessionMethod(
    'Takes it back.',
    { handle: z.string() },
    (_session, { handle }, { client }) => {
      client.interests.delete(handle)
      return { success: true }
    },
  ),
  'sessions.readPersistedEvents': method(
    'The same for a session that need not be open.',
    { sessionId, cursor, max, direction },
    async ({ server, signal }, { sessionId: id, ...params }) => {
      const ops = await server.handle(id)
      return readPage({ id, ops }, { ...params, includeEphemeral: false } as PageQuery, signal)
    },
  ),
}
