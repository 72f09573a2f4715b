/**
 * What an agent and the program that follows the session say to each other beside what is known here: passed on both
 * ways as it is, but for the id of the session, which each side has its own of.
 */
import type { AgentLine, BetweenTurns, Switchboard, NoticeSink } from '../../engine/agent.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Connection } from './connection.ts'
import { listIn, without, type Fields } from '../../lib/fields.ts'

export interface Outside {
  /** Undefined when nobody is there who could be asked. */
  ask(method: string, params: Fields, cancelled: AbortSignal): Promise<unknown> | undefined
  tell(method: string, params: Fields): void
  /** What the agent offers between turns is known at once: nobody could use it otherwise. */
  offers(commands: readonly unknown[]): void
  /** A title may be made while the answer is read, or after it. */
  titled(title: string): void
}

/** `current` gives the switchboard of the last turn: an agent may speak between turns, too. */
export const outsideOf = (
  id: SessionId,
  current: () => Switchboard | undefined,
  notices: () => NoticeSink | undefined,
): Outside => ({
  ask: (method, params, cancelled) =>
    current()?.editor(id).ask(method, without(params, 'sessionId'), cancelled),
  tell: (method, params) => current()?.editor(id).tell(method, without(params, 'sessionId')),
  offers: (commands) => notices()?.tell({ type: 'commands.changed', data: { commands } }),
  titled: (title) => notices()?.tell({ type: 'session.title_changed', data: { title } }),
})

/** The agent as the program reaches it. */
export const lineTo = (connection: Connection, innerSessionId: string): AgentLine => {
  const named = (params: Fields): Fields =>
    params['sessionId'] === undefined ? params : { ...params, sessionId: innerSessionId }
  return {
    get isClosed() {
      return connection.isClosed
    },
    ask: (method, params) => connection.request(method, named(params)),
    tell: (method, params) => connection.notify(method, named(params)),
  }
}

const OPENS: ReadonlySet<string> = new Set([
  'session/new',
  'session/load',
  'session/resume',
  'session/fork',
])

/** Opens the agent's own session with what the program said of ours. */
export function withFields(
  connection: Connection,
  { switchboard, sessionId }: BetweenTurns,
): Connection {
  const fields = switchboard?.sessionFields(sessionId)
  if (fields === undefined) return connection
  const servers = listIn(fields, 'mcpServers')
  return {
    ...connection,
    request: (method, params) =>
      connection.request(
        method,
        OPENS.has(method)
          ? { ...fields, ...params, mcpServers: [...listIn(params, 'mcpServers'), ...servers] }
          : params,
      ),
  }
}
