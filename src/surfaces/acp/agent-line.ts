/** The way to the agent behind a session, for what is not known here. */
import type { AgentLine } from '../../engine/agent.ts'
import { isSessionId, type SessionId } from '../../format/ids.ts'
import type { Fields } from '../../lib/fields.ts'
import type { Client } from './client.ts'

export const NEVER = new AbortController().signal

/** What names no session is for the agent of the one that the client opened last. An agent that does not run comes up. */
export async function lineFor(
  { parts: { engine, switchboard }, open }: Client,
  params: Fields,
  cancelled: AbortSignal,
): Promise<AgentLine | undefined> {
  const named = sessionIn(params)
  const ids = named === undefined ? [...open.keys()].reverse() : [named]
  const running = ids.find((id) => switchboard.lineTo(id) !== undefined)
  if (running !== undefined) return switchboard.lineTo(running)
  const id = ids.find((each) => open.has(each))
  if (id === undefined || !(await (await engine.open(id)).startAgent(cancelled))) return undefined
  return switchboard.lineTo(id)
}

function sessionIn({ sessionId }: Fields): SessionId | undefined {
  return typeof sessionId === 'string' && isSessionId(sessionId) ? sessionId : undefined
}
