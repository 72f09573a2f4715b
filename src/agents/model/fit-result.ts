/**
 * What a tool gave, in the size that a model takes. The whole stays with the event, for people; the text for the model
 * is short enough that the log keeps it as it is, so what is sent again later is what was sent first.
 */
import type { Draft } from '../../format/event.ts'
import { headAndTail } from '../../state/preview.ts'

/** Three bytes a character at most: well below what the log keeps whole. */
const MAX_CHARS = 20_000

export function fitResult(draft: Draft): Draft {
  if (draft.type !== 'tool.execution_complete') return draft
  const { result, error } = draft.data
  const isLong = (result?.content.length ?? 0) > MAX_CHARS
  const isLongError = (error?.message.length ?? 0) > MAX_CHARS
  if (!isLong && !isLongError) return draft
  return {
    ...draft,
    data: {
      ...draft.data,
      ...(result !== undefined &&
        isLong && {
          result: {
            ...result,
            content: headAndTail(result.content, MAX_CHARS),
            detailedContent: result.detailedContent ?? result.content,
          },
        }),
      ...(error !== undefined &&
        isLongError && { error: { ...error, message: headAndTail(error.message, MAX_CHARS) } }),
    },
  }
}
