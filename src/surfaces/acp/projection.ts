/**
 * What a client is told of each event, one row for every type. The same table serves what happens and what happened:
 * in a replay thoughts and passing remarks are left out, and a tool is told with its call and its result alone.
 */
import type { CompactionUpdate } from '@agentclientprotocol/sdk'
import type { Event, EventOf, Stranger } from '../../format/event.ts'
import { defined } from '../../lib/defined.ts'
import { isFields, type Fields } from '../../lib/fields.ts'
import { applyRule, isRoot, isStranger, type Rules } from '../../state/positioned-event.ts'
import { preview } from '../../state/preview.ts'
import { wentOnBy } from '../../state/turns.ts'
import { callView, endView, theirFields, type Called } from './tool-view.ts'
import { attachmentBlocks } from './prompt.ts'
import { text, textContent, type Update } from './update.ts'

/** What the projection of one session remembers between events. */
export type AcpProjection = {
  isReplay: boolean
  cwd: string
  readonly tells: { readonly notices: boolean; readonly compaction: boolean }
  readonly calls: Map<string, Called & { status: 'pending' | 'in_progress' | 'over' }>
  /** How much of a message or thought was told already, piece by piece. */
  readonly said: Map<string, string>
  readonly settings: { mode: string; model?: string; effort?: string }
  compactionId: string
  planChanged: boolean
  /** The last message, in one line. */
  asked: string
}

export function newProjection(
  tells: AcpProjection['tells'],
  settings: AcpProjection['settings'],
  cwd: string,
): AcpProjection {
  return {
    isReplay: false,
    cwd,
    tells,
    calls: new Map(),
    said: new Map(),
    settings,
    compactionId: '',
    planChanged: false,
    asked: '',
  }
}

export function project(projection: AcpProjection, event: Event | Stranger): readonly Update[] {
  if (isStranger(event)) return []
  return applyRule(rules, projection, event, { start: 0, end: 0 })
}

const silent = (): readonly Update[] => []

