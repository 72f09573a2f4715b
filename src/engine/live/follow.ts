/**
 * History after a cursor, then what happens, without a gap and without a repeat. Whoever follows may be in
 * the process that writes, or in another one: both get the same events in the same order.
 */
import type { EventId } from '../../format/ids.ts'
import { findEvent } from '../../log/find.ts'
import { readLog } from '../../log/read.ts'
import type { EngineContext } from '../context.ts'
import { EngineError } from '../errors.ts'
import type { FeedItem } from './feed.ts'
import { stateOf } from './live-session.ts'
import type { LiveSession } from './live-session.ts'
import { logPath } from '../../format/paths.ts'

export type FollowOptions = {
  /** The last event that the follower has; without it, from the beginning. */
  readonly after?: EventId
  /** Skips history: only what happens from now on. */
  readonly fromNow?: boolean
  readonly signal?: AbortSignal
}

export async function* follow(
  engine: EngineContext,
  session: LiveSession,
  options: FollowOptions = {},
): AsyncGenerator<FeedItem, void, undefined> {
  const queue: FeedItem[] = []
  let wake = () => {}
  using _subscription = session.feed.subscribe((item) => {
    queue.push(item)
    wake()
  })
  options.signal?.addEventListener('abort', () => wake(), { once: true })
  // With a delayed durability, what was told may not be in the file yet.
  await session.writing.writer?.log.flush()
  if (session.written.hasLog) await session.watcher.refresh()
  let position = await startOf(engine, session, options)
  yield* between(stateOf(session).size)
  yield { kind: 'live', end: position }

  while (options.signal?.aborted !== true) {
    const item = queue.shift()
    if (item === undefined) {
      await new Promise<void>((resolve) => {
        wake = resolve
        if (queue.length > 0 || options.signal?.aborted === true) resolve()
      })
      continue
    }
    if (item.kind === 'event') {
      if (item.end <= position) continue
      if (item.start > position) yield* between(item.start)
      position = item.end
    }
    if (item.kind === 'reset') position = Math.min(position, item.end)
    yield item
  }

  async function* between(to: number): AsyncGenerator<FeedItem, void, undefined> {
    if (position >= to) return
    for await (const { records } of readLog(engine.fs, logPath(session.dir), {
      from: position,
      to,
    })) {
      for (const { event, start, end } of records) {
        yield { kind: 'event', event, start, end }
        position = end
      }
    }
    position = to
  }
}

async function startOf(
  engine: EngineContext,
  session: LiveSession,
  { after, fromNow }: FollowOptions,
): Promise<number> {
  if (after !== undefined) {
    const found = await findEvent(engine.fs, logPath(session.dir), after)
    if (found !== undefined) return found.record.end
    throw new EngineError(
      'expired',
      `Event ${after} is not in session ${session.id} any more: it was rewound. Follow from the beginning.`,
      { details: { eventId: after } },
    )
  }
  return fromNow === true ? stateOf(session).size : 0
}
