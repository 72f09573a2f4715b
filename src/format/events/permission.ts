/** What the agent asked to be allowed, and what it was answered. */
import { z } from 'zod'
import { Actor } from '../blobs.ts'
import {
  integer,
  maybeAnything,
  maybeFields,
  maybeFlag,
  maybeText,
  maybeTexts,
  oneOf,
  openEnum,
  optional,
  payload,
  text,
} from '../define.ts'
import { PermissionRequest } from './permission-request.ts'
import { sessionMode } from './session-settings.ts'

const handled = { managedApprovalHandled: maybeFlag }

/** What else is allowed from now on by the same answer. */
const approval = z.looseObject({ kind: text })

const PermissionResult = oneOf('kind', [
  z.object({ kind: z.literal('approved'), ...handled }),
  z.object({ kind: z.literal('approved-for-session'), approval, ...handled }),
  z.object({
    kind: z.literal('approved-for-location'),
    approval,
    locationKey: text,
    ...handled,
  }),
  z.object({ kind: z.literal('cancelled'), reason: maybeText }),
  z.object({
    kind: z.literal('denied-by-rules'),
    rules: z.array(z.object({ kind: text, argument: text.nullable() })),
  }),
  z.object({ kind: z.literal('denied-no-approval-rule-and-could-not-request-from-user') }),
  z.object({
    kind: z.literal('denied-interactively-by-user'),
    feedback: maybeText,
    forceReject: maybeFlag,
  }),
  z.object({
    kind: z.literal('denied-by-content-exclusion-policy'),
    path: text,
    message: text,
  }),
  z.object({
    kind: z.literal('denied-by-permission-request-hook'),
    message: maybeText,
    interrupt: maybeFlag,
  }),
])
export type PermissionResult = z.output<typeof PermissionResult>

const decisionSource = openEnum(
  'assisted_approval',
  'human_response',
  'host_policy',
  'unattended_fallback',
  'authorization_carry_forward',
)

/** Where in which user message the words stand, counted in UTF-16 units. */
const span = {
  turnIndex: integer,
  polarity: openEnum('grant', 'denial'),
  spanStart: integer,
  spanEnd: integer,
}

export const permissionEvents = {
  'permission.requested': payload('The agent asks whether it may do something.', {
    requestId: text,
    permissionRequest: PermissionRequest,
    promptRequest: maybeFields,
    agentMode: optional(sessionMode),
    permissionMode: maybeText,
    ownerSessionId: maybeText,
    riskAssessment: maybeAnything,
    resolvedByHook: maybeFlag,
    /**
     * `always`: what an answer for the session would allow, in words; without it there is no such answer. `options`:
     * answers that the agent itself offers. `endsPlan`: it has a plan and asks to leave plan mode.
     */
    reprise: optional(
      z.object({
        always: maybeText,
        options: optional(z.array(z.object({ id: text, name: text, kind: text }))),
        endsPlan: maybeFlag,
      }),
    ),
  }),
  'permission.completed': payload('The answer to a permission request.', {
    requestId: text,
    toolCallId: maybeText,
    result: PermissionResult,
    decisionSource: optional(decisionSource),
    /** Who decided, and by which rule, mode or earlier answer; `granted`: what is allowed from now on. */
    reprise: optional(
      z.object({
        decidedBy: openEnum('person', 'rule', 'mode', 'grant', 'program', 'nobody'),
        reason: maybeText,
        actor: optional(Actor),
        granted: maybeText,
        /** The one of the agent's own answers that was chosen. */
        option: maybeText,
      }),
    ),
  }),
  'permission.carriedForward': payload('An earlier answer was taken for this request too.', {
    requestId: text,
    toolCallId: text,
    recordId: text,
    decisionSource,
  }),
  'permission.messageAuthorization': payload(
    'Words of a user message were read as an allowance or a refusal.',
    {
      recordId: text,
      ...span,
      actionClass: text,
      targetMembers: maybeTexts,
      task: maybeText,
      world: maybeAnything,
    },
  ),
  'permission.messageAuthorizationRead': payload(
    'A user message was searched for an allowance or a refusal.',
    {
      turnIndex: integer,
      activatesExtraction: maybeFlag,
    },
  ),
  'permission.messageAuthorizationDegraded': payload(
    'A user message could not be searched for an allowance.',
    {
      turnIndex: integer,
    },
  ),
  'permission.assentDetected': payload('A user message was read as a yes to an openEnum request.', {
    requestId: text,
    turnIndex: integer,
  }),
  'permission.contextualAuthorization': payload(
    'Leave or refusal for one request, found in its context.',
    {
      recordId: text,
      requestId: text,
      ...span,
    },
  ),
} as const
