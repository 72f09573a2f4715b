/** What goes on in an open session now, as far as this process knows. */
import type { Event } from '../../format/event.ts'
import { runningIn } from '../../state/running.ts'
import { isRunning, stateOf, type LiveSession } from '../live/live-session.ts'
import { unwritten } from '../live/pending-events.ts'

export type Activity = {
  /** Something runs in this process. */
  readonly isRunning: boolean
  /** The log has a turn or a tool open that another process began. */
  readonly isAtWorkElsewhere: boolean
  readonly isCompacting: boolean
  readonly isQueueHeld: boolean
  readonly queued: number
  /** Messages for the running turn that its agent has not taken yet. */
  readonly steering: readonly string[]
  readonly hasLog: boolean
  /** Told, and in the log before the next thing that happens. */
  readonly unwritten: readonly Event[]
  readonly cwd: string
}

export const activity = (session: LiveSession): Activity => ({
  isRunning: isRunning(session),
  isAtWorkElsewhere: !isRunning(session) && runningIn(stateOf(session)) !== undefined,
  isCompacting: session.work.compacting !== undefined,
  isQueueHeld: session.queue.state === 'held',
  queued: session.queue.messages.length,
  steering: session.work.steering.flatMap(({ message }) => message?.content ?? []),
  hasLog: session.written.hasLog,
  get unwritten() {
    return unwritten(session)
  },
  cwd: session.project.cwd,
})
