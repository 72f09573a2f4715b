/** What the user's own hooks were given and gave. */
import { z } from 'zod'
import { flag, maybeAnything, maybeText, optional, payload, text } from '../define.ts'

const hook = { hookInvocationId: text, hookType: text, parentToolCallId: maybeText }

export const hookEvents = {
  'hook.start': payload('A hook begins to run.', { ...hook, input: maybeAnything }),
  'hook.end': payload('A hook is done.', {
    ...hook,
    output: maybeAnything,
    success: flag,
    error: optional(z.object({ message: text, source: maybeText, stack: maybeText })),
  }),
} as const
