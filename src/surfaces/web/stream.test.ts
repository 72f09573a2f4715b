/** The moments in which a client that is caught up meets a log that moves, one by one. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeedItem } from '../../engine/live/feed.ts'
import type { Session } from '../../engine/session.ts'
import { asEventId, asSessionId } from '../../format/ids.ts'
import type { EventId } from '../../format/ids.ts'
import type { ToldItem } from './frames.ts'
import type { Channel } from './hub.ts'
import type { Outlet } from './outlet.ts'
import { streamSession } from './stream.ts'
import type { Source } from './stream.ts'
import { tellOwner } from './teller.ts'

type EventItem = Extract<ToldItem, { kind: 'event' }>

/** Events are ten bytes long and called by where they end. */
const eventAt = (end: number, name = `e${end}`): EventItem => ({
  kind: 'event',
  event: {
    type: 'abort',
    data: { reason: 'user_initiated' },
    id: asEventId(name),
    timestamp: '2026-01-01T00:00:00.000Z',
    parentId: null,
  },
  start: end - 10,
  end,
})

function place(at: number) {
  const listeners = new Set<(item: ToldItem | undefined) => void>()
  const frames: string[] = []
  const gone = new AbortController()
  const channel = {
    id: asSessionId('00000000-0000-4000-8000-000000000000'),
    position: at,
    lastEventId: undefined as EventId | undefined,
    resets: 0,
    ended: 'no' as Channel['ended'],
    listen(listener: (item: ToldItem | undefined) => void) {
      listeners.add(listener)
      return { [Symbol.dispose]: () => void listeners.delete(listener) }
    },
    next: () =>
      new Promise<void>((resolve) => {
        const once = channel.listen(() => {
          once[Symbol.dispose]()
          resolve()
        })
      }),
  }
  const outlet: Outlet = {
    signal: gone.signal,
    put(bytes) {
      const [, event = ''] = /event: (\w+)/.exec(bytes.toString()) ?? []
      frames.push(/^id: (.*)$/m.exec(bytes.toString())?.[1] ?? event)
      if (event === 'ready') ready.resolve()
    },
    room: async () => {},
    end: () => gone.abort(),
    [Symbol.dispose]: () => gone.abort(),
  }
  const ready = Promise.withResolvers<void>()
  return {
    channel,
    outlet,
    frames,
    ready: ready.promise,
    tell(item: ToldItem) {
      if (item.kind === 'event') channel.position = item.end
      if (item.kind === 'reset') {
        channel.position = item.end
        channel.resets++
      }
      for (const listener of listeners) listener(item)
    },
  }
}

/** An engine whose session has this to tell, and no events behind any cursor. */
function sourceOf(follow: () => AsyncGenerator<FeedItem, void, undefined>): Source {
  const events: Session['events'] = async () => ({ events: [], more: false, findings: [] })
  const session: Pick<Session, 'events' | 'follow'> = { events, follow }
  return { open: async () => session as Session }
}

test('a log that is cut while it is read is read again from its beginning', async () => {
  const { channel, outlet, frames, ready, tell } = place(20)
  let reads = 0
  const engine = sourceOf(async function* () {
    reads++
    yield eventAt(10)
    // The cut comes when all that was wanted has been read, so nothing but its count tells of it.
    if (reads === 1) tell({ kind: 'reset', end: 10 })
    if (reads === 1) yield eventAt(20)
  })
  const streaming = streamSession(engine, channel, tellOwner(outlet), undefined)
  await ready
  tell(eventAt(20, 'other'))
  outlet.end()
  await streaming
  assert.deepEqual(frames, ['e10', 'e20', 'reset', 'e10', 'ready', 'other'])
})

test('what was read ahead of the channel is not told again by it', async () => {
  const { channel, outlet, frames, ready, tell } = place(20)
  const engine = sourceOf(async function* () {
    yield eventAt(10)
    channel.position = 15
    // Longer than what was wanted.
    yield { ...eventAt(30), start: 10 }
  })
  const streaming = streamSession(engine, channel, tellOwner(outlet), undefined)
  await new Promise(setImmediate)
  tell(eventAt(30))
  await ready
  tell(eventAt(40))
  outlet.end()
  await streaming
  assert.deepEqual(frames, ['e10', 'e30', 'ready', 'e40'])
})

test('nobody is told that all is there by a channel that has ended', async () => {
  const { channel, outlet, frames } = place(20)
  channel.ended = 'closed'
  const engine = sourceOf(async function* () {})
  await streamSession(engine, channel, tellOwner(outlet), undefined)
  assert.deepEqual([frames, outlet.signal.aborted], [[], true])
})
