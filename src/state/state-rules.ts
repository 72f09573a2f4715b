/** What each event changes in the state. "Nothing" is written down. */
import { amountsOf, type UsageMeter } from './usage.ts'
import type { EventOf, Payload } from '../format/event.ts'
import { isSessionId } from '../format/ids.ts'
import { defined } from '../lib/defined.ts'
import { skillKey, turnKey, type Accumulator } from './accumulator.ts'
import { compactionSummary } from './compaction-summary.ts'
import { interruptsWork } from './interrupts.ts'
import { isRoot, type ByteRange, type Rules } from './positioned-event.ts'
import { preview } from './preview.ts'
import { recorded, without } from './canvases.ts'
import { cancelled, rearmed, scheduled } from './schedules.ts'
import type { OpenRequest, OpenTurn, PendingTool } from './session-state.ts'
import * as tasks from './subagents.ts'
import { applyRemark, applyLimits, applySettings, projectOf } from './start-settings.ts'
import { startsTurn } from './turns.ts'

const same = () => {}

/** What a fork has copied is older than itself: its source has spent that. */
const meterAt = ({ startTime = '', lists }: Accumulator, timestamp: string): UsageMeter =>
  timestamp < startTime ? lists.copied : lists.usage

export const stateRules: Rules<Accumulator> = {
  'session.start': (state, { data }) => {
    if (isSessionId(data.sessionId)) state.sessionId = data.sessionId
    if (Number.isSafeInteger(data.version)) state.version = data.version
    state.producer = data.producer
    state.startTime = data.startTime
    applySettings(state, data)
    applyRemark(state, data.reprise)
  },
  'session.resume': (state, event) => {
    const { data } = event
    applySettings(state, data)
    applyRemark(state, data.reprise)
    if (!interruptsWork(data)) return
    state.lists.pendingTools.clear()
    state.lists.openRequests.clear()
    state.lists.openTurns.clear()
    tasks.interrupted(state.lists.tasks, event)
    state.lists.compacting = undefined
    state.lists.usage.interrupted()
    state.lists.copied.interrupted()
  },
  'session.shutdown': (state, { id, timestamp, data }) => {
    state.lastShutdown = { shutdownType: data.shutdownType, at: timestamp, eventId: id }
  },
  'session.handoff': (state, { id, data }, { start }) => {
    const { handoffTime, sourceType, remoteSessionId, host } = data
    state.handoff = {
      time: handoffTime,
      sourceType,
      eventId: id,
      start,
      ...defined({ remoteSessionId, host }),
    }
  },
  'session.remote_steerable_changed': (state, { data }) => {
    state.remoteSteerable = data.remoteSteerable
  },
  'session.context_changed': (state, { data }) => {
    state.project = projectOf(data)
  },
  'session.error': (state) => {
    state.errorCount++
  },
  'session.warning': same,
  'session.info': (state, { data }) => applyRemark(state, data.reprise),
  'session.task_complete': (state, { data }) => {
    state.taskDone = data.outcome !== 'continue'
  },
  'session.completion_receipt': same,
  'session.usage_checkpoint': same,

  'session.model_change': (state, { agentId, data }) => {
    if (agentId !== undefined) return
    state.model = data.newModel
    if (data.reasoningEffort === null) delete state.reasoningEffort
    else if (data.reasoningEffort !== undefined) state.reasoningEffort = data.reasoningEffort
    if (data.reasoningSummary !== undefined) state.reasoningSummary = data.reasoningSummary
    if (data.verbosity !== undefined) state.verbosity = data.verbosity
  },
  'session.auto_mode_resolved': same,
  'session.mode_changed': (state, { agentId, data }) => {
    if (agentId === undefined) state.mode = data.newMode
  },
  'session.mode_notice_delivered': same,
  'session.session_limits_changed': (state, { data }) => applyLimits(state, data.sessionLimits),
  'session.permissions_changed': same,
  'session.autopilot_objective_changed': same,
  'session.schedule_created': (state, event) => {
    const schedules = scheduled(state.schedules, event)
    if (schedules !== undefined) state.schedules = schedules
  },
  'session.schedule_cancelled': (state, { data }) => {
    if (state.schedules !== undefined) state.schedules = cancelled(state.schedules, data.id)
  },
  'session.schedule_rearmed': (state, { data: { id, nextRunAt } }) => {
    if (state.schedules !== undefined && Number.isFinite(nextRunAt))
      state.schedules = rearmed(state.schedules, id, nextRunAt)
  },

  'session.compaction_start': (state, { id, timestamp }, { start }) => {
    state.lists.compacting = { eventId: id, at: timestamp, start, messages: state.messageCount }
  },
  'session.compaction_complete': compactionComplete,
  'session.truncation': same,
  'session.context_cleared': (state, _event, { start }) => {
    state.contextFrom = start
    state.lists.compacting = undefined
  },
  'session.usage_record': (state, { agentId, data, timestamp }) => {
    const { usage, reprise } = data
    const meter = meterAt(state, timestamp)
    if (reprise?.purpose === undefined) meter.record(agentId, usage.model, amountsOf(data))
    else meter.beside(usage.model, amountsOf(data))
    if (reprise?.title !== undefined) state.title = reprise.title
  },
  'session.plan_changed': (state, { data }, { start }) => {
    state.plan = data.operation === 'delete' ? 'none' : 'present'
    state.planChangedAt = start
  },
  'session.workspace_file_changed': (state, { data: { path } }, { start }) => {
    const files = state.lists.workspaceFiles
    if (!files.has(path)) files.set(path, { path, start })
  },
  'session.binary_asset': same,
  'session.canvas.recorded': (state, { data }) => {
    state.canvases = recorded(state.canvases, data)
  },
  'session.canvas.removed': (state, { data: { instanceId } }) => {
    if (state.canvases !== undefined) state.canvases = without(state.canvases, instanceId)
  },

  'session.fusion_route_failed': same,
  'session.fusion_resolved': same,
  'session.fusion_handoff': same,
  'session.fusion_commit_started': same,
  'session.fusion_completed': same,
  'assistant.fusion_phase_completed': same,
  'assistant.fusion_phase_failed': same,

  'user.message': userMessage,
  'system.message': (state, { agentId }, { start, end }) => {
    if (agentId === undefined) state.systemMessage = { start, end }
  },
  'system.notification': same,
  abort: (state) => {
    state.abortCount++
  },

  'assistant.turn_start': (state, { agentId, data, timestamp }) => {
    const turn: OpenTurn = { turnId: data.turnId, ...defined({ agentId }) }
    state.lists.openTurns.set(turnKey(turn), turn)
    meterAt(state, timestamp).callStarted(agentId)
  },
  'assistant.message': assistantMessage,
  'assistant.reasoning': same,
  'assistant.turn_end': (state, event) => {
    const { agentId, data, timestamp } = event
    tasks.roundEnded(state.lists.tasks, event)
    state.lists.openTurns.delete(turnKey({ turnId: data.turnId, agentId }))
    meterAt(state, timestamp).callEnded(agentId)
  },

  'tool.user_requested': (state, event, place) => {
    announce(state, event, event.data.toolCallId, event.data.toolName, place)
  },
  'tool.execution_start': (state, event, place) => {
    announce(state, event, event.data.toolCallId, event.data.toolName, place)
  },
  'tool.execution_complete': (state, { data }) => {
    state.lists.pendingTools.delete(data.toolCallId)
    tasks.callEnded(state.lists.tasks, data.toolCallId)
  },
  'external_tool.requested': (state, event, place) => {
    announce(state, event, event.data.toolCallId, event.data.toolName, place)
  },
  'tool_search.activated': same,

  'permission.requested': permissionRequested,
  'permission.completed': (state, { data }) => {
    state.lists.openRequests.delete(data.requestId)
  },
  'permission.carriedForward': (state, { data }) => {
    state.lists.openRequests.delete(data.requestId)
  },
  'permission.messageAuthorization': same,
  'permission.messageAuthorizationRead': same,
  'permission.messageAuthorizationDegraded': same,
  'permission.assentDetected': same,
  'permission.contextualAuthorization': same,

  'hook.start': same,
  'hook.end': same,

  'skill.invoked': (state, { data }) => invokeSkill(state, data),
  'skill.invoked_ref': (state, { data }) => invokeSkill(state, data),
  'skill.context_delivered': same,
  'skill.context_delivered_ref': same,

  'subagent.started': (state, event, place) => tasks.started(state.lists.tasks, event, place),
  'subagent.configured': same,
  'subagent.completed': (state, event) => tasks.ended(state.lists.tasks, event),
  'subagent.failed': (state, event) => tasks.ended(state.lists.tasks, event),
  'subagent.selected': (state, { agentId, data }) => {
    if (agentId === undefined) state.agentName = data.agentName
  },
  'subagent.deselected': (state, { agentId }) => {
    if (agentId === undefined) delete state.agentName
  },
}

