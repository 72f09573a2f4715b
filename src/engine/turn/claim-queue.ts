/**
 * Messages that a dead process left are looked at by all who open the session, and sent by one: the first to act on them
 * has them from then on. The right to write decides who is first.
 */
import type { EngineContext } from '../engine-context.ts'
import type { LiveSession } from '../live/live-session.ts'
import { withWriter } from '../live/writer.ts'
import { leftQueue, sentLast, takeUpQueue } from './queue-file.ts'

/** Waits in this process because it was found, and for no other reason. */
const isOnlyLookedAt = ({ queue }: LiveSession): boolean =>
  queue.kept === undefined && queue.messages.length > 0

/** Before anything of it is sent, changed, or joined by another message. */
export async function claimQueue(engine: EngineContext, session: LiveSession): Promise<void> {
  await lookAgain(engine, session)
  if (!isOnlyLookedAt(session)) return
  await withWriter(engine, session, {}, async () => {
    await lookAgain(engine, session)
    if (!isOnlyLookedAt(session)) return
    session.queue.kept = session.queue.keep()
    await session.queue.kept
  })
}

/** What a process has left that died since waits here; what another one has by now, or has sent, does no more. */
export async function lookAgain(engine: EngineContext, session: LiveSession): Promise<void> {
  if (session.queue.messages.length === 0) await takeUpQueue(engine, session)
  if (!isOnlyLookedAt(session)) return
  const [left, sent] = [await leftQueue(engine, session.dir), await sentLast(engine, session)]
  const { queue } = session
  if (!isOnlyLookedAt(session)) return
  const waits = new Set(left.map(({ messageId }) => messageId).filter((id) => !sent.has(id ?? '')))
  const gone = queue.messages.filter(({ id }) => !waits.has(id))
  if (gone.length === 0) return
  queue.messages.splice(
    0,
    queue.messages.length,
    ...queue.messages.filter(({ id }) => waits.has(id)),
  )
  for (const { id, message, resolve } of gone) {
    queue.seen.delete(message.messageId ?? id)
    resolve({ status: 'withdrawn', turnId: id })
  }
  if (queue.messages.length === 0) queue.state = 'flowing'
  session.feed.tell({ type: 'pending_messages.modified', data: {} })
}
