/** What people are shown of each event. */
import type { Actor } from '../format/blobs.ts'
import type { Event, EventOf, Payload } from '../format/event.ts'
import { defined } from '../lib/defined.ts'
import { picturesOf, withBlobs, type Attachment } from './attachments.ts'
import { exitCodeOf } from './exit-code.ts'
import { modelText, outcomeText } from './outcome-text.ts'
import type { Rules } from './positioned-event.ts'
import type { Picture } from './transcript.ts'
import type { TranscriptDraft } from './transcript-draft.ts'
import { wentOnBy } from './turns.ts'

const unseen = () => {}

export const transcriptRules: Rules<TranscriptDraft> = {
  'session.start': unseen,
  'session.resume': (draft, event) => {
    draft.add(event, { kind: 'resume', eventCount: event.data.eventCount })
  },
  'session.shutdown': (draft, event) => {
    const { shutdownType, errorReason } = event.data
    draft.add(event, {
      kind: 'shutdown',
      shutdownType,
      ...defined({ reason: errorReason }),
    })
  },
  'session.handoff': (draft, event) => {
    const { sourceType, remoteSessionId, summary, context } = event.data
    draft.add(event, {
      kind: 'handoff',
      sourceType,
      ...defined({ from: remoteSessionId }),
      text: [summary, context].filter((part) => part !== undefined).join('\n\n'),
    })
  },
  'session.remote_steerable_changed': (draft, event) => {
    const text = event.data.remoteSteerable
      ? 'May be steered from afar'
      : 'No longer steered from afar'
    draft.add(event, { kind: 'info', topic: 'remote', text })
  },
  'session.context_changed': (draft, event) => {
    const { cwd, branch } = event.data
    const text = branch === undefined ? cwd : `${cwd} on ${branch}`
    draft.add(event, { kind: 'info', topic: 'project', text })
  },
  'session.error': (draft, event) => {
    draft.add(event, { kind: 'error', topic: event.data.errorType, text: event.data.message })
  },
  'session.warning': (draft, event) => {
    draft.add(event, { kind: 'warning', topic: event.data.warningType, text: event.data.message })
  },
  'session.info': (draft, event) => {
    // It is the name that stands above everything.
    if (event.data.reprise?.title !== undefined) return
    draft.add(event, { kind: 'info', topic: event.data.infoType, text: event.data.message })
  },
  'session.task_complete': (draft, event) => {
    const { summary, outcome, success } = event.data
    const text = summary ?? outcome ?? (success === false ? 'Not completed' : 'Completed')
    draft.add(event, { kind: 'info', topic: 'task', text })
  },
  'session.completion_receipt': unseen,
  'session.usage_checkpoint': unseen,

  'session.model_change': (draft, event) => {
    const { newModel, reasoningEffort } = event.data
    draft.add(event, {
      kind: 'model',
      model: newModel,
      ...(typeof reasoningEffort === 'string' && { effort: reasoningEffort }),
    })
  },
  'session.auto_mode_resolved': unseen,
  'session.mode_changed': (draft, event) => {
    draft.add(event, { kind: 'mode', mode: event.data.newMode })
  },
  'session.mode_notice_delivered': unseen,
  'session.session_limits_changed': unseen,
  'session.permissions_changed': (draft, event) => {
    if (event.data.mode === undefined) return
    draft.add(event, { kind: 'info', topic: 'permissions', text: event.data.mode })
  },
  'session.autopilot_objective_changed': unseen,
  'session.schedule_created': (draft, event) => {
    const text = event.data.displayPrompt ?? event.data.prompt
    draft.add(event, { kind: 'info', topic: 'schedule', text })
  },
  'session.schedule_cancelled': unseen,
  'session.schedule_rearmed': unseen,

  'session.compaction_start': (draft, event) => {
    draft.add(event, { kind: 'compaction', status: 'running' })
  },
  'session.compaction_complete': compactionComplete,
  'session.truncation': (draft, event) => {
    const text = `${event.data.messagesRemovedDuringTruncation} old messages were left out`
    draft.add(event, { kind: 'info', topic: 'truncation', text })
  },
  'session.context_cleared': (draft, event) => {
    draft.add(event, { kind: 'info', topic: 'context', text: 'The model context was cleared' })
  },
  'session.usage_record': unseen,
  'session.plan_changed': (draft, event) => {
    draft.add(event, { kind: 'plan', operation: event.data.operation })
  },
  'session.workspace_file_changed': (draft, event) => {
    const { path, operation } = event.data
    draft.add(event, { kind: 'file', path, operation })
  },
  'session.binary_asset': unseen,
  'session.canvas.recorded': unseen,
  'session.canvas.removed': unseen,

  'session.fusion_route_failed': unseen,
  'session.fusion_resolved': unseen,
  'session.fusion_handoff': unseen,
  'session.fusion_commit_started': unseen,
  'session.fusion_completed': unseen,
  'assistant.fusion_phase_completed': unseen,
  'assistant.fusion_phase_failed': unseen,

  'user.message': (draft, event) => {
    const { content, attachments = [], delivery, reprise } = event.data
    const by = wentOnBy(event)
    if (by !== undefined) return draft.add(event, { kind: 'continuation', by, text: content })
    draft.add(event, {
      kind: 'user',
      text: content,
      attachments: attachments.map(nameOf),
      isSteering: delivery === 'steering',
      ...picturesIn(withBlobs(attachments, reprise)),
      ...byOf(reprise?.actor),
    })
  },
  'system.message': unseen,
  'system.notification': (draft, event) => {
    draft.add(event, { kind: 'info', topic: event.data.kind.type, text: event.data.content })
  },
  abort: (draft, event) => draft.add(event, { kind: 'abort', reason: event.data.reason }),

  'assistant.turn_start': unseen,
  'assistant.turn_end': unseen,
  'assistant.reasoning': (draft, event) => {
    addThought(draft, event, event.data.content)
  },
  'assistant.message': assistantMessage,

  'tool.user_requested': (draft, event) => {
    const { toolCallId, toolName } = event.data
    addTool(draft, event, toolCallId, toolName, event.data.arguments, { isUserRequested: true })
  },
  'tool.execution_start': (draft, event) => {
    const { toolCallId, toolName } = event.data
    const known = draft.change('tool', toolCallId, (entry) => ({
      status: 'running',
      arguments: event.data.arguments ?? entry.arguments,
    }))
    if (known) return
    addTool(draft, event, toolCallId, toolName, event.data.arguments, { isUserRequested: false })
    draft.change('tool', toolCallId, () => ({ status: 'running' }))
  },
  'tool.execution_complete': toolComplete,
  'tool_search.activated': unseen,
  'external_tool.requested': (draft, event) => {
    const { toolCallId, toolName } = event.data
    if (draft.change('tool', toolCallId, () => ({ status: 'running' }))) return
    addTool(draft, event, toolCallId, toolName, event.data.arguments, { isUserRequested: false })
  },

  'permission.requested': (draft, event) => {
    const { requestId, permissionRequest, resolvedByHook } = event.data
    const intention = 'intention' in permissionRequest ? permissionRequest.intention : undefined
    const { toolCallId } = permissionRequest
    draft.add(event, {
      kind: 'permission',
      requestId,
      what: deedOf(permissionRequest),
      ...(typeof intention === 'string' && { intention }),
      ...(typeof toolCallId === 'string' && { toolCallId }),
      ...(resolvedByHook === true && { decision: 'decided by a hook' }),
    })
  },
  'permission.completed': (draft, event) => {
    const { requestId, result } = event.data
    const by = defined({ decidedBy: deciderOf(event.data) })
    draft.change('permission', requestId, () => ({ decision: result.kind, ...by }))
  },
  'permission.carriedForward': (draft, event) => {
    draft.change('permission', event.data.requestId, () => ({ decision: 'carried forward' }))
  },
  'permission.messageAuthorization': unseen,
  'permission.messageAuthorizationRead': unseen,
  'permission.messageAuthorizationDegraded': unseen,
  'permission.assentDetected': unseen,
  'permission.contextualAuthorization': unseen,

  'hook.start': (draft, event) => {
    const { hookInvocationId, hookType } = event.data
    draft.add(event, { kind: 'hook', hookInvocationId, hookType, status: 'running' })
  },
  'hook.end': (draft, event) => {
    const { hookInvocationId, success, error } = event.data
    draft.change('hook', hookInvocationId, () => ({
      status: success ? 'succeeded' : 'failed',
      ...defined({ error: error?.message }),
    }))
  },

  'skill.invoked': (draft, event) => {
    draft.add(event, { kind: 'skill', name: event.data.name, path: event.data.path })
  },
  'skill.invoked_ref': (draft, event) => {
    draft.add(event, { kind: 'skill', name: event.data.name, path: event.data.path })
  },
  'skill.context_delivered': unseen,
  'skill.context_delivered_ref': unseen,

  'subagent.started': (draft, event) => {
    const { toolCallId, agentDisplayName } = event.data
    draft.add(event, { kind: 'subagent', toolCallId, name: agentDisplayName, status: 'running' })
  },
  'subagent.configured': unseen,
  'subagent.completed': (draft, { data }) => {
    draft.change('subagent', data.toolCallId, () =>
      data.cancelled === true ? { status: 'failed', error: 'stopped' } : { status: 'succeeded' },
    )
  },
  'subagent.failed': (draft, { data }) => {
    draft.change('subagent', data.toolCallId, () => ({ status: 'failed', error: data.error }))
  },
  'subagent.selected': (draft, event) => {
    if (event.agentId !== undefined) return
    draft.add(event, { kind: 'info', topic: 'agent', text: event.data.agentDisplayName })
  },
  'subagent.deselected': (draft, event) => {
    if (event.agentId !== undefined) return
    draft.add(event, { kind: 'info', topic: 'agent', text: 'the usual agent' })
  },
}