const rules: Rules<AcpProjection, readonly Update[]> = {
  'session.start': silent,
  'session.resume': silent,
  'session.shutdown': silent,
  'session.handoff': silent,
  'session.remote_steerable_changed': silent,
  'session.context_changed': (projection, { data }) => {
    projection.cwd = data.cwd
    return []
  },
  'session.error': (projection, { data }) => remark(projection, 'error', data.message),
  'session.warning': (projection, { data }) => remark(projection, 'warning', data.message),
  'session.info': info,
  'session.task_complete': silent,
  'session.completion_receipt': silent,
  'session.usage_checkpoint': silent,

  'session.model_change': ({ settings, ...projection }, { data }) => {
    settings.model = data.newModel
    if (typeof data.reasoningEffort === 'string') settings.effort = data.reasoningEffort
    return projection.isReplay ? [] : [CHANGED]
  },
  'session.auto_mode_resolved': silent,
  'session.mode_changed': ({ settings, isReplay }, { data }) => {
    settings.mode = data.newMode
    if (isReplay) return []
    return [{ sessionUpdate: 'current_mode_update', currentModeId: data.newMode }, CHANGED]
  },
  'session.mode_notice_delivered': silent,
  'session.session_limits_changed': silent,
  'session.permissions_changed': silent,
  'session.autopilot_objective_changed': silent,
  'session.schedule_created': silent,
  'session.schedule_cancelled': silent,
  'session.schedule_rearmed': silent,

  'session.compaction_start': (projection, { id }) => {
    projection.compactionId = id
    return compaction(projection, 'in_progress', {})
  },
  'session.compaction_complete': (projection, { data }) =>
    compaction(projection, data.success ? 'completed' : 'failed', {
      ...(data.summaryContent !== undefined && { summary: [text(data.summaryContent)] }),
      ...defined({ error: data.error }),
    }),
  'session.truncation': silent,
  'session.context_cleared': silent,
  'session.usage_record': silent,
  'session.plan_changed': (projection) => {
    projection.planChanged = true
    return []
  },
  'session.workspace_file_changed': silent,
  'session.binary_asset': silent,
  'session.canvas.recorded': silent,
  'session.canvas.removed': silent,

  'session.fusion_route_failed': silent,
  'session.fusion_resolved': silent,
  'session.fusion_handoff': silent,
  'session.fusion_commit_started': silent,
  'session.fusion_completed': silent,
  'assistant.fusion_phase_completed': silent,
  'assistant.fusion_phase_failed': silent,

  'user.message': userMessage,
  'system.message': silent,
  'system.notification': silent,
  abort: silent,

  'assistant.turn_start': silent,
  'assistant.turn_end': silent,
  'assistant.reasoning': (projection, { data }) => {
    if (projection.isReplay) return []
    const rest = restOf(projection, data.reasoningId, data.content)
    if (rest === '') return []
    const messageId = data.reasoningId
    return [{ sessionUpdate: 'agent_thought_chunk', content: text(rest), messageId }]
  },
  'assistant.message': assistantMessage,

  'tool.user_requested': (projection, { data }) => begun(projection, called(data), 'pending'),
  'tool.execution_start': (projection, { data }) =>
    begun(projection, called(data), 'in_progress', theirFields(data)),
  'tool.execution_complete': toolEnded,
  'tool_search.activated': silent,
  'external_tool.requested': (projection, { data }) =>
    begun(projection, called(data), 'in_progress'),

  'permission.requested': silent,
  'permission.completed': silent,
  'permission.carriedForward': silent,
  'permission.messageAuthorization': silent,
  'permission.messageAuthorizationRead': silent,
  'permission.messageAuthorizationDegraded': silent,
  'permission.assentDetected': silent,
  'permission.contextualAuthorization': silent,

  'hook.start': silent,
  'hook.end': silent,
  'skill.invoked': silent,
  'skill.invoked_ref': silent,
  'skill.context_delivered': silent,
  'skill.context_delivered_ref': silent,

  'subagent.started': silent,
  'subagent.configured': silent,
  'subagent.completed': silent,
  'subagent.failed': silent,
  'subagent.selected': silent,
  'subagent.deselected': silent,
}

/** Stands for the list of options, which is made when it is sent. */
const CHANGED: Update = { sessionUpdate: 'config_option_update', configOptions: [] }

function userMessage(projection: AcpProjection, event: EventOf<'user.message'>): readonly Update[] {
  if (!isRoot(event)) return []
  projection.asked = preview(event.data.content)
  const { content, attachments = [], messageId = event.id } = event.data
  // No person said it: an editor folds it as it folds thoughts.
  if (wentOnBy(event) !== undefined)
    return [{ sessionUpdate: 'agent_thought_chunk', content: text(content), messageId }]
  const blocks = [
    ...(content === '' ? [] : [text(content)]),
    ...attachmentBlocks(attachments, projection.cwd),
  ]
  return blocks.map((block) => ({
    sessionUpdate: 'user_message_chunk',
    content: block,
    messageId,
  }))
}

function assistantMessage(
  projection: AcpProjection,
  event: EventOf<'assistant.message'>,
): readonly Update[] {
  if (!isRoot(event)) return []
  const { content, messageId, toolRequests = [] } = event.data
  const rest = restOf(projection, messageId, content)
  const calls = toolRequests.flatMap((request) =>
    begun(
      projection,
      {
        toolCallId: request.toolCallId,
        toolName: request.name,
        arguments: request.arguments,
        toolTitle: request.toolTitle,
      },
      'pending',
    ),
  )
  if (rest === '') return calls
  return [{ sessionUpdate: 'agent_message_chunk', content: text(rest), messageId }, ...calls]
}

/** What of a text is still to be told. A text that turned out otherwise than its pieces is not told twice. */
function restOf(projection: AcpProjection, id: string, whole: string): string {
  const said = projection.said.get(id)
  projection.said.delete(id)
  if (said === undefined) return whole
  return whole.startsWith(said) ? whole.slice(said.length) : ''
}

