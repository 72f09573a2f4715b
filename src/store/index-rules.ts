/** What each event means to the store. */
import type { EventOf, Payload } from '../format/event.ts'
import { isRoot, type Rules } from '../state/positioned-event.ts'
import { startsTurn, wentOnBy } from '../state/turns.ts'
import type { Carried, Op } from './store-changes.ts'
import { refsOfCall, refsOfOutput, refsOfPrompt, type Ref } from './refs.ts'
import { MAX_ARGUMENTS, MAX_OUTPUT, MAX_SPEECH, ends, head } from './text.ts'
import { pathsOfEnd, pathsOfStart } from './touched-files.ts'

const nothing = () => {}

/** Enough of what went wrong to be told in one line. */
const MAX_REASON = 500

/** What the rules may do. */
export interface FoldDraft {
  readonly carried: Carried
  readonly turnIndex: number
  know(carried: Carried): void
  startTurn(event: EventOf<'user.message'>, start: number): void
  addToUser(text: string): void
  addToAssistant(text: string): void
  add(op: Op): void
  addRefs(refs: readonly Ref[], at: string): void
  readonly clean: (text: string) => string
}

export const indexRules: Rules<FoldDraft> = {
  'session.start': (draft, { data }) => {
    const { startTime, producer, selectedModel, context } = data
    draft.know({
      startTime: draft.clean(startTime),
      producer: draft.clean(producer),
      ...(selectedModel !== undefined && { model: draft.clean(selectedModel) }),
    })
    if (context !== undefined) knowProject(draft, context)
  },
  'session.resume': (draft, { data }) => {
    if (data.selectedModel !== undefined) draft.know({ model: draft.clean(data.selectedModel) })
    if (data.context !== undefined) knowProject(draft, data.context)
  },
  'session.context_changed': (draft, { data }) => knowProject(draft, data),
  'session.model_change': (draft, { data }) => draft.know({ model: draft.clean(data.newModel) }),

  'user.message': (draft, event, { start }) => {
    const { content } = event.data
    // What made the agent go on is no word of a person; what comes of it belongs to the turn that goes on.
    if (!isRoot(event) || wentOnBy(event) !== undefined) return
    if (startsTurn(event)) draft.startTurn(event, start)
    // Steering joins the turn that it steers.
    draft.addToUser(content)
    draft.addRefs(refsOfPrompt(content, draft.carried.repository), event.timestamp)
  },
  'assistant.message': (draft, event) => {
    if (!isRoot(event)) return
    addThinking(draft, event, event.data.reasoningText ?? '')
    draft.addToAssistant(event.data.content)
  },
  'assistant.reasoning': (draft, event) => {
    if (isRoot(event)) addThinking(draft, event, event.data.content)
  },

  'tool.execution_start': (draft, { data, timestamp }) => {
    startCall(draft, data, pathsOfStart(data), timestamp)
  },
  'tool.user_requested': (draft, { data, timestamp }) => startCall(draft, data, [], timestamp),
  'external_tool.requested': (draft, { data, timestamp }) => startCall(draft, data, [], timestamp),
  'tool.execution_complete': (draft, event) => endCall(draft, event),

  'session.usage_record': (draft, { data, agentId, timestamp }) => {
    draft.add({ kind: 'usage', turn: draft.turnIndex, at: timestamp, agentId, data })
  },
  'session.compaction_complete': (draft, { data, timestamp }) => {
    const { success, summaryContent, checkpointNumber } = data
    if (!success || summaryContent === undefined || summaryContent.trim() === '') return
    draft.add({
      kind: 'checkpoint',
      turn: draft.turnIndex,
      at: timestamp,
      number: checkpointNumber,
      summary: head(draft.clean(summaryContent), MAX_SPEECH),
    })
  },

  // What came over from elsewhere is found by what it says of itself.
  'session.handoff': (draft, { id, data, timestamp }) => {
    const said = [data.summary, data.context].filter((each) => each !== undefined)
    const content = head(draft.clean(said.join('\n\n')), MAX_SPEECH)
    if (content.trim() === '') return
    draft.add({ kind: 'handoff', turn: draft.turnIndex, at: timestamp, eventId: id, content })
  },

  'session.shutdown': nothing,
  'session.remote_steerable_changed': nothing,
  'session.error': (draft, { data, timestamp }) => {
    if (draft.turnIndex < 0) return
    const reason = head(draft.clean(data.message), MAX_REASON)
    draft.add({ kind: 'failure', turn: draft.turnIndex, at: timestamp, reason })
  },
  'session.warning': nothing,
  'session.info': nothing,
  'session.task_complete': nothing,
  'session.completion_receipt': nothing,
  'session.usage_checkpoint': nothing,
  'session.auto_mode_resolved': nothing,
  'session.mode_changed': nothing,
  'session.mode_notice_delivered': nothing,
  'session.session_limits_changed': nothing,
  'session.permissions_changed': nothing,
  'session.autopilot_objective_changed': nothing,
  'session.schedule_created': nothing,
  'session.schedule_cancelled': nothing,
  'session.schedule_rearmed': nothing,
  'session.compaction_start': nothing,
  'session.truncation': nothing,
  'session.context_cleared': nothing,
  // The folder itself is looked at, whatever its events say.
  'session.plan_changed': nothing,
  'session.workspace_file_changed': nothing,
  'session.binary_asset': nothing,
  'session.canvas.recorded': nothing,
  'session.canvas.removed': nothing,
  'session.fusion_route_failed': nothing,
  'session.fusion_resolved': nothing,
  'session.fusion_handoff': nothing,
  'session.fusion_commit_started': nothing,
  'session.fusion_completed': nothing,
  'assistant.fusion_phase_completed': nothing,
  'assistant.fusion_phase_failed': nothing,
  'system.message': nothing,
  'system.notification': nothing,
  abort: (draft, { timestamp }) => {
    if (draft.turnIndex >= 0) draft.add({ kind: 'stop', turn: draft.turnIndex, at: timestamp })
  },
  'assistant.turn_start': nothing,
  'assistant.turn_end': nothing,
  'tool_search.activated': nothing,
  'permission.requested': nothing,
  'permission.completed': nothing,
  'permission.carriedForward': nothing,
  'permission.messageAuthorization': nothing,
  'permission.messageAuthorizationRead': nothing,
  'permission.messageAuthorizationDegraded': nothing,
  'permission.assentDetected': nothing,
  'permission.contextualAuthorization': nothing,
  'hook.start': nothing,
  'hook.end': nothing,
  'skill.invoked': nothing,
  'skill.invoked_ref': nothing,
  'skill.context_delivered': nothing,
  'skill.context_delivered_ref': nothing,
  'subagent.started': nothing,
  'subagent.configured': nothing,
  'subagent.completed': nothing,
  'subagent.failed': nothing,
  'subagent.selected': nothing,
  'subagent.deselected': nothing,
}

