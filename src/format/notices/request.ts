/** Questions that a connected client must answer, and the word that they are answered. */
import { z } from 'zod'
import {
  fields,
  maybeFields,
  maybeFlag,
  maybeText,
  maybeTexts,
  openEnum,
  optional,
  opaque,
  payload,
  text,
} from '../define.ts'

const planAction = openEnum('exit_only', 'interactive', 'autopilot', 'autopilot_fleet')

const answered = { requestId: text }

export const requestNotices = {
  'user_input.requested': payload('The agent asks the user a question.', {
    requestId: text,
    question: text,
    choices: maybeTexts,
    allowFreeform: maybeFlag,
    toolCallId: maybeText,
    plan: optional(
      z.object({
        summary: text,
        planContent: text,
        actions: z.array(planAction),
        recommendedAction: planAction,
      }),
    ),
  }),
  'user_input.completed': payload('The question was answered, or given up.', {
    requestId: text,
    answer: maybeText,
    wasFreeform: maybeFlag,
  }),
  'elicitation.requested': payload('The user is asked to fill in a form or to visit a page.', {
    requestId: text,
    message: text,
    mode: optional(openEnum('form', 'url')),
    requestedSchema: optional(
      z.object({ type: z.literal('object'), properties: fields, required: maybeTexts }),
    ),
    url: maybeText,
    elicitationSource: maybeText,
    toolCallId: maybeText,
  }),
  'elicitation.completed': payload('The form was filled in, declined or left.', {
    requestId: text,
    action: optional(openEnum('accept', 'decline', 'cancel')),
    content: maybeFields,
  }),
  'exit_plan_mode.requested': payload('The agent has a plan and asks how to go on.', {
    requestId: text,
    summary: text,
    planContent: text,
    actions: z.array(planAction),
    recommendedAction: planAction,
    toolCallId: maybeText,
    model: maybeText,
  }),
  'exit_plan_mode.completed': payload('The plan was accepted or sent back.', {
    requestId: text,
    approved: maybeFlag,
    autoApproveEdits: maybeFlag,
    feedback: maybeText,
    selectedAction: optional(planAction),
  }),
  'external_tool.completed': payload('A connected client has run its tool.', answered),
  'command.queued': payload('A slash command waits for its turn.', {
    requestId: text,
    command: text,
  }),
  'command.execute': payload('A connected client is asked to run its slash command.', {
    requestId: text,
    command: text,
    commandName: text,
    args: text,
  }),
  'command.completed': payload('A slash command is done.', answered),
  'sampling.requested': opaque('A tool server asks for an answer of the model.'),
  'sampling.completed': payload('A tool server has its answer.', answered),
  'mcp.oauth_required': opaque('A tool server wants the user to sign in.'),
  'mcp.oauth_completed': opaque('The sign-in with a tool server is over.'),
  'mcp.headers_refresh_required': opaque('A tool server wants fresh headers.'),
  'mcp.headers_refresh_completed': opaque('A tool server has its fresh headers, or goes without.'),
  'auto_mode_switch.requested': opaque('The user is asked to let another model take over.'),
  'auto_mode_switch.completed': opaque('Whether another model may take over was answered.'),
  'session_limits_exhausted.requested': opaque('The spending limit is reached; may it be raised?'),
  'session_limits_exhausted.completed': opaque('What becomes of the spending limit was answered.'),
  'ui.ephemeral_query': opaque('A question beside the conversation, and its answer.'),
} as const
