/**
 * History after a cursor, then what happens, without a gap and without a repeat. A follower may be in the process
 * that writes, or in another one: both get the same events in the same order. However slowly a follower reads, little
 * is held for it: events that lie in the log are read from there when it comes to them, and notices that there is no
 * room for are not told to it. Behind `live` it is told what is being said at that moment, each part whole so far. A cut
 * is told to a follower that has what is gone; one that names no `upToEventId` was made by another process, and a
 * follower that keeps a copy of the log has to read it anew.
 */
import type { EventId } from '../../format/ids.ts'
import type { Notice } from '../../format/notice.ts'
import { findEvent } from '../../log/find.ts'
import { readLog } from '../../log/read.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import type { FeedItem } from './feed.ts'
import { stateOf, type LiveSession } from './live-session.ts'
import { logPath } from '../../format/paths.ts'
import { isPiece, type Pieces } from '../../state/unfinished.ts'

export type FollowOptions = {
  /** The last event that the follower has; without it, from the beginning. */
  readonly after?: EventId
  /** Skips history: only what happens from now on. */
  readonly fromNow?: boolean
  readonly signal?: AbortSignal
}

export async function* follow(
  engine: EngineContext,
  open: () => Promise<LiveSession>,
  options: FollowOptions = {},
): AsyncGenerator<FeedItem, void, undefined> {
  const session = await open()
  const backlog = createBacklog(stateOf(session).size, session.work.pieces)
  using _subscription = session.feed.subscribe(backlog.add)
  options.signal?.addEventListener('abort', backlog.close, { once: true })
  if (options.signal?.aborted === true) backlog.close()
  await flush(session)
  if (session.written.hasLog) await session.watcher.refresh()
  backlog.dropCuts()
  let position = await startOf(engine, session, options)
  yield* catchUp()
  if (!backlog.isClosed()) yield { kind: 'live', end: position }
  if (options.fromNow !== true)
    for (const notice of backlog.saidSoFar()) yield { kind: 'notice', notice }

  while (!backlog.isClosed()) {
    if (backlog.isBehind()) yield* catchUp()
    const item = backlog.take()
    if (item === undefined) await backlog.next()
    else if (item.kind !== 'event' || item.end > position) {
      if (item.kind === 'event') position = item.end
      if (item.kind === 'reset') position = Math.min(position, item.end)
      yield item
    }
  }

  /** Reads the log until nothing was told that the follower does not have. What is told from then on is held. */
  async function* catchUp(): AsyncGenerator<FeedItem, void, undefined> {
    do {
      for (let cut = backlog.takeCut(); cut !== undefined; cut = backlog.takeCut()) {
        if (cut.upToEventId !== undefined && cut.end >= position) continue
        position = Math.min(position, cut.end)
        yield cut
      }
      if (position < backlog.end()) yield* readTo(backlog.end())
    } while (!backlog.isClosed() && !backlog.isCaughtUp(position))
  }

  /** Stops where the log was cut meanwhile: what is read behind a cut is not what the follower was told of. */
  async function* readTo(to: number): AsyncGenerator<FeedItem, void, undefined> {
    // It may have been closed and opened again meanwhile.
    await flush(engine.live.get(session.id) ?? session)
    for await (const { records } of readLog(engine.fs, logPath(session.dir), {
      from: position,
      to,
    })) {
      for (const { event, start, end } of records) {
        if (backlog.wasCut() || backlog.isClosed()) return
        position = end
        yield { kind: 'event', event, start, end }
      }
    }
    if (!backlog.wasCut()) position = to
  }
}

/** With a delayed durability, what was told may not be in the file yet. */
const flush = async ({ writing }: LiveSession): Promise<void> => writing.writer?.log.flush()

type Cut = Extract<FeedItem, { kind: 'reset' }>

/** What may be held for a follower. Beyond it, events are read from the log, and notices are lost. */
const MOST_HELD = { items: 10_000, bytes: 8 * 1024 * 1024 }

/** What was told to a follower and not yet taken by it: items while it keeps up, otherwise only up to where. */
function createBacklog(size: number, pieces: Pieces) {
  let soFar: readonly Notice[] | undefined
  let held: { readonly item: FeedItem; readonly bytes: number }[] = []
  let heldBytes = 0
  let cuts: Cut[] = []
  let end = size
  let isBehind = true
  let isClosed = false
  let wake = () => {}

  function add(item: FeedItem): void {
    if (item.kind === 'event') end = Math.max(end, item.end)
    if (item.kind === 'reset') end = item.end
    if (isBehind && item.kind === 'reset') cuts.push(item)
    else if (!isBehind || item.kind !== 'event') hold(item)
    wake()
  }

  function hold(item: FeedItem): void {
    const bytes = bytesOf(item)
    held.push({ item, bytes })
    heldBytes += bytes
    if (held.length <= MOST_HELD.items && heldBytes <= MOST_HELD.bytes) return
    cuts.push(...held.flatMap(({ item: each }) => (each.kind === 'reset' ? [each] : [])))
    held = []
    heldBytes = 0
    isBehind = true
  }

  /** The pieces that were told until now are in what was said so far: nothing is told twice. */
  function beginWithAll(): void {
    soFar = pieces.notices()
    held = held.filter(({ item }) => item.kind !== 'notice' || !isPiece(item.notice))
    heldBytes = held.reduce((sum, { bytes }) => sum + bytes, 0)
  }

  return {
    add,
    /** Nothing more is taken. */
    close() {
      isClosed = true
      wake()
    },
    isClosed: () => isClosed,
    isBehind: () => isBehind,
    /** The end of the log, as far as it was told. */
    end: () => end,
    wasCut: () => cuts.length > 0,
    takeCut: () => cuts.shift(),
    /** What was cut before the follower has anything is nothing to it. */
    dropCuts: () => void (cuts = []),
    isCaughtUp(position: number): boolean {
      if (position >= end && cuts.length === 0) isBehind = false
      if (!isBehind && soFar === undefined) beginWithAll()
      return !isBehind
    },
    saidSoFar: () => soFar ?? [],
    take(): FeedItem | undefined {
      const first = held.shift()
      heldBytes -= first?.bytes ?? 0
      return first?.item
    },
    /** Resolves when there may be something to take. */
    next: (): Promise<void> =>
      new Promise((resolve) => {
        wake = resolve
        if (held.length > 0 || isBehind || isClosed) resolve()
      }),
  }
}

function bytesOf(item: FeedItem): number {
  if (item.kind === 'event') return item.end - item.start
  return item.kind === 'notice' ? textIn(item.notice.data) : 0
}

/** The length of all texts in it, and something for each value. What lies deeper than anything sensible counts little. */
function textIn(value: unknown, depth = 0): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return 8
  return Object.values(value).reduce((sum: number, each) => sum + textIn(each, depth + 1), 16)
}

const DEEPEST = 100

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
