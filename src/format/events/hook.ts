/** What the user's own hooks were given and gave. */
import { z } from 'zod'
import { flag, maybeAnything, maybeText, optional, says, text } from '../define.ts'

const hook = { hookInvocationId: text, hookType: text, parentToolCallId: maybeText }

export const hookEvents = {
  'hook.start': says('A hook begins to run.', { ...hook, input: maybeAnything }),
  'hook.end': says('A hook is done.', {
    ...hook,
    output: maybeAnything,
    success: flag,
    error: optional(z.object({ message: text, source: maybeText, stack: maybeText })),
  }),
} as const
