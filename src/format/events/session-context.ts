/** What the model is given and what lies in the session's own folder: compaction, plan, files, assets. */
import { z } from 'zod'
import { BlobReference, reprise } from '../blobs.ts'
import {
  flag,
  integer,
  maybeAnything,
  maybeFields,
  maybeFlag,
  maybeInteger,
  maybeNumber,
  maybeText,
  openEnum,
  optional,
  payload,
  text,
} from '../define.ts'

const trigger = optional(
  openEnum('threshold', 'context_limit_retry', 'manual', 'memory_pressure', 'model_switch'),
)

const contextTokens = {
  systemTokens: maybeInteger,
  conversationTokens: maybeInteger,
  toolDefinitionsTokens: maybeInteger,
  tokenLimit: maybeInteger,
}

const CompactionTokensUsed = z.object({
  requestCount: maybeInteger,
  modelDisplayName: maybeText,
  aiCreditsStatus: maybeText,
  inputTokens: maybeInteger,
  outputTokens: maybeInteger,
  cacheReadTokens: maybeInteger,
  cacheWriteTokens: maybeInteger,
  duration: maybeInteger,
  model: maybeText,
  copilotUsage: maybeAnything,
})

/** `model` is all that the Copilot CLI insists on; it refuses a session with fractions of tokens. */
const CallUsage = z.object({
  model: text,
  modelDisplayName: maybeText,
  inputTokens: maybeInteger,
  outputTokens: maybeInteger,
  cacheReadTokens: maybeInteger,
  cacheWriteTokens: maybeInteger,
  cacheDetailsReported: maybeFlag,
  cacheExpiresAt: maybeText,
  reasoningTokens: maybeInteger,
  acceptedPredictionTokens: maybeInteger,
  rejectedPredictionTokens: maybeInteger,
  maxPromptTokens: maybeInteger,
  maxOutputTokens: maybeInteger,
  cost: maybeNumber,
  copilotUsage: maybeAnything,
  aiCreditsStatus: maybeText,
  accounting: optional(z.object({ sourceSessionId: text, sequence: integer, usageId: text })),
  duration: maybeNumber,
  timeToFirstTokenMs: maybeNumber,
  outputTtftMs: maybeNumber,
  interTokenLatencyMs: maybeNumber,
  initiator: maybeText,
  interactionType: maybeText,
  finishReason: maybeText,
  contentFilterTriggered: maybeFlag,
  reasoningEffort: maybeText,
  reasoningSummary: maybeText,
  isAuto: maybeFlag,
  isByok: maybeFlag,
  byokKind: maybeText,
  modelProvider: maybeText,
  providerType: maybeText,
  apiCallId: maybeText,
  providerCallId: maybeText,
  serviceRequestId: maybeText,
  apiEndpoint: maybeText,
  transport: maybeText,
  requestBodyBytes: maybeInteger,
  requestBodyWireBytes: maybeInteger,
  requestBodyEncoding: maybeText,
  parentToolCallId: maybeText,
  rte: maybeFlag,
  availableToolCount: maybeInteger,
  toolTokenCount: maybeInteger,
  numToolCalls: maybeInteger,
  toolCounts: maybeFields,
  customToolCallCount: maybeInteger,
  unmatchedToolResultCount: maybeInteger,
  orphanToolCallCount: maybeInteger,
  frontierSource: maybeText,
  fusion: maybeAnything,
})

const canvas = { instanceId: text, extensionId: text, canvasId: text }

export const contextEvents = {
  'session.compaction_start': payload('The conversation is about to be replaced by its summary.', {
    model: maybeText,
    ...contextTokens,
    currentTokens: maybeInteger,
    trigger,
    compactionAttemptId: maybeText,
  }),
  'session.compaction_complete': payload(
    'The summary stands for what was said before, or it failed.',
    {
      success: flag,
      outcome: maybeText,
      compactionAttemptId: maybeText,
      error: maybeText,
      statusCode: maybeInteger,
      trigger,
      preCompactionTokens: maybeInteger,
      postCompactionTokens: maybeInteger,
      preCompactionMessagesLength: maybeInteger,
      messagesRemoved: maybeInteger,
      tokensRemoved: maybeInteger,
      tokenAccountingBasis: maybeText,
      customInstructions: maybeText,
      summaryContent: maybeText,
      activeFactorySummary: maybeText,
      behaviorModelId: maybeText,
      checkpointNumber: maybeInteger,
      checkpointPath: maybeText,
      compactionTokensUsed: optional(CompactionTokensUsed),
      requestId: maybeText,
      serviceRequestId: maybeText,
      ...contextTokens,
    },
  ),
  'session.truncation': payload(
    'Old messages were dropped from the model context to make it fit.',
    {
      tokenLimit: integer,
      preTruncationTokensInMessages: integer,
      preTruncationMessagesLength: integer,
      postTruncationTokensInMessages: integer,
      postTruncationMessagesLength: integer,
      tokensRemovedDuringTruncation: integer,
      messagesRemovedDuringTruncation: integer,
      performedBy: text,
    },
  ),
  'session.context_cleared': payload(
    'The model context starts anew; the log keeps what was said.',
    {
      initialMessage: maybeText,
      messagesCleared: integer,
    },
  ),
  'session.usage_record': payload('What one call of a model used.', {
    usage: CallUsage,
    /**
     * `tools`: how the model was told of its tools, kept beside the log. `purpose`: it was asked beside the conversation,
     * as for the `title` of the session that it gave.
     */
    reprise: optional(
      z.object({
        requestSha256: maybeText,
        dollars: maybeNumber,
        tools: maybeText,
        purpose: optional(openEnum('title')),
        title: maybeText,
        blobs: optional(z.array(BlobReference)),
      }),
    ),
  }),
  'session.plan_changed': payload('The plan of the session was written, changed or removed.', {
    operation: openEnum('create', 'update', 'delete'),
  }),
  'session.workspace_file_changed': payload('A file in the folder of the session was written.', {
    path: text,
    operation: openEnum('create', 'update'),
  }),
  'session.binary_asset': payload('Bytes that other events name by their asset id.', {
    assetId: text,
    type: openEnum('image', 'resource'),
    mimeType: text,
    byteLength: integer,
    data: text,
    description: maybeText,
    metadata: maybeFields,
    reprise,
  }),
  'session.canvas.recorded': payload('A panel of an extension belongs to the session.', {
    ...canvas,
    title: maybeText,
    input: maybeAnything,
  }),
  'session.canvas.removed': payload(
    'A panel of an extension no longer belongs to the session.',
    canvas,
  ),
} as const