function addThinking(
  draft: FoldDraft,
  { id, timestamp }: EventOf<'assistant.message' | 'assistant.reasoning'>,
  text: string,
): void {
  const content = head(draft.clean(text), MAX_SPEECH)
  if (content.trim() === '') return
  draft.add({ kind: 'thinking', turn: draft.turnIndex, at: timestamp, eventId: id, content })
}

/** A project is told of whole: what is not named is not there any more. */
function knowProject(draft: FoldDraft, context: Payload<'session.context_changed'>): void {
  const { cwd, gitRoot, repository, hostType, branch } = context
  const told = Object.entries({ cwd, gitRoot, repository, hostType, branch })
  draft.know(
    Object.fromEntries(
      told.map(([key, value]) => [key, typeof value === 'string' ? draft.clean(value) : undefined]),
    ),
  )
}

function startCall(
  draft: FoldDraft,
  data: { toolCallId: string; toolName: string; arguments?: unknown },
  paths: readonly string[],
  at: string,
): void {
  const { toolCallId, toolName, arguments: args } = data
  draft.add({
    kind: 'call-start',
    turn: draft.turnIndex,
    at,
    callId: draft.clean(toolCallId),
    tool: draft.clean(toolName),
    args: args === undefined ? '' : head(draft.clean(print(args)), MAX_ARGUMENTS),
    paths,
  })
  draft.addRefs(refsOfCall(toolName, args, draft.carried.repository), at)
}

const print = (args: unknown): string => (typeof args === 'string' ? args : JSON.stringify(args))

function endCall(draft: FoldDraft, { data, timestamp }: EventOf<'tool.execution_complete'>): void {
  const output = data.result?.content ?? data.error?.message ?? ''
  draft.add({
    kind: 'call-end',
    turn: draft.turnIndex,
    at: timestamp,
    callId: draft.clean(data.toolCallId),
    success: data.success,
    output: ends(draft.clean(output), MAX_OUTPUT),
    paths: pathsOfEnd(data),
  })
  if (data.success) draft.addRefs(refsOfOutput(output, draft.carried.repository), timestamp)
}
