/** Sends a prompt whose time has come. A session that slept wakes for it; behind a turn that runs it waits. */
import type { ScheduledPrompt } from '../../engine/turn/schedules.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import type { HostedSession } from './hosted-session.ts'

export async function sendScheduled(
  server: { require(id: SessionId): Promise<HostedSession> },
  sessionId: SessionId,
  { id, prompt, displayPrompt }: ScheduledPrompt,
): Promise<{ readonly ended: Promise<unknown> }> {
  const { agent, ops } = await server.require(sessionId)
  await agent.ready()
  const message = {
    prompt: `[Scheduled prompt #${id}]\n${prompt}`,
    source: `schedule-${id}`,
    ...defined({ displayPrompt }),
  }
  const { ended } = await ops.send(message, { whenBusy: 'enqueue' })
  ended.catch(() => {}) // the log and the feed tell how the turn ended
  return { ended }
}
