/** Tells one client of a stream what happens, in order: the owner all of it as it is, a guest what is for guests. */
import type { ToldItem } from './frames.ts'
import type { NoticeType } from '../../format/notice.ts'
import type { StreamFrame } from './api.ts'
import { encodeFrame, encodeItem, frameOf } from './frames.ts'
import type { Outlet } from './outlet.ts'

export interface Teller extends Pick<Outlet, 'signal' | 'room'> {
  /** Resolves when it is on its way. Who does not wait is told in the order of the calls all the same. */
  tell(told: ToldItem | StreamFrame): Promise<void> | void
  /** After all that was told. */
  end(): Promise<void>
}

export const tellOwner = (outlet: Outlet): Teller => ({
  signal: outlet.signal,
  room: () => outlet.room(),
  tell: (told) => outlet.put('kind' in told ? encodeItem(told) : encodeFrame(told)),
  end: async () => outlet.end(),
})

/** Undefined: not for guests. */
export type EncodeForGuests = (told: ToldItem | StreamFrame) => Promise<Buffer | undefined>

/** Events that wait to be redacted. Who falls further behind comes back and is told from the log. */
const MOST_WAITING = 10_000

export function tellGuest(
  outlet: Outlet,
  encode: EncodeForGuests,
  onFault: (error: unknown) => void,
): Teller {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0

  async function pass(before: Promise<void>, told: ToldItem | StreamFrame): Promise<void> {
    await before
    if (outlet.signal.aborted) return
    try {
      const bytes = await encode(told)
      if (bytes !== undefined) outlet.put(bytes)
    } catch (error) {
      // What could not be redacted is not sent, and nothing after it: it would be missing.
      onFault(error)
      outlet.end()
    }
  }

  return {
    signal: outlet.signal,
    room: () => outlet.room(),
    tell(told) {
      waiting++
      if (waiting > MOST_WAITING) outlet.end()
      last = pass(last, told).finally(() => waiting--)
      return last
    },
    async end() {
      await last
      outlet.end()
    },
  }
}

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
export function encodeForGuests(redact: <T>(value: T) => Promise<T>): EncodeForGuests {
  const encoded = new WeakMap<object, Promise<Buffer | undefined>>()
  const encode = async (told: ToldItem | StreamFrame) => {
    const frame = 'kind' in told ? frameOf(told) : told
    if (frame.event === 'notice' && !FOR_GUESTS.has(frame.data.type)) return undefined
    return encodeFrame(await redact(frame))
  }
  return (told) => {
    const bytes = encoded.get(told) ?? encode(told)
    encoded.set(told, bytes)
    return bytes
  }
}
