/** What is said to the agent: by people, by the system around it, and the word to stop. */
import { z } from 'zod'
import { Actor, BlobReference } from '../blobs.ts'
import {
  integer,
  maybeAnything,
  maybeFields,
  maybeFlag,
  maybeInteger,
  maybeText,
  maybeTexts,
  number,
  oneOf,
  openEnum,
  optional,
  payload,
  text,
} from '../define.ts'
import { Attachment } from './attachment.ts'

const agent = {
  agentId: text,
  agentType: text,
  description: maybeText,
  displayName: maybeText,
}

const SystemNotification = oneOf('type', [
  z.object({
    type: z.literal('agent_completed'),
    ...agent,
    prompt: maybeText,
    status: openEnum('completed', 'failed'),
  }),
  z.object({ type: z.literal('agent_idle'), ...agent }),
  z.object({
    type: z.literal('new_inbox_message'),
    entryId: text,
    senderName: text,
    senderType: text,
    summary: text,
  }),
  z.object({
    type: z.literal('shell_completed'),
    shellId: text,
    exitCode: maybeInteger,
    description: maybeText,
  }),
  z.object({ type: z.literal('shell_detached_completed'), shellId: text, description: maybeText }),
  z.object({
    type: z.literal('instruction_discovered'),
    sourcePath: text,
    triggerFile: text,
    triggerTool: text,
    description: maybeText,
  }),
  z.object({
    type: z.literal('factory_completed'),
    runId: text,
    factoryName: text,
    attempt: integer,
    status: openEnum('completed', 'halted', 'paused', 'cancelled', 'error'),
    consumedNanoAiu: number,
    consumedSubagents: integer,
    elapsedMs: integer,
    failure: maybeAnything,
    pauseInfo: maybeAnything,
    resultPreview: maybeText,
    retryGuidance: maybeText,
  }),
  z.object({ type: z.literal('unclassified'), metadata: maybeAnything }),
])
export type SystemNotification = z.output<typeof SystemNotification>

export const userEvents = {
  'user.message': payload('What a person, or something speaking for one, asked of the agent.', {
    content: text,
    messageId: maybeText,
    transformedContent: maybeText,
    attachments: optional(z.array(Attachment)),
    supportedNativeDocumentMimeTypes: maybeTexts,
    nativeDocumentPathFallbackPaths: maybeTexts,
    source: maybeText,
    delivery: optional(openEnum('idle', 'steering', 'queued')),
    agentMode: optional(openEnum('interactive', 'plan', 'autopilot', 'shell')),
    isAutopilotContinuation: maybeFlag,
    interactionId: maybeText,
    turnId: maybeText,
    parentAgentTaskId: maybeText,
    /** `actor`: who sent it, when that was not the person at the process that took it. */
    reprise: optional(
      z.object({ blobs: optional(z.array(BlobReference)), actor: optional(Actor) }),
    ),
  }),
  'system.message': payload('The instructions that the model works under from here on.', {
    content: text,
    contentBlocks: optional(z.array(z.object({ content: text, isStatic: maybeFlag }))),
    interactionId: maybeText,
    role: openEnum('system', 'developer'),
    name: maybeText,
    metadata: optional(z.object({ promptVersion: maybeText, variables: maybeFields })),
  }),
  'system.notification': payload('The agent was told of something that happened around it.', {
    content: text,
    kind: SystemNotification,
  }),
  abort: payload('The turn was stopped before its end.', {
    reason: openEnum('user_initiated', 'remote_command', 'user_abort', 'autopilot_credit_limit'),
  }),
} as const
