/**
 * What one client is told of a session: all after its cursor, `ready`, then what happens. It is caught up from the
 * log until it is exactly where the session's channel is, and joins the channel in that moment: no gap, no repeat.
 */
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { FeedItem } from '../../engine/live/feed.ts'
import type { EventId } from '../../format/ids.ts'
import { deferred } from '../../lib/deferred.ts'
import { orAborted } from '../../lib/or-aborted.ts'
import type { Channel } from './hub.ts'
import type { Teller } from './teller.ts'

/** What of the engine a stream is made of. */
export type Source = Pick<Engine, 'open'>

/** Returns when the client or the session is gone. */
export async function streamSession(
  engine: Source,
  channel: Channel,
  client: Teller,
  after: EventId | undefined,
): Promise<void> {
  const lastEventId = await catchUp(engine, channel, client, after)
  if (client.signal.aborted) return
  if (channel.ended === 'no') {
    // Nothing may be waited for between the two: the channel would go on without this client.
    using _live = channel.listen((item) => item !== undefined && void client.tell(item))
    const data = lastEventId === undefined ? {} : { lastEventId }
    void client.tell({ event: 'ready', data })
    await untilOver(channel, client)
  }
  if (channel.ended === 'deleted') void client.tell({ event: 'gone', data: {} })
  await client.end()
}

/** The last event that the client has; it is where the channel is when this returns. */
async function catchUp(
  engine: Source,
  channel: Channel,
  client: Teller,
  after: EventId | undefined,
): Promise<EventId | undefined> {
  let at: Place = { cursor: after, position: after === undefined ? 0 : undefined }
  while (!client.signal.aborted && channel.ended === 'no') {
    const { resets } = channel
    if (isThere(channel, at)) return at.cursor
    const next = await advance(engine, channel, client, at)
    if (next === 'lost' || channel.resets !== resets) {
      await client.tell({ event: 'reset', data: {} })
      at = { cursor: undefined, position: 0 }
    } else at = next
  }
  return at.cursor
}

/** The last event that the client has, and where it ends; that is not known of an id that a client names. */
type Place = { readonly cursor: EventId | undefined; readonly position: number | undefined }

const isThere = (channel: Channel, { cursor, position }: Place): boolean =>
  position === channel.position || (cursor !== undefined && cursor === channel.lastEventId)

async function advance(
  engine: Source,
  channel: Channel,
  client: Teller,
  at: Place,
): Promise<Place | 'lost'> {
  // The log is read ahead of what the channel has told: it comes after in no time.
  if (at.position !== undefined && at.position > channel.position) {
    await orAborted(channel.next(), client.signal)
    return at
  }
  if (at.position === undefined && at.cursor !== undefined) {
    const { position } = channel
    const isLast = await isLastEvent(engine, channel, at.cursor)
    if (isLast === 'unknown') return 'lost'
    if (isLast) return channel.position === position ? { ...at, position } : at
  }
  return replay(engine, channel, client, at)
}

async function isLastEvent(
  engine: Source,
  { id }: Channel,
  cursor: EventId,
): Promise<boolean | 'unknown'> {
  try {
    return (await (await engine.open(id)).events({ cursor, limit: 1 })).events.length === 0
  } catch (error) {
    if (isUnknownCursor(error)) return 'unknown'
    throw error
  }
}

/** Sends from the log what is between the place and the channel's. */
async function replay(
  engine: Source,
  channel: Channel,
  client: Teller,
  at: Place,
): Promise<Place | 'lost'> {
  const target = channel.position
  const abort = new AbortController()
  // What was to be read may be cut away while it is read: then it would be waited for in vain.
  using _cut = channel.listen((item) => {
    if (item === undefined || item.kind === 'reset') abort.abort()
  })
  const signal = AbortSignal.any([abort.signal, client.signal])
  let place = at
  const after = at.cursor === undefined ? {} : { after: at.cursor }
  try {
    for await (const item of (await engine.open(channel.id)).follow({ ...after, signal })) {
      if (item.kind === 'reset') return 'lost'
      if (item.kind !== 'event') continue
      await client.tell(item)
      place = placeOf(item)
      if (item.end >= target) break
      await client.room()
    }
  } catch (error) {
    if (isUnknownCursor(error)) return 'lost'
    throw error
  }
  return place
}

const placeOf = ({ event, end }: Extract<FeedItem, { kind: 'event' }>): Place => ({
  cursor: event.id,
  position: end,
})

const isUnknownCursor = (error: unknown): boolean =>
  error instanceof EngineError && error.code === 'expired'

async function untilOver(channel: Channel, { signal }: Teller): Promise<void> {
  if (channel.ended !== 'no' || signal.aborted) return
  const { promise, resolve } = deferred<void>()
  using _end = channel.listen((item) => item === undefined && resolve())
  signal.addEventListener('abort', () => resolve(), { once: true })
  await promise
}
