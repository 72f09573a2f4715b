/** What goes on in an open session now, and what a server does about it: stop it, hold its queue, let go of it. */
import { cancel } from './cancel.ts'
import type { EngineContext } from '../context.ts'
import type { LiveSession } from '../live/live-session.ts'
import { requireIdle } from '../live/live-session.ts'
import { clearQueue } from './queue.ts'
import { drain } from './send.ts'
import { yieldWriter } from '../live/writer.ts'

export type Activity = {
  readonly isRunning: boolean
  readonly isCompacting: boolean
  readonly isQueueHeld: boolean
  /** Messages for the running turn that its agent has not taken yet. */
  readonly steering: readonly string[]
  readonly hasLog: boolean
  readonly cwd: string
}

export const activity = (session: LiveSession | undefined): Activity | undefined =>
  session && {
    isRunning: session.running !== undefined,
    isCompacting: session.compacting !== undefined,
    isQueueHeld: session.queueHeld,
    steering: session.steering.flatMap(({ message }) => message?.content ?? []),
    hasLog: session.hasLog,
    cwd: session.project.cwd,
  }

/** False when nothing was running. */
export function interrupt(
  engine: EngineContext,
  session: LiveSession,
  { keepQueue }: { keepQueue: boolean },
): boolean {
  const wasHeld = session.queueHeld
  if (!keepQueue) clearQueue(session)
  if (!cancel(session)) return false
  // A cancelled turn holds the queue for a person to look at; a program has said already what it wants.
  void session.ended.then(() => holdQueue(engine, session, wasHeld))
  return true
}

export function holdQueue(engine: EngineContext, session: LiveSession, held: boolean): void {
  session.queueHeld = held
  if (!held) drain(engine, session)
}

export async function releaseLease(engine: EngineContext, session: LiveSession): Promise<void> {
  requireIdle(session, 'let go of it')
  if (session.using === 0) await yieldWriter(engine, session)
}
