/** Ends a session's life in this process: the turn is cancelled, everything queued is durable, the lease is free. */
import type { DraftOf } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { traced } from '../../lib/telemetry.ts'
import { cancel } from '../turn/cancel.ts'
import { commit } from './commit.ts'
import type { EngineContext } from '../engine-context.ts'
import { discardOld } from '../forget/retention.ts'
import { runHooks } from '../turn/hooks.ts'
import { keepSnapshot } from './folded-log.ts'
import { stateOf, type LiveSession } from './live-session.ts'
import { metricsOf, type SessionMetrics } from './metrics.ts'
import { advance } from '../turn/acquire-session.ts'
import { clearQueue } from '../turn/queue.ts'
import { keepQueue } from '../turn/queue-file.ts'
import { endTitling } from '../turn/title.ts'
import { yieldWriter } from './writer.ts'

export type CloseOptions = {
  /** A turn that waits for an answer stays open in the log, for the process that resumes the session. */
  readonly leavesQuestions?: boolean
}

export async function close(
  engine: EngineContext,
  id: SessionId,
  options: CloseOptions = {},
): Promise<void> {
  const session = engine.live.get(id)
  try {
    if (session !== undefined)
      await traced('session.close', { session_id: id }, () => end(engine, session, options))
  } finally {
    // Followers let go of a handle through which nothing was done, too.
    if (!engine.live.has(id)) engine.changes.tell({ kind: 'closed', id })
  }
}

async function end(
  engine: EngineContext,
  session: LiveSession,
  { leavesQuestions = false }: CloseOptions,
): Promise<void> {
  await leaveQueue(engine, session)
  if (session.work.running !== undefined) session.work.running.leavesQuestions = leavesQuestions
  cancel(session, { reason: 'user_abort' })
  advance(session, 'close')
  // A disk that refuses for ever must not keep the session open for ever.
  session.writing.writer?.log.stopRetrying()
  await session.work.ended
  await session.work.compacting
  await endTitling(session)
  engine.live.delete(session.id)
  const followed = { feed: session.feed, size: stateOf(session).size }
  if (session.feed.watched) engine.followed.set(session.id, followed)
  try {
    // A life that wrote nothing leaves no trace; one that was overtaken leaves the log to its successor.
    if (
      session.written.hasWritten &&
      !session.written.isAtCut &&
      session.writing.writer !== undefined &&
      (await session.writing.writer.lease.holds())
    ) {
      await runHooks(engine, session, 'sessionEnd', {}, AbortSignal.timeout(10_000))
      await commit(engine, session, [shutdown(session, await metricsOf(engine, session))])
      await keepSnapshot(engine.fs, session.dir, session.folded, { always: true })
    }
  } finally {
    session.watcher.stop()
    followed.size = stateOf(session).size
    await yieldWriter(engine, session)
    await session.agent?.close?.()
  }
  // A process that took the session over meanwhile does it when it closes; so does `sessions prune`.
  if (session.written.hasWritten) await discardOld(engine, session.id).catch(() => {})
}

/** What a person held back waits for them in the next process; what was about to be sent is withdrawn. */
async function leaveQueue(engine: EngineContext, session: LiveSession): Promise<void> {
  const isLeft = session.queue.state === 'held'
  // What was only looked at may be another process's by now.
  if (isLeft && session.queue.kept !== undefined)
    await keepQueue(engine, session, { isLetGo: true })
  clearQueue(session, { isLeft })
  await session.queue.kept
}

function shutdown(session: LiveSession, metrics: SessionMetrics): DraftOf<'session.shutdown'> {
  const { model, size } = stateOf(session)
  return {
    type: 'session.shutdown',
    data: {
      shutdownType: 'routine',
      ...metrics,
      sessionStartTime: session.openedAt.getTime(),
      eventsFileSizeBytes: size,
      ...defined({ currentModel: model }),
    },
  }
}

export async function closeAll(engine: EngineContext): Promise<void> {
  await Promise.all([...engine.live.keys()].map((id) => close(engine, id)))
  await Promise.all(engine.closing.values())
  await engine.agents.close()
}