const called = (data: {
  readonly toolCallId: string
  readonly toolName: string
  readonly arguments?: unknown
  readonly toolTitle?: string
}): Called => ({
  toolCallId: data.toolCallId,
  toolName: data.toolName,
  arguments: data.arguments,
  toolTitle: data.toolTitle,
})

function begun(
  projection: AcpProjection,
  call: Called,
  status: 'pending' | 'in_progress',
  theirs: Fields = {},
): readonly Update[] {
  const known = projection.calls.get(call.toolCallId)
  if (known === undefined) {
    projection.calls.set(call.toolCallId, { ...call, status, theirs })
    return [{ sessionUpdate: 'tool_call', ...callView(call, projection.cwd), ...theirs, status }]
  }
  if (known.status !== 'pending' || status === 'pending') return []
  projection.calls.set(call.toolCallId, {
    ...known,
    arguments: call.arguments ?? known.arguments,
    status,
    theirs,
  })
  return projection.isReplay
    ? []
    : [{ sessionUpdate: 'tool_call_update', ...theirs, toolCallId: call.toolCallId, status }]
}

function toolEnded(
  projection: AcpProjection,
  { data }: EventOf<'tool.execution_complete'>,
): readonly Update[] {
  const call = projection.calls.get(data.toolCallId)
  if (call?.status === 'over') return []
  const view = endView(data, call, projection.cwd)
  const known = call ?? { toolCallId: data.toolCallId, toolName: 'tool', arguments: undefined }
  projection.calls.set(data.toolCallId, { ...known, arguments: undefined, status: 'over' })
  return call === undefined
    ? [{ sessionUpdate: 'tool_call', title: 'tool', ...view }]
    : [{ sessionUpdate: 'tool_call_update', ...view }]
}

/** Calls that began and have no result, because the process that ran them is gone. */
export function settleTools(projection: AcpProjection, why: string): readonly Update[] {
  return [...projection.calls.values()].flatMap((call) => {
    if (call.status === 'over') return []
    call.status = 'over'
    const { toolCallId } = call
    const content = [textContent(why)]
    return [{ sessionUpdate: 'tool_call_update', toolCallId, status: 'failed', content } as const]
  })
}

/** Remarks are of the moment: they are no part of the conversation. */
function remark(
  { isReplay, tells }: AcpProjection,
  severity: 'info' | 'warning' | 'error',
  message: string,
): readonly Update[] {
  if (isReplay || !tells.notices || message === '') return []
  const [title = message, ...more] = message.split('\n')
  const description = more.join('\n')
  return [{ sessionUpdate: 'notice', severity, title, ...(description !== '' && { description }) }]
}

/** What another agent told that has no event of its own is kept whole, and given on in its words. */
function info(projection: AcpProjection, event: EventOf<'session.info'>): readonly Update[] {
  const { infoType, message } = event.data
  const { acp } = event.data as { readonly acp?: unknown }
  if (infoType === 'agent_option') return []
  if (!isFields(acp)) return infoType === 'fork' ? [] : remark(projection, 'info', message)
  if (infoType === 'agent_mode' && !projection.isReplay)
    return [{ sessionUpdate: 'raw', update: acp }]
  // Updates of a kind that is not known here were given on at once as they came.
  const isOdd = infoType.startsWith('agent_update:') && projection.isReplay
  const isCompaction = infoType === 'agent_compaction' && projection.tells.compaction
  if (infoType !== 'agent_plan' && !isOdd && !isCompaction) return []
  return [{ sessionUpdate: 'raw', update: acp }]
}

function compaction(
  { tells, compactionId }: AcpProjection,
  status: 'in_progress' | 'completed' | 'failed',
  more: Pick<CompactionUpdate, 'summary' | 'error'>,
): readonly Update[] {
  if (!tells.compaction || compactionId === '') return []
  return [{ sessionUpdate: 'compaction_update', compactionId, status, ...more }]
}