/** A completion without its start changes nothing: it is not known what the summary stands for. */
function compactionComplete(
  state: Accumulator,
  { id, timestamp, data }: EventOf<'session.compaction_complete'>,
  { start }: ByteRange,
): void {
  const { lists } = state
  if (data.success && Number.isSafeInteger(data.checkpointNumber)) {
    lists.checkpoints.push({
      number: data.checkpointNumber as number,
      ...defined({ path: data.checkpointPath }),
      eventId: id,
      start,
      at: timestamp,
    })
  }
  if (lists.compacting !== undefined && compactionSummary(data) !== undefined) {
    state.contextFrom = lists.compacting.start
  }
  lists.compacting = undefined
}

function userMessage(state: Accumulator, event: EventOf<'user.message'>, place: ByteRange): void {
  const { start } = place
  tasks.asked(state.lists.tasks, event, place)
  if (isRoot(event)) {
    state.messageCount++
    state.taskDone = false
  }
  if (!startsTurn(event)) return
  const line = preview(event.data.content)
  state.titleHint ??= line
  state.lists.turns.push({
    index: state.lists.turns.length,
    eventId: event.id,
    start,
    at: event.timestamp,
    preview: line,
    eventsBefore: state.eventCount,
  })
}

function assistantMessage(
  state: Accumulator,
  event: EventOf<'assistant.message'>,
  place: ByteRange,
): void {
  const { toolRequests, outputTokens, model } = event.data
  tasks.said(state.lists.tasks, event, place)
  if (isRoot(event)) {
    state.messageCount++
    state.taskDone = false
  }
  for (const request of toolRequests ?? []) {
    announce(state, event, request.toolCallId, request.name, place)
  }
  if (outputTokens === undefined) return
  meterAt(state, event.timestamp).message(
    event.agentId,
    model ?? state.model ?? 'unknown',
    outputTokens,
  )
}

