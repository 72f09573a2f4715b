/** What the agent may be allowed to do: the request, one shape for each kind of deed. */
import { z } from 'zod'
import { flag, maybeAnything, maybeFlag, maybeInteger, maybeNumber } from '../define.ts'
import { maybeText, oneOf, openEnum, optional, text, texts } from '../define.ts'

const call = { toolCallId: maybeText }
const deed = { ...call, intention: text, managedApprovalRequired: maybeFlag }
const sandbox = { requestSandboxBypass: maybeFlag, requestSandboxBypassReason: maybeText }

const commandSegment = z.object({
  fullCommandText: text,
  identifier: text,
  allowMatchIdentifier: optional(text.nullable()),
  staticTokens: maybeAnything,
  hasUnboundExecutableContent: maybeFlag,
  workingDirectory: optional(text.nullable()),
})

export const PermissionRequest = oneOf('kind', [
  z.object({
    kind: z.literal('shell'),
    ...deed,
    ...sandbox,
    fullCommandText: text,
    commands: z.array(z.object({ identifier: text, readOnly: flag })),
    commandSegments: optional(z.array(commandSegment)),
    shellType: maybeText,
    possiblePaths: texts,
    possibleUrls: z.array(z.object({ url: text })),
    hasWriteFileRedirection: flag,
    canOfferSessionApproval: flag,
    requestSandboxPermissive: maybeFlag,
    resolvedPaths: optional(z.record(z.string(), text)),
    resolvedWorkingDirectory: maybeText,
    warning: maybeText,
  }),
  z.object({
    kind: z.literal('write'),
    ...deed,
    ...sandbox,
    fileName: text,
    diff: text,
    newFileContents: maybeText,
    resolvedPath: maybeText,
    canOfferSessionApproval: flag,
  }),
  z.object({
    kind: z.literal('read'),
    ...deed,
    ...sandbox,
    path: text,
    resolvedPath: maybeText,
  }),
  z.object({
    kind: z.literal('url'),
    ...deed,
    ...sandbox,
    url: text,
    redirectedFrom: maybeText,
  }),
  z.object({
    kind: z.literal('mcp'),
    ...call,
    serverName: text,
    toolName: text,
    toolTitle: text,
    args: maybeAnything,
    readOnly: flag,
    permissionRecommendation: optional(openEnum('approve')),
  }),
  z.object({
    kind: z.literal('memory'),
    ...call,
    fact: text,
    action: optional(openEnum('store', 'vote')),
    direction: optional(openEnum('upvote', 'downvote')),
    scope: optional(openEnum('repository', 'user')),
    subject: maybeText,
    reason: maybeText,
    repoNwo: maybeText,
    citations: maybeText,
    assistedApproval: maybeAnything,
  }),
  z.object({
    kind: z.literal('custom-tool'),
    ...call,
    toolName: text,
    toolDescription: text,
    args: maybeAnything,
    skipPermission: maybeFlag,
  }),
  z.object({
    kind: z.literal('hook'),
    ...call,
    toolName: text,
    toolArgs: maybeAnything,
    hookMessage: maybeText,
  }),
  z.object({
    kind: z.literal('extension-management'),
    ...call,
    operation: text,
    extensionName: maybeText,
  }),
  z.object({
    kind: z.literal('factory'),
    ...call,
    name: text,
    description: text,
    operation: openEnum('run', 'author'),
    approvalKey: text,
    canPersistApproval: flag,
    phases: z.array(z.object({ title: text, detail: maybeText })),
    maxAiCredits: maybeNumber,
    maxConcurrentSubagents: maybeInteger,
    maxTotalSubagents: maybeInteger,
    timeoutSeconds: maybeNumber,
    declaredMaxAiCredits: maybeNumber,
    declaredMaxConcurrentSubagents: maybeInteger,
    declaredMaxTotalSubagents: maybeInteger,
    declaredTimeoutSeconds: maybeNumber,
  }),
  z.object({
    kind: z.literal('extension-permission-access'),
    ...call,
    extensionName: text,
    capabilities: texts,
  }),
  z.object({
    kind: z.literal('extension-env-access'),
    ...call,
    extensionName: text,
    environmentVariables: texts,
  }),
])
export type PermissionRequest = z.output<typeof PermissionRequest>
