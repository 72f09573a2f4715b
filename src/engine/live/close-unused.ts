/**
 * A server and a terminal open every session that a person looks at, and nothing closes it. Each costs its state and two
 * open files: beyond so many, the sessions that were used longest ago are closed, as soon as another is opened.
 */
import type { EngineContext } from '../engine-context.ts'
import { close } from './close.ts'
import { isRunning, type LiveSession } from './live-session.ts'

/** A person who comes back finds these as they were left. */
const MOST_UNUSED = 12

export function closeUnused(engine: EngineContext): void {
  const unused = [...engine.live.values()].filter((session) => isUnused(session))
  const byUse = unused.toSorted((one, other) => one.use.lastAt - other.use.lastAt)
  for (const { id } of byUse.slice(0, Math.max(0, unused.length - MOST_UNUSED))) {
    const closing = close(engine, id)
      .catch(() => {}) // one that cannot be written keeps its lease: it is tried again, and told when it is used
      .finally(() => engine.closing.delete(id))
    engine.closing.set(id, closing)
  }
}

/** Nobody follows the session, nothing goes on or waits in it, and closing it loses nothing. */
function isUnused(session: LiveSession): boolean {
  const { use, feed, work, queue, asks, written, writing, agent } = session
  const goesOn =
    use.underWay > 0 ||
    feed.watched ||
    isRunning(session) ||
    work.compacting !== undefined ||
    work.titling !== undefined ||
    writing.users > 0
  const waits =
    queue.messages.length + queue.sending.size + queue.tools.length > 0 ||
    asks.pending.size + asks.questions.size + asks.left.size + asks.said.size > 0
  // What a person chose or allowed holds until the process ends.
  const isKept = !written.hasLog || agent !== undefined || asks.grants.list.length > 0
  return !goesOn && !waits && !isKept
}
