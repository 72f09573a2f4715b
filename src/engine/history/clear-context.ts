/** Lets the model begin anew with one message; the log keeps everything that was said. */
import { commit } from '../live/commit.ts'
import type { EngineContext } from '../engine-context.ts'
import { requireIdle, type LiveSession } from '../live/live-session.ts'
import { modelContext } from '../live/model-context.ts'

/** How many messages the model no longer sees. The first message of the new context is sent by the caller. */
export async function clearContext(
  engine: EngineContext,
  session: LiveSession,
  initialMessage: string,
): Promise<number> {
  requireIdle(session, 'clear its context')
  const { messages } = await modelContext(engine, session)
  await commit(engine, session, [
    {
      type: 'session.context_cleared',
      data: { initialMessage, messagesCleared: messages.length },
    },
  ])
  return messages.length
}