function assistantMessage(draft: TranscriptDraft, event: EventOf<'assistant.message'>): void {
  const { content, model, reasoningText, toolRequests = [], reprise } = event.data
  if (reasoningText !== undefined) addThought(draft, event, reasoningText)
  if (content.trim() !== '') {
    const unfinished = reprise?.unfinished
    draft.add(event, { kind: 'assistant', text: content, ...defined({ model, unfinished }) })
  }
  for (const request of toolRequests) {
    addTool(draft, event, request.toolCallId, request.name, request.arguments, {
      isUserRequested: false,
      ...defined({ model }),
    })
  }
}

/** Some writers tell a thought by itself and again with the message that follows it. */
function addThought(draft: TranscriptDraft, event: Event, text: string): void {
  const { last } = draft
  if (text.trim() === '' || (last?.kind === 'thought' && last.text === text)) return
  draft.add(event, { kind: 'thought', text })
}

function addTool(
  draft: TranscriptDraft,
  event: Event,
  toolCallId: string,
  toolName: string,
  args: unknown,
  by: { readonly isUserRequested: boolean; readonly model?: string },
): void {
  draft.add(event, {
    kind: 'tool',
    toolCallId,
    toolName,
    arguments: args ?? {},
    status: 'announced',
    ...by,
  })
}

