/** What is appended once work has ended before its time, so that nothing is lost of it and nothing waits for it. */
import type { Unfinished } from '../format/blobs.ts'
import type { Draft } from '../format/event.ts'
import { defined } from '../lib/defined.ts'
import { INTERRUPTED } from './provider-valid.ts'
import type { OpenRequest, OpenTurn, PendingTool, SessionState } from './session-state.ts'
import type { Task } from './subagents.ts'
import type { Pieces } from './unfinished.ts'

/** What was told of it and is in no event, and why it goes no further. */
export type Interrupted = { readonly pieces: Pieces; readonly why: Unfinished }

const NONE: ReadonlySet<string> = new Set()

/**
 * What was said first, then permissions, their tools, the turns that asked for them; those of sub-agents, and the
 * sub-agents, before what set them to work. After it nothing is open but the calls that are kept, and the turn that they
 * are of.
 */
export function settleInterrupted(
  state: SessionState,
  interrupted?: Interrupted,
  kept: ReadonlySet<string> = NONE,
): Draft[] {
  const isOver = ({ toolCallId = '' }: { readonly toolCallId?: string }) => !kept.has(toolCallId)
  return [
    ...saidUntilThen(state, interrupted),
    ...state.openRequests.filter(isOver).map(denied),
    ...state.pendingTools
      .filter((tool) => isOver(tool) && isNested(tool))
      .map((tool) => failed(tool, interrupted)),
    ...state.openTurns.filter(isNested).map(ended),
    ...state.tasks
      .filter(({ status }) => status === 'running')
      .map((task) => left(task, interrupted?.why)),
    ...state.pendingTools
      .filter((tool) => isOver(tool) && !isNested(tool))
      .map((tool) => failed(tool, interrupted)),
    ...state.openTurns.filter((turn) => kept.size === 0 && !isNested(turn)).map(ended),
  ]
}

const isNested = ({ agentId }: { readonly agentId?: string }) => agentId !== undefined

function left(task: Task, why: Unfinished | undefined): Draft {
  const { id: agentId, toolCallId, agentName, displayName: agentDisplayName, model } = task
  const about = { toolCallId, agentName, agentDisplayName, ...defined({ model }) }
  return why === 'stopped'
    ? { type: 'subagent.completed', data: { ...about, cancelled: true }, agentId }
    : { type: 'subagent.failed', data: { ...about, error: INTERRUPTED }, agentId }
}

/** For people, when what asked is gone: nobody can answer it any more, and what helps is said. */
export const lostQuestions = ({ openRequests: { length } }: SessionState): Draft[] =>
  length === 0
    ? []
    : [
        {
          type: 'session.warning',
          data: {
            warningType: 'question_lost',
            message: `${length === 1 ? 'A question was' : `${length} questions were`} lost before ${length === 1 ? 'it was' : 'they were'} answered, with the process that asked. Nothing was done for ${length === 1 ? 'it' : 'them'}. /retry sends the message again, so that it is asked again.`,
          },
        },
      ]

export function saidUntilThen(state: SessionState, interrupted: Interrupted | undefined): Draft[] {
  const turnId = state.openTurns.find(({ agentId }) => agentId === undefined)?.turnId
  const about = defined({ turnId, model: state.model })
  return interrupted?.pieces.drafts(interrupted.why, about) ?? []
}

const by = ({ agentId }: { readonly agentId?: string }) => agentId !== undefined && { agentId }

/** It was not refused: what asked ended before anybody answered. */
const WITHDRAWN = 'withdrawn'

const denied = (request: OpenRequest): Draft => ({
  type: 'permission.completed',
  data: {
    requestId: request.requestId,
    ...defined({ toolCallId: request.toolCallId }),
    result: { kind: 'denied-no-approval-rule-and-could-not-request-from-user' },
    decisionSource: 'unattended_fallback',
    reprise: { decidedBy: 'nobody', reason: WITHDRAWN },
  },
  ...by(request),
})

function failed(tool: PendingTool, interrupted: Interrupted | undefined): Draft {
  const { toolCallId, parentToolCallId } = tool
  const content = interrupted?.pieces.outputOf(toolCallId)
  const why = interrupted?.why ?? 'killed'
  return {
    type: 'tool.execution_complete',
    data: {
      toolCallId,
      success: false,
      error: { message: INTERRUPTED, code: 'interrupted' },
      ...(content !== undefined && { result: { content } }),
      ...((content !== undefined || why !== 'stopped') && { reprise: { unfinished: why } }),
      ...defined({ parentToolCallId }),
    },
    ...by(tool),
  }
}

const ended = (turn: OpenTurn): Draft => ({
  type: 'assistant.turn_end',
  data: { turnId: turn.turnId },
  ...by(turn),
})
