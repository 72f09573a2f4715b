/**
 * One follower of a session for all who watch it here: however many there are, the log is followed once. A channel
 * knows where in the log it is, so that whoever has read up to there can join without a gap and without a repeat.
 */
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import type { ToldItem } from './frames.ts'

export interface Channel {
  readonly id: SessionId
  /** End of the last event that was told. */
  readonly position: number
  /** Undefined when it is not known: nothing was told yet since the log was cut. */
  readonly lastEventId: EventId | undefined
  /** How often the log was cut since this channel is there. */
  readonly resets: number
  readonly ended: 'no' | 'deleted' | 'closed'
  /** Adding and removing takes effect at once. `undefined` says that the channel has ended. */
  listen(listener: (item: ToldItem | undefined) => void): Disposable
  /** Resolves when something was told. */
  next(): Promise<void>
}

export type HeldChannel = { readonly channel: Channel } & Disposable

export interface Hub {
  /** The channel of a session, opened when nobody holds it yet. Throws when there is no such session. */
  hold(id: SessionId): Promise<HeldChannel>
  close(): void
}

type Open = {
  -readonly [K in keyof Channel]: Channel[K]
} & { holders: number; readonly abort: AbortController; readonly listeners: Set<Listener> }
type Listener = (item: ToldItem | undefined) => void

export function createHub(engine: Engine): Hub {
  const channels = new Map<SessionId, Promise<Open>>()
  const open = new Map<SessionId, Open>()
  let isClosed = false
  const subscription = engine.subscribe(({ kind, id }) => {
    if (kind === 'deleted') end(open.get(id), 'deleted')
  })

  async function start(id: SessionId): Promise<Open> {
    const { size, lastEventId } = await (await engine.open(id)).state()
    const channel = createChannel(id, size, lastEventId)
    open.set(id, channel)
    void pump(channel).catch(() => end(channel, 'closed'))
    return channel
  }

  function opening(id: SessionId): Promise<Open> {
    if (isClosed) throw new EngineError('cancelled', 'The server is stopping.')
    const known = channels.get(id)
    if (known !== undefined) return known
    const starting = start(id)
    channels.set(id, starting)
    starting.catch(() => channels.delete(id))
    return starting
  }

  async function pump(channel: Open): Promise<void> {
    const { signal } = channel.abort
    const after = channel.lastEventId === undefined ? {} : { after: channel.lastEventId }
    for await (const item of (await engine.open(channel.id)).follow({ ...after, signal })) {
      if (channel.ended !== 'no') return
      if (item.kind === 'live') continue
      advance(channel, item)
      tell(channel, item)
    }
    end(channel, 'closed')
  }

  function end(channel: Open | undefined, how: 'deleted' | 'closed'): void {
    if (channel === undefined || channel.ended !== 'no') return
    channel.ended = how
    if (open.get(channel.id) === channel) {
      open.delete(channel.id)
      channels.delete(channel.id)
    }
    channel.abort.abort()
    tell(channel, undefined)
  }

  function forget(channel: Open): void {
    channel.holders--
    if (channel.holders === 0) end(channel, 'closed')
  }

  return {
    async hold(id) {
      let channel = await opening(id)
      // The last holder may have let go of it while it was waited for.
      while (channel.ended !== 'no') channel = await opening(id)
      channel.holders++
      let isHeld = true
      return {
        channel,
        [Symbol.dispose]() {
          if (isHeld) forget(channel)
          isHeld = false
        },
      }
    },
    close() {
      isClosed = true
      subscription[Symbol.dispose]()
      for (const channel of open.values()) end(channel, 'closed')
    },
  }
}

function createChannel(id: SessionId, position: number, lastEventId: EventId | undefined): Open {
  const listeners = new Set<Listener>()
  const channel: Open = {
    id,
    position,
    lastEventId,
    resets: 0,
    ended: 'no',
    holders: 0,
    listeners,
    abort: new AbortController(),
    listen(listener) {
      const own: Listener = (item) => listener(item)
      listeners.add(own)
      return { [Symbol.dispose]: () => void listeners.delete(own) }
    },
    next: () =>
      new Promise((resolve) => {
        const once = channel.listen(() => {
          once[Symbol.dispose]()
          resolve()
        })
      }),
  }
  return channel
}

function tell(channel: Open, item: ToldItem | undefined): void {
  for (const listener of channel.listeners) listener(item)
}

function advance(channel: Open, item: ToldItem): void {
  if (item.kind === 'event') {
    channel.position = item.end
    channel.lastEventId = item.event.id
  } else if (item.kind === 'reset') {
    channel.position = Math.min(channel.position, item.end)
    channel.lastEventId = undefined
    channel.resets++
  }
}
