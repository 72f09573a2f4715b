/** Takes secrets out of pieces of text, wherever they are cut, as the log has them taken out of the whole. */
import type { Notice } from '../../format/notice.ts'
import type { RedactStream } from '../../lib/redact/redact-stream.ts'
import { isPiece, PIECES } from '../../state/unfinished.ts'
import type { EngineContext } from '../engine-context.ts'

/** Without a way to redact pieces, notices with text of people are left out where the log is redacted. */
export function redactNotices({
  redact,
  redactStream,
}: Pick<EngineContext, 'redact' | 'redactStream'>): (notice: Notice) => readonly Notice[] {
  if (redact === undefined) return (notice) => [notice]
  const streams = new Map<string, RedactStream>()
  const clean = (key: string, text: string): string | undefined => {
    let stream = streams.get(key)
    if (stream === undefined && redactStream !== undefined) {
      stream = redactStream()
      streams.set(key, stream)
    }
    return stream?.push(text)
  }
  return (notice) => {
    if (!isPiece(notice)) return HARMLESS.test(notice.type) ? [notice] : []
    const field = PIECES[notice.type]
    const data = notice.data as Readonly<Record<string, string>>
    const { toolCallId, reasoningId, messageId } = data
    const text = clean(
      `${notice.type} ${messageId ?? reasoningId ?? toolCallId}`,
      data[field] ?? '',
    )
    return text === undefined || text === ''
      ? []
      : [{ ...notice, data: { ...data, [field]: text } } as Notice]
  }
}

/** Counts and states, without words of people. */
const HARMLESS =
  /^(?:assistant\.(?:message_start|streaming_delta|usage|idle)|model\.call_(?:start|finished)|session\.usage_info)$/
