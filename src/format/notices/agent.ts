/** What is told while the agent works: text as it grows, calls of the model, tools on their way. */
import { z } from 'zod'
import {
  flag,
  integer,
  maybeAnything,
  maybeFlag,
  maybeInteger,
  maybeNumber,
  maybeText,
  number,
  openEnum,
  optional,
  opaque,
  payload,
  text,
} from '../define.ts'
import { toolRequestType } from '../events/assistant.ts'
import { fusion } from '../events/fusion.ts'
import { reasoningSummary } from '../events/session-lifecycle.ts'

const transport = optional(openEnum('http', 'websocket'))
const apiEndpoint = optional(
  openEnum('/chat/completions', '/v1/messages', '/responses', 'ws:/responses'),
)

/** How one call of a model was made. */
const modelCall = {
  apiCallId: maybeText,
  apiEndpoint,
  providerCallId: maybeText,
  serviceRequestId: maybeText,
  initiator: maybeText,
  interactionType: maybeText,
  isAuto: maybeFlag,
  isByok: maybeFlag,
  maxOutputTokens: maybeInteger,
  maxPromptTokens: maybeInteger,
  reasoningEffort: maybeText,
  rte: maybeFlag,
  transport,
  fusion,
}

export const agentNotices = {
  'assistant.message_start': payload('A message of the model begins.', {
    messageId: text,
    phase: maybeText,
  }),
  'assistant.message_delta': payload('The next piece of a message.', {
    messageId: text,
    deltaContent: text,
    parentToolCallId: maybeText,
  }),
  'assistant.streaming_delta': payload('How much of the answer has come in.', {
    totalResponseSizeBytes: integer,
  }),
  'assistant.reasoning_delta': payload('The next piece of what the model thinks.', {
    reasoningId: text,
    deltaContent: text,
  }),
  'assistant.tool_call_delta': payload('The next piece of the arguments of a tool call.', {
    toolCallId: text,
    inputDelta: text,
    toolName: maybeText,
    toolType: toolRequestType,
  }),
  'assistant.intent': payload('What the agent is about to do, in a few words.', { intent: text }),
  'assistant.turn_retry': payload('A round of work is tried again.', {
    turnId: maybeText,
    model: maybeText,
    reason: maybeText,
    attempt: maybeInteger,
    mostAttempts: maybeInteger,
  }),
  'assistant.idle': payload('The agent has nothing left to do.', { aborted: maybeFlag }),
  'assistant.usage': payload('What one call of the model used.', {
    model: text,
    inputTokens: maybeInteger,
    outputTokens: maybeInteger,
    cacheReadTokens: maybeInteger,
    cacheWriteTokens: maybeInteger,
    reasoningTokens: maybeInteger,
    acceptedPredictionTokens: maybeInteger,
    rejectedPredictionTokens: maybeInteger,
    cost: maybeNumber,
    duration: maybeNumber,
    timeToFirstTokenMs: maybeNumber,
    outputTtftMs: maybeNumber,
    interTokenLatencyMs: maybeNumber,
    ...modelCall,
    reasoningSummary,
    parentToolCallId: maybeText,
    finishReason: maybeText,
    contentFilterTriggered: maybeFlag,
    cacheExpiresAt: maybeText,
    copilotUsage: maybeAnything,
  }),
  'assistant.server_tool_progress': opaque('A tool that runs with the model is on its way.'),
  'assistant.fusion_phase_started': opaque('One of several models begins its part.'),
  'assistant.fusion_phase_activity': opaque('One of several models is at work.'),
  'agent.interrupted': payload('The agent was stopped before it was done.', { reason: maybeText }),
  'model.call_start': payload('A call of the model begins.', {
    model: maybeText,
    turnId: maybeText,
    interactionId: maybeText,
    apiCallId: maybeText,
  }),
  'model.call_finished': payload('A call of the model is over.', {
    turnId: text,
    interactionId: maybeText,
    outcome: openEnum('success', 'error', 'cancelled', 'rejected'),
    dispatchDurationMs: number,
    editClassifierVersion: integer,
    containsBuiltInFileEditRequest: maybeFlag,
  }),
  'model.call_failure': payload('A call of the model failed; it may be tried again.', {
    source: openEnum('top_level', 'subagent', 'mcp_sampling'),
    model: maybeText,
    statusCode: maybeInteger,
    errorCode: maybeText,
    errorMessage: maybeText,
    errorType: maybeText,
    failureKind: optional(openEnum('api', 'transport')),
    badRequestKind: optional(openEnum('bodyless', 'structured_error')),
    durationMs: maybeNumber,
    ...modelCall,
    requestFingerprint: maybeAnything,
  }),
  prompt_cache_break: opaque('The cached beginning of the prompt could not be used again.'),
  'tool.execution_partial_result': payload('The next piece of the output of a tool.', {
    toolCallId: text,
    partialOutput: text,
  }),
  'tool.execution_progress': payload('How far a tool has come, in words.', {
    toolCallId: text,
    progressMessage: text,
  }),
  'mcp_app.tool_call_complete': payload('A tool that a panel called is done.', {
    serverName: text,
    toolName: text,
    success: flag,
    durationMs: number,
    arguments: maybeAnything,
    result: maybeAnything,
    error: optional(z.object({ message: text })),
    toolMeta: maybeAnything,
  }),
  'sandbox.decision': opaque('The sandbox let something pass, or did not.'),
  'hook.progress': payload('What a hook payload while it runs.', {
    message: text,
    temporary: maybeFlag,
  }),
} as const
