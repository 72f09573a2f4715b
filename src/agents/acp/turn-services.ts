/** Where the requests of an agent are served while it answers: the turn, what it yields, and what was allowed in it. */
import type { Turn } from '../../engine/agent.ts'
import type { Deed } from '../tools/tool.ts'
import { RpcFailure } from '../../lib/json-rpc/failure.ts'
import { NOT_ALLOWED } from './connection.ts'
import type { Outbox } from './outbox.ts'
import type { ToolCalls } from './tool-calls.ts'
import type { FileDiff } from './tool-result.ts'

export type TurnServices = {
  readonly turn: Turn
  readonly signal: AbortSignal
  readonly outbox: Outbox
  readonly calls: ToolCalls
  readonly newId: () => string
  /** Changes and commands that were shown and allowed in this turn and not made yet: each is asked for once. */
  readonly allowedDiffs: Set<FileDiff>
  readonly allowedCommands: Set<string>
}

/** A command is what it is only where it runs. */
export const commandKey = (cwd: string, command: string): string => JSON.stringify([cwd, command])

/** What a nested tool names as the call that it belongs to. */
export function parentOf({ calls }: TurnServices): { readonly parentToolCallId?: string } {
  const parent = calls.current()
  return parent === undefined ? {} : { parentToolCallId: parent.toolCallId }
}

/** Asks for permission on behalf of the call that is at work, and refuses in words when there is none. */
export async function requireLeave(
  services: TurnServices,
  deed: Deed,
  toolCallId: string,
): Promise<void> {
  await services.outbox.taken()
  const decision = await services.turn.permit({ ...deed, toolCallId })
  if (decision.kind !== 'deny') return
  const feedback = decision.feedback === undefined ? '' : ` They said: ${decision.feedback}`
  const by = {
    person: 'A person',
    policy: 'A rule of the host',
    nobody: 'Nobody who could be asked',
  }
  const said =
    decision.by === 'nobody'
      ? 'Permission is needed, and nobody could be asked.'
      : `${by[decision.by]} denied this.`
  throw new RpcFailure(NOT_ALLOWED, `${said} Nothing was done.${feedback}`)
}
