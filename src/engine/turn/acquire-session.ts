/** The session does one thing and nothing else until it is done; other processes may ask about it meanwhile. */
import type { EngineContext } from '../engine-context.ts'
import { modeOf, type LiveSession } from '../live/live-session.ts'
import { queueTable, step, workTable, type QueueInput, type WorkInput } from '../live/machine.ts'
import { makeFolder } from '../live/make-folder.ts'
import { withWriter, type WriterOptions } from '../live/writer.ts'
import { closeUnusedInbox, openInbox } from '../transport/serve-inbox.ts'
import { answering } from './resolve-agent.ts'
import { claimQueue } from './claim-queue.ts'
import type { RunningTurn } from './message.ts'
import { withStreamFile } from './stream-file.ts'
import { withdrawTools } from './waiting-tools.ts'
import { recordFault } from '../../project/record-hmac.ts'
import { EngineError } from '../errors.ts'
import { deferred } from '../../lib/deferred.ts'

export async function occupy<T>(
  engine: EngineContext,
  session: LiveSession,
  options: WriterOptions,
  kind: Extract<WorkInput, 'begin-turn' | 'begin-tool'>,
  work: (running: RunningTurn) => Promise<T>,
  /** Given for a turn that another process began. */
  turnId = engine.newId(),
): Promise<T> {
  const running: RunningTurn = {
    turnId,
    abort: new AbortController(),
    mode: undefined,
    begun: deferred(),
    isWaiting: false,
    reason: 'user_initiated',
    afterCancel: 'hold',
    leavesQuestions: false,
  }
  advance(session, kind)
  session.work.running = running
  const { promise, resolve: ended } = deferred<void>()
  session.work.ended = promise
  try {
    // Before anything is made: a session that nobody can answer leaves nothing behind.
    if (kind === 'begin-turn') await answering(engine, session)
    await refuseUnrecorded(engine)
    await makeFolder(engine, session)
    return await withWriter(engine, session, options, async () => {
      session.work.inbox ??= session.work.inboxClosed.then(() =>
        openInbox(engine.fs, session, (request) => engine.serveRequest(session, request)),
      )
      await session.work.inbox
      await claimQueue(engine, session)
      return withStreamFile(engine, session, running.turnId, () => work(running))
    })
  } finally {
    running.begun.resolve()
    session.work.running = undefined
    session.work.steering = []
    advance(session, 'end')
    ended()
    const { aborted } = running.abort.signal
    const mode = modeOf(session)
    // Without a word on autopilot: the Copilot SDK goes on waiting at an idle session in that mode.
    const data = { aborted, ...(mode !== 'autopilot' && { mode }) }
    session.feed.tell({ type: 'session.idle', data })
    const isHeld = aborted && running.afterCancel === 'hold'
    if (turnQueue(session, isHeld ? 'turn-cancelled' : 'turn-ended')) engine.startNext(session)
    else withdrawTools(session)
    await closeUnusedInbox(session)
  }
}

/** What could not be undone is not begun. */
async function refuseUnrecorded({ fs, trackFiles }: EngineContext): Promise<void> {
  const fault = trackFiles ? await recordFault(fs) : undefined
  if (fault === undefined) return
  throw new EngineError(
    'corrupt',
    `What tools change could not be recorded in this home, and not be undone: ${fault}. Nothing was begun, and the message was not sent. "reprise doctor" says what is wrong.`,
  )
}

/** Tells the table of the work of a change. True when what runs is to be stopped. */
export function advance({ work }: LiveSession, input: WorkInput): boolean {
  const { to, effect } = step(workTable, work.state, input)
  work.state = to
  return effect === 'abort'
}

/** Tells the table of the queue of a change. True when the first message that waits is next. */
export function turnQueue({ queue }: LiveSession, input: QueueInput): boolean {
  const { to, effect } = step(queueTable, queue.state, input)
  queue.state = to
  return effect === 'next'
}
