/** Skills that the model was given, whole or by the id of content that was given before. */
import { integer, maybeFlag, maybeText, maybeTexts, open, optional, says, text } from '../define.ts'

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
  trigger: optional(open('user-invoked', 'agent-invoked', 'context-load')),
}

export const skillEvents = {
  'skill.invoked': says('A skill was called up, with its whole text.', { ...skill, content: text }),
  'skill.invoked_ref': says('A skill was called up whose text is stored already.', {
    ...skill,
    contentId: text,
    contentLength: integer,
  }),
  'skill.context_delivered': says('The text of a skill was put before the model.', {
    content: text,
    source: text,
    interactionId: maybeText,
  }),
  'skill.context_delivered_ref': says('Stored text of a skill was put before the model.', {
    contentId: text,
    prefix: maybeText,
    suffix: maybeText,
    source: text,
    interactionId: maybeText,
  }),
} as const
