/** Server-sent events as bytes. What all watch is encoded once. */
import type { FeedItem } from '../../engine/live/feed.ts'
import type { ActivityFrame, StreamFrame } from './api.ts'

export const HEARTBEAT = Buffer.from(':\n\n')
/** How long a client waits before it comes back. */
export const RETRY = Buffer.from('retry: 1000\n\n')

/** What a client is told; that history is told it learns from `ready`. */
export type ToldItem = Exclude<FeedItem, { kind: 'live' }>

const encoded = new WeakMap<ToldItem, Buffer>()

export function encodeItem(item: ToldItem): Buffer {
  let bytes = encoded.get(item)
  if (bytes === undefined) encoded.set(item, (bytes = encodeFrame(frameOf(item))))
  return bytes
}

export function frameOf(item: ToldItem): StreamFrame {
  if (item.kind === 'event') return { event: 'event', id: item.event.id, data: item.event }
  if (item.kind === 'notice') return { event: 'notice', data: item.notice }
  const { upToEventId } = item
  return { event: 'reset', data: upToEventId === undefined ? {} : { upToEventId } }
}

/** JSON has no line break, so the data is one line whatever is in it. */
export function encodeFrame(frame: StreamFrame | ActivityFrame): Buffer {
  const id = 'id' in frame && frame.id !== undefined && isSafeId(frame.id) ? frame.id : undefined
  const head = id === undefined ? '' : `id: ${id}\n`
  return Buffer.from(`${head}event: ${frame.event}\ndata: ${JSON.stringify(frame.data)}\n\n`)
}

/** Ids of other writers are kept as they are; one that would end its line, or no header can carry, is not sent. */
export const isSafeId = (id: string): boolean => /^[\x21-\x7e]{1,200}$/.test(id)
