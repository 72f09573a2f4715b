/** What a guest is told of a session as it happens: redacted, and nothing that cannot be redacted. */
import type { NoticeType } from '../../format/notice.ts'
import { encodeFrame, frameOf, type EncodeFrame, type Told } from './frames.ts'

/**
 * Whole texts, never pieces of one: a secret may lie across two of them, and neither looks like one. What is said
 * comes when it stands in the log. A title may be cut from a prompt, so it is not here: it is asked for.
 */
const FOR_GUESTS: ReadonlySet<NoticeType> = new Set<NoticeType>([
  'session.idle',
  'session.usage_info',
  'assistant.intent',
  'user_input.requested',
  'user_input.completed',
])

/** What all guests watch is redacted once. */
export function encodeForGuests(redact: <T>(value: T) => Promise<T>): EncodeFrame {
  const encoded = new WeakMap<Told, Promise<Buffer | undefined>>()
  const encode = async (told: Told) => {
    const frame = frameOf(told)
    if (frame.event === 'notice' && !FOR_GUESTS.has(frame.data.type)) return undefined
    return encodeFrame(await redact(frame))
  }
  return (told) => {
    const bytes = encoded.get(told) ?? encode(told)
    encoded.set(told, bytes)
    return bytes
  }
}