/** The first word of a call is its place: announced by the model, it is not announced again by its start. */
function announce(
  state: Accumulator,
  event: { readonly agentId?: string; readonly data: object },
  toolCallId: string,
  toolName: string,
  { start }: ByteRange,
): void {
  if (state.lists.pendingTools.has(toolCallId)) return
  const { parentToolCallId } = event.data as { readonly parentToolCallId?: string }
  const tool: PendingTool = {
    toolCallId,
    toolName,
    start,
    ...defined({ agentId: event.agentId, parentToolCallId }),
  }
  state.lists.pendingTools.set(toolCallId, tool)
}

function permissionRequested(
  state: Accumulator,
  event: EventOf<'permission.requested'>,
  { start }: ByteRange,
): void {
  const { requestId, permissionRequest, resolvedByHook } = event.data
  // A hook has answered already; no completion follows.
  if (resolvedByHook === true) return
  const { kind, toolCallId } = permissionRequest
  const request: OpenRequest = {
    requestId,
    kind,
    start,
    ...(typeof toolCallId === 'string' && { toolCallId }),
    ...defined({ agentId: event.agentId }),
  }
  state.lists.openRequests.set(requestId, request)
}

function invokeSkill(
  state: Accumulator,
  { name, path }: Payload<'skill.invoked_ref' | 'skill.invoked'>,
) {
  const skill = { name, path }
  state.lists.skills.set(skillKey(skill), skill)
}
