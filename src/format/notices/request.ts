/** Questions that someone who is connected must answer, and the word that they are answered. */
import { z } from 'zod'
import { fields, maybeFields, maybeFlag, maybeText, maybeTexts, open } from '../define.ts'
import { optional, passes, says, text } from '../define.ts'

const planAction = open('exit_only', 'interactive', 'autopilot', 'autopilot_fleet')

const answered = { requestId: text }

export const requestNotices = {
  'user_input.requested': says('The agent asks the user a question.', {
    requestId: text,
    question: text,
    choices: maybeTexts,
    allowFreeform: maybeFlag,
    toolCallId: maybeText,
  }),
  'user_input.completed': says('The question was answered, or given up.', {
    requestId: text,
    answer: maybeText,
    wasFreeform: maybeFlag,
  }),
  'elicitation.requested': says('The user is asked to fill in a form or to visit a page.', {
    requestId: text,
    message: text,
    mode: optional(open('form', 'url')),
    requestedSchema: optional(
      z.object({ type: z.literal('object'), properties: fields, required: maybeTexts }),
    ),
    url: maybeText,
    elicitationSource: maybeText,
    toolCallId: maybeText,
  }),
  'elicitation.completed': says('The form was filled in, declined or left.', {
    requestId: text,
    action: optional(open('accept', 'decline', 'cancel')),
    content: maybeFields,
  }),
  'exit_plan_mode.requested': says('The agent has a plan and asks how to go on.', {
    requestId: text,
    summary: text,
    planContent: text,
    actions: z.array(planAction),
    recommendedAction: planAction,
    model: maybeText,
  }),
  'exit_plan_mode.completed': says('The plan was accepted or sent back.', {
    requestId: text,
    approved: maybeFlag,
    autoApproveEdits: maybeFlag,
    feedback: maybeText,
    selectedAction: optional(planAction),
  }),
  'external_tool.completed': says('A connected client has run its tool.', answered),
  'command.queued': says('A slash command waits for its turn.', { requestId: text, command: text }),
  'command.execute': says('A connected client is asked to run its slash command.', {
    requestId: text,
    command: text,
    commandName: text,
    args: text,
  }),
  'command.completed': says('A slash command is done.', answered),
  'sampling.requested': passes('A tool server asks for an answer of the model.'),
  'sampling.completed': says('A tool server has its answer.', answered),
  'mcp.oauth_required': passes('A tool server wants the user to sign in.'),
  'mcp.oauth_completed': passes('The sign-in with a tool server is over.'),
  'mcp.headers_refresh_required': passes('A tool server wants fresh headers.'),
  'mcp.headers_refresh_completed': passes('A tool server has its fresh headers, or goes without.'),
  'auto_mode_switch.requested': passes('The user is asked to let another model take over.'),
  'auto_mode_switch.completed': passes('Whether another model may take over was answered.'),
  'session_limits_exhausted.requested': passes('The spending limit is reached; may it be raised?'),
  'session_limits_exhausted.completed': passes('What becomes of the spending limit was answered.'),
  'ui.ephemeral_query': passes('A question beside the conversation, and its answer.'),
} as const
