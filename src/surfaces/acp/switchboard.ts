/**
 * Joins the clients that follow a session with the agent behind it: what a client offers, what it said when it opened
 * the session, and whatever the two of them say to each other that is not known here. Sessions have our ids on this side.
 */
import type { AgentLine, Editor, Offered, Switchboard } from '../../engine/agent.ts'
import type { SessionId } from '../../format/ids.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import type { Fields } from '../../lib/fields.ts'
import type { Peer } from '../../lib/json-rpc/peer.ts'

type Follower = { readonly peer: Peer; readonly offered: Offered }

export interface AcpSwitchboard extends Switchboard {
  /** The client is asked what the agent asks, until it is disposed. */
  follow(id: SessionId, follower: Follower): Disposable
  /** What the client said of the session and is not ours. */
  opened(id: SessionId, fields: Fields): void
  closed(id: SessionId): void
  /** A message as the client put it; gives what the agent answered to it, when it said so. */
  prompted(
    messageId: string,
    params: Fields,
  ): { readonly result: () => Fields | undefined } & Disposable
  /** What the agent answered to a message that is still under way. */
  resultOf(messageId: string | undefined): Fields | undefined
  /** Undefined when no agent runs that could be asked. */
  lineTo(id: SessionId): AgentLine | undefined
}

const NOTHING: Offered = { readsFiles: false, writesFiles: false, terminals: false }

export function createSwitchboard(): AcpSwitchboard {
  const followers = new Map<SessionId, Follower[]>()
  const lines = new Map<SessionId, AgentLine>()
  const fields = new Map<SessionId, Fields>()
  const prompts = new Map<string, { readonly params: Fields; result: Fields | undefined }>()

  /** The client that came last is the one in front of a person. */
  const frontOf = (id: SessionId) => followers.get(id)?.findLast(({ peer }) => !peer.isClosed)

  async function ask(
    id: SessionId,
    method: string,
    params: Fields,
    signal?: AbortSignal,
  ): Promise<unknown> {
    const front = frontOf(id)
    if (front === undefined)
      throw new RpcFailure(rpcCodes.unknownMethod, `"${method}": nobody follows the session.`)
    return front.peer.request(method, { ...params, sessionId: id }, signal)
  }

  return {
    editor: (id): Editor => ({
      offered: () => frontOf(id)?.offered ?? NOTHING,
      ask: (method, params, signal) => ask(id, method, params, signal),
      tell(method, params) {
        for (const { peer } of followers.get(id) ?? [])
          peer.notify(method, { ...params, sessionId: id })
      },
    }),
    sessionFields: (id) => fields.get(id) ?? {},
    promptFields: (messageId) => prompts.get(messageId ?? '')?.params,
    answered(messageId, result) {
      const prompt = prompts.get(messageId ?? '')
      if (prompt !== undefined) prompt.result = result
    },
    connect(id, line) {
      lines.set(id, line)
      return {
        [Symbol.dispose]() {
          if (lines.get(id) === line) lines.delete(id)
        },
      }
    },
    follow(id, follower) {
      followers.set(id, [...(followers.get(id) ?? []), follower])
      return {
        [Symbol.dispose]() {
          const left = (followers.get(id) ?? []).filter((each) => each !== follower)
          if (left.length > 0) followers.set(id, left)
          else followers.delete(id)
        },
      }
    },
    opened: (id, given) => void fields.set(id, given),
    closed: (id) => void fields.delete(id),
    prompted(messageId, params) {
      const prompt: { readonly params: Fields; result: Fields | undefined } = {
        params,
        result: undefined,
      }
      prompts.set(messageId, prompt)
      return {
        result: () => prompt.result,
        [Symbol.dispose]: () => void prompts.delete(messageId),
      }
    },
    resultOf: (messageId) => prompts.get(messageId ?? '')?.result,
    lineTo(id) {
      const line = lines.get(id)
      return line?.isClosed === false ? line : undefined
    },
  }
}