function toolComplete(draft: TranscriptDraft, event: EventOf<'tool.execution_complete'>): void {
  const { toolCallId, success, error, reprise } = event.data
  const output = outcomeText(event.data)
  const toldModel = modelText(event.data)
  draft.change('tool', toolCallId, (call) => {
    const exitCode = exitCodeOf(event.data, call)
    return {
      // A command that ended with another number than 0 did not succeed, whatever its tool says.
      status: success && (exitCode ?? 0) === 0 ? 'succeeded' : 'failed',
      ...defined({ output, failure: error?.code, unfinished: reprise?.unfinished }),
      ...(toldModel !== output && defined({ toldModel })),
      ...wholeOf(event),
      ...picturesIn(picturesOf(event.data)),
      ...defined({ exitCode }),
      endedAt: event.timestamp,
    }
  })
}

/** The text of a result may be kept beside the log, with its head and tail in the event. */
function wholeOf({ data }: EventOf<'tool.execution_complete'>) {
  const isReason =
    !data.success && data.error !== undefined && data.reprise?.unfinished === undefined
  const field = isReason ? 'error.message' : 'result.content'
  const blob = data.reprise?.blobs?.find((each) => each.field === field)
  return blob && { whole: { sha256: blob.sha256, byteLength: blob.byteLength } }
}

