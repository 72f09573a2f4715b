/** How a session begins, goes on elsewhere and ends, and what it was told on the way. */
import { z } from 'zod'
import {
  flag,
  integer,
  maybeAnything,
  maybeFields,
  maybeFlag,
  maybeInteger,
  maybeNumber,
  maybeText,
  maybeTexts,
  number,
  openEnum,
  optional,
  payload,
  text,
  texts,
} from '../define.ts'

const projectContext = {
  cwd: text,
  gitRoot: maybeText,
  repository: maybeText,
  hostType: optional(openEnum('github', 'ado')),
  repositoryHost: maybeText,
  branch: maybeText,
  headCommit: maybeText,
  baseCommit: maybeText,
  pendingGitContext: maybeFlag,
}

const WorkingDirectoryContext = z.object(projectContext)
export type WorkingDirectoryContext = z.output<typeof WorkingDirectoryContext>

export const SessionLimits = z.object({ maxAiCredits: maybeNumber })

export const reasoningSummary = optional(openEnum('none', 'concise', 'detailed'))
export const verbosity = optional(openEnum('low', 'medium', 'high'))
export const contextTier = optional(openEnum('default', 'long_context').nullable())
export const autoTier = openEnum('efficiency', 'balance', 'intelligence', 'fast')

/** Which agent answers from here on, by its name. */
const answering = optional(z.object({ agent: maybeText }))

/**
 * `switched`: an instruction file or a skill that counts, or does not, from here on. `option`: one of the agent's own, as
 * a person chose it. `context`: an event whose words the model is not given from here on, or is given again: where they
 * stood, or as the text that is here.
 */
const remark = optional(
  z.object({
    agent: maybeText,
    option: optional(z.object({ id: text, value: z.union([text, flag]) })),
    switched: optional(
      z.object({ kind: openEnum('instructions', 'skills'), name: text, isOn: flag }),
    ),
    context: optional(z.object({ omitted: maybeText, restored: maybeText, text: maybeText })),
    title: maybeText,
  }),
)

const modelSettings = {
  selectedModel: maybeText,
  reasoningEffort: maybeText,
  reasoningSummary,
  verbosity,
  contextTier,
  autoTier: optional(autoTier),
}

export const remediation = optional(
  openEnum(
    'sign_in',
    'switch_account',
    'show_account',
    'review_sandbox_policy',
    'allow_sandbox_outbound',
  ),
)

const HandoffRepository = z.object({ owner: text, name: text, branch: maybeText })

const ModelMetrics = z.object({
  requests: z.object({ count: maybeInteger, cost: maybeNumber }),
  usage: z.object({
    inputTokens: integer,
    outputTokens: integer,
    cacheReadTokens: integer,
    cacheWriteTokens: integer,
    reasoningTokens: maybeInteger,
  }),
  totalNanoAiu: maybeNumber,
  tokenDetails: maybeFields,
})

const ShutdownCodeChanges = z.object({
  linesAdded: integer,
  linesRemoved: integer,
  filesModified: texts,
})

export const sessionErrorData = payload('Something failed, and the session went on or stopped.', {
  errorType: text,
  errorCode: maybeText,
  eligibleForAutoSwitch: maybeFlag,
  message: text,
  remediation,
  stack: maybeText,
  statusCode: maybeInteger,
  providerCallId: maybeText,
  serviceRequestId: maybeText,
  url: maybeText,
})

export const lifecycleEvents = {
  'session.start': payload('The first event of every log: who began the session, when and where.', {
    sessionId: text,
    version: integer,
    producer: text,
    copilotVersion: text,
    startTime: text,
    ...modelSettings,
    sessionLimits: optional(SessionLimits),
    context: optional(WorkingDirectoryContext),
    githubMcpToolConfig: optional(
      z.object({
        enableAllTools: maybeFlag,
        enableInsidersMode: maybeFlag,
        additionalTools: maybeTexts,
        additionalToolsets: maybeTexts,
      }),
    ),
    alreadyInUse: maybeFlag,
    remoteSteerable: maybeFlag,
    detachedFromSpawningParentSessionId: maybeText,
    reprise: answering,
  }),
  'session.resume': payload('A process opened the session again to go on with it.', {
    resumeTime: text,
    eventCount: integer,
    eventsFileSizeBytes: maybeInteger,
    ...modelSettings,
    sessionLimits: optional(SessionLimits.nullable()),
    context: optional(WorkingDirectoryContext),
    alreadyInUse: maybeFlag,
    sessionWasActive: maybeFlag,
    remoteSteerable: maybeFlag,
    continuePendingWork: maybeFlag,
    reprise: answering,
  }),
  'session.shutdown': payload('A process let go of the session, with the sums of what was used.', {
    shutdownType: openEnum('routine', 'error'),
    errorReason: maybeText,
    totalPremiumRequests: maybeNumber,
    totalNanoAiu: maybeNumber,
    tokenDetails: maybeFields,
    totalApiDurationMs: integer,
    sessionStartTime: integer,
    eventsFileSizeBytes: maybeInteger,
    codeChanges: ShutdownCodeChanges,
    modelMetrics: z.record(z.string(), ModelMetrics),
    providerModelMetrics: maybeAnything,
    agentMetrics: maybeFields,
    accountingSnapshot: maybeFields,
    usageAccountingWatermarks: maybeFields,
    currentModel: maybeText,
    currentTokens: maybeInteger,
    systemTokens: maybeInteger,
    conversationTokens: maybeInteger,
    toolDefinitionsTokens: maybeInteger,
  }),
  'session.handoff': payload('The session came over from another machine or agent.', {
    handoffTime: text,
    sourceType: openEnum('remote', 'local'),
    repository: optional(HandoffRepository),
    context: maybeText,
    summary: maybeText,
    remoteSessionId: maybeText,
    host: maybeText,
  }),
  'session.remote_steerable_changed': payload(
    'The session may, or may no longer, be steered from afar.',
    {
      remoteSteerable: flag,
    },
  ),
  'session.context_changed': payload(
    'The project changed: another directory, branch or commit.',
    projectContext,
  ),
  'session.error': sessionErrorData,
  'session.warning': payload('Something that the user should know and may mend.', {
    warningType: text,
    message: text,
    url: maybeText,
    remediation,
  }),
  'session.info': payload('A plain remark, such as where a fork came from.', {
    infoType: text,
    message: text,
    url: maybeText,
    tip: maybeText,
    reprise: remark,
  }),
  'session.task_complete': payload(
    'The agent declared its task done, blocked or to be continued.',
    {
      summary: maybeText,
      success: maybeFlag,
      outcome: optional(openEnum('completed', 'continue', 'blocked')),
      reason: maybeText,
      objectiveId: maybeInteger,
    },
  ),
  'session.completion_receipt': payload('What ran between a request and its end, counted.', {
    schemaVersion: integer,
    attempt: integer,
    sourceEventId: text,
    eventRange: z.object({ startEventId: text, endEventId: text }),
    stopReason: openEnum('natural', 'terminal_tool', 'agent_stop_block_limit'),
    finalTool: optional(
      z.object({
        toolCallId: text,
        toolName: maybeText,
        status: openEnum('success', 'failure', 'timeout', 'rejected', 'denied'),
        exitCode: maybeInteger,
      }),
    ),
    successfulToolCount: integer,
    failedToolCount: integer,
  }),
  'session.usage_checkpoint': payload('The running total of what the session has cost.', {
    totalNanoAiu: number,
    totalPremiumRequests: maybeNumber,
    modelCacheState: optional(z.array(z.unknown())),
    promptCacheBreakState: optional(z.array(z.unknown())),
  }),
} as const
