/** Server-sent events as bytes. What all watch is encoded once. */
import type { FeedItem } from '../../engine/live/feed.ts'
import { defined } from '../../lib/defined.ts'
import type { ActivityFrame, StreamFrame } from './api.ts'

export const HEARTBEAT = Buffer.from(':\n\n')
/** How long a client waits before it comes back. */
export const RETRY = Buffer.from('retry: 1000\n\n')

/** What a client is told; that history is told it learns from `ready`. */
export type Told = Exclude<FeedItem, { kind: 'live' }> | StreamFrame

/** Undefined: not for this client. */
export type EncodeFrame = (told: Told) => Buffer | Promise<Buffer | undefined>

/** A page is not told of comments, and must hear something to know that the connection lives. */
export const BEAT = encodeFrame({ event: 'beat', data: {} })

const texts = new WeakMap<Told, string>()

/** One session of a stream that has several. */
export const encodeJoined = (key: string): EncodeFrame => {
  const head = `event: session\ndata: {"key":${JSON.stringify(key)},"frame":`
  return (told) => {
    let text = texts.get(told)
    if (text === undefined) texts.set(told, (text = JSON.stringify(frameOf(told))))
    return Buffer.from(`${head}${text}}\n\n`)
  }
}

const encoded = new WeakMap<Told, Buffer>()

export const encodeForOwner: EncodeFrame = (told) => {
  let bytes = encoded.get(told)
  if (bytes === undefined) encoded.set(told, (bytes = encodeFrame(frameOf(told))))
  return bytes
}

export function frameOf(told: Told): StreamFrame {
  if (!('kind' in told)) return told
  if (told.kind === 'event') return { event: 'event', id: told.event.id, data: told.event }
  if (told.kind === 'notice') return { event: 'notice', data: told.notice }
  return { event: 'reset', data: defined({ upToEventId: told.upToEventId }) }
}

/** JSON has no line break, so the data is one line whatever is in it. */
export function encodeFrame(frame: StreamFrame | ActivityFrame): Buffer {
  const id = 'id' in frame && frame.id !== undefined && isSafeId(frame.id) ? frame.id : undefined
  const head = id === undefined ? '' : `id: ${id}\n`
  return Buffer.from(`${head}event: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`)
}

/** Ids of other writers are kept as they are; one that would end its line, or no header can carry, is not sent. */
export const isSafeId = (id: string): boolean => /^[\x21-\x7e]{1,200}$/.test(id)
