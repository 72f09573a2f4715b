/** What a resume appends so that nothing waits for ever for a process that is gone. */
import type { Draft } from '../format/event.ts'
import { defined } from '../lib/defined.ts'
import { INTERRUPTED } from './provider-valid.ts'
import type { OpenRequest, OpenTurn, PendingTool, SessionState } from './session-state.ts'

/** Permissions first, then their tools, then the turns that asked for them. After it nothing is open. */
export function settleInterrupted(state: SessionState): Draft[] {
  return [
    ...state.openRequests.map(denied),
    ...state.pendingTools.map(failed),
    ...state.openTurns.map(ended),
  ]
}

const by = ({ agentId }: { readonly agentId?: string }) => agentId !== undefined && { agentId }

const denied = (request: OpenRequest): Draft => ({
  type: 'permission.completed',
  data: {
    requestId: request.requestId,
    ...defined({ toolCallId: request.toolCallId }),
    result: { kind: 'denied-no-approval-rule-and-could-not-request-from-user' },
    decisionSource: 'unattended_fallback',
  },
  ...by(request),
})

const failed = (tool: PendingTool): Draft => ({
  type: 'tool.execution_complete',
  data: {
    toolCallId: tool.toolCallId,
    success: false,
    error: { message: INTERRUPTED, code: 'interrupted' },
    ...defined({ parentToolCallId: tool.parentToolCallId }),
  },
  ...by(tool),
})

const ended = (turn: OpenTurn): Draft => ({
  type: 'assistant.turn_end',
  data: { turnId: turn.turnId },
  ...by(turn),
})
