/** What a client attaches to a message. What the SDK lets it leave out is filled in, so that the log has it whole. */
import { z } from 'zod'
import { Attachment } from '../../format/events/attachment.ts'

export const attachment = z
  .looseObject({ type: z.string() })
  .transform(whole)
  .superRefine((value, context) => {
    const parsed = Attachment.safeParse(value)
    for (const { path, message } of parsed.error?.issues ?? [])
      context.addIssue({ code: 'custom', path: [...path], message })
  })

function whole(given: Readonly<Record<string, unknown>> & { readonly type: string }) {
  const { type, path } = given
  if ((type === 'file' || type === 'directory') && typeof path === 'string')
    return { displayName: lastOf(path), ...given }
  if (type === 'selection') return { text: '', selection: { start: TOP, end: TOP }, ...given }
  return given
}

const TOP = { line: 0, character: 0 }

/** Splits by either convention: the client may be on another system. */
const lastOf = (path: string) => path.split(/[\\/]/).findLast((part) => part !== '') ?? path
