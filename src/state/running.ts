/** What a log says is at work now. Whether a process is still at it, only the lease tells. */
import type { SessionState } from './session-state.ts'

/** The turn, or the call of a tool that a person runs. Undefined when everything that was begun has ended. */
export const runningIn = ({ openTurns, pendingTools }: SessionState): string | undefined =>
  (openTurns.find(({ agentId }) => agentId === undefined) ?? openTurns[0])?.turnId ??
  pendingTools[0]?.toolCallId