function compactionComplete(
  draft: TranscriptDraft,
  event: EventOf<'session.compaction_complete'>,
): void {
  const { success, error, checkpointNumber, summaryContent } = event.data
  const outcome = {
    kind: 'compaction',
    status: success ? 'succeeded' : 'failed',
    ...defined({ checkpoint: checkpointNumber, summary: summaryContent, error }),
  } as const
  if (!draft.change('compaction', 'running', () => outcome)) draft.add(event, outcome)
}

/** What people see as pictures; a drawing that may hold a program is not among them. */
function picturesIn(attachments: readonly Attachment[]): { pictures?: readonly Picture[] } {
  const pictures = attachments.flatMap((each): Picture[] => {
    if (each.type !== 'blob' || !PICTURE.test(each.mimeType)) return []
    const { displayName: name, mimeType, data, blob } = each
    const bytes = blob === undefined ? { data: data || undefined } : { sha256: blob.sha256 }
    return [{ mimeType, ...defined({ name, ...bytes }) }]
  })
  return pictures.length === 0 ? {} : { pictures }
}

const PICTURE = /^image\/(?:png|jpeg|gif|webp)$/

function nameOf(attachment: NonNullable<Payload<'user.message'>['attachments']>[number]): string {
  const { displayName, path, title, url } = attachment as Readonly<Record<string, unknown>>
  const name = [displayName, path, title, url].find((each) => typeof each === 'string')
  return typeof name === 'string' ? name : attachment.type
}

const byOf = (actor: Actor | undefined) =>
  actor === undefined
    ? {}
    : { by: { who: actor.who, from: actor.machine, ...defined({ name: actor.name }) } }

function deciderOf({
  reprise,
  decisionSource,
}: Payload<'permission.completed'>): string | undefined {
  const { reason = '', actor } = reprise ?? {}
  switch (reprise?.decidedBy) {
    case undefined:
      return decisionSource === undefined ? undefined : sources[decisionSource]
    case 'person':
      return actor === undefined ? 'a person' : (actor.name ?? actor.who)
    case 'rule':
      return `the rule ${reason}`
    case 'mode':
      return `the mode ${reason}`
    case 'grant':
      return `an earlier answer: ${reason}`
    case 'nobody':
      return reason === 'withdrawn' ? 'withdrawn' : 'nobody was there to ask'
    default:
      return 'the program'
  }
}

const sources: Readonly<Record<string, string>> = {
  human_response: 'a person',
  unattended_fallback: 'nobody was there to ask',
}

/** One line on what would be done, from whichever field the kind of request says it in. */
function deedOf(request: Payload<'permission.requested'>['permissionRequest']): string {
  const { fullCommandText, fileName, path, url, toolName, fact, name, extensionName } =
    request as Readonly<Record<string, unknown>>
  const object = [fullCommandText, fileName, path, url, toolName, fact, name, extensionName].find(
    (each) => typeof each === 'string',
  )
  return typeof object === 'string' ? `${request.kind}: ${object}` : request.kind
}
