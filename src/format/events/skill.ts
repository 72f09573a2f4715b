/** Skills that the model was given, whole or by the id of content that was given before. */
import {
  integer,
  maybeFlag,
  maybeText,
  maybeTexts,
  openEnum,
  optional,
  payload,
  text,
} from '../define.ts'

const skill = {
  name: text,
  model: maybeText,
  path: text,
  allowedTools: maybeTexts,
  disableModelInvocation: maybeFlag,
  source: maybeText,
  pluginName: maybeText,
  pluginVersion: maybeText,
  description: maybeText,
  trigger: optional(openEnum('user-invoked', 'agent-invoked', 'context-load')),
}

export const skillEvents = {
  'skill.invoked': payload('A skill was called up, with its whole text.', {
    ...skill,
    content: text,
  }),
  'skill.invoked_ref': payload('A skill was called up whose text is stored already.', {
    ...skill,
    contentId: text,
    contentLength: integer,
  }),
  'skill.context_delivered': payload('The text of a skill was put before the model.', {
    content: text,
    source: text,
    interactionId: maybeText,
  }),
  'skill.context_delivered_ref': payload('Stored text of a skill was put before the model.', {
    contentId: text,
    prefix: maybeText,
    suffix: maybeText,
    source: text,
    interactionId: maybeText,
  }),
} as const
