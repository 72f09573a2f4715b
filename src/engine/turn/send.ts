/**
 * Takes a message in: it starts a turn, or, while one runs, waits its turn or steers the one that runs. Whoever
 * sent it learns how its turn ended.
 */
import type { Payload } from '../../format/event.ts'
import type { EngineContext } from '../context.ts'
import { EngineError } from '../errors.ts'
import { withInbox } from '../neighbours/inbox.ts'
import { requireIdle } from '../live/live-session.ts'
import type { LiveSession, RunningTurn } from '../live/live-session.ts'
import { makeFolder } from '../live/make-folder.ts'
import { enqueue, nextInQueue } from './queue.ts'
import { steer } from './steering.ts'
import { runTurn } from './turn.ts'
import { withWriter } from '../live/writer.ts'
import type { WriterOptions } from '../live/writer.ts'

export type Message = {
  readonly prompt: string
  readonly attachments?: Payload<'user.message'>['attachments']
  readonly source?: string
  /** What people are shown in its place. */
  readonly displayPrompt?: string
  /** By what the message is known from now on, when whoever sends it has a name for it. */
  readonly messageId?: string
}

export type SendOptions = WriterOptions & {
  /** While a turn runs: refuse (the default), wait in the queue, or join the turn that runs. */
  readonly whenBusy?: 'refuse' | 'enqueue' | 'steer'
}

export type TurnOutcome = {
  readonly status: 'completed' | 'cancelled' | 'failed' | 'steered' | 'withdrawn'
  readonly turnId: string
  readonly error?: string
}

export async function send(
  engine: EngineContext,
  session: LiveSession,
  message: Message,
  { whenBusy = 'refuse', ...options }: SendOptions = {},
): Promise<TurnOutcome> {
  if (message.prompt.trim() === '' && !message.attachments?.length) {
    throw new EngineError('invalid', 'The message is empty. Nothing was sent.')
  }
  if (session.running === undefined) return begin(engine, session, message, options)
  if (whenBusy === 'steer' && session.running.takesSteering) {
    const outcome = await steer(engine, session, session.running, message)
    return outcome ?? send(engine, session, message, { whenBusy: 'enqueue', ...options })
  }
  if (whenBusy !== 'refuse') return enqueue(session, message)
  requireIdle(session, 'send')
  throw new EngineError('internal', 'A turn runs and yet the session is idle.')
}

const begin = (
  engine: EngineContext,
  session: LiveSession,
  message: Message,
  options: WriterOptions,
  delivery: 'idle' | 'queued' = 'idle',
): Promise<TurnOutcome> =>
  occupy(
    engine,
    session,
    options,
    (running) => runTurn(engine, session, running, message, delivery),
    { takesSteering: true },
  )

/** The session does this and nothing else until it is done; then whoever waits is next. */
export async function occupy<T>(
  engine: EngineContext,
  session: LiveSession,
  options: WriterOptions,
  work: (running: RunningTurn) => Promise<T>,
  { takesSteering } = { takesSteering: false },
): Promise<T> {
  const running: RunningTurn = {
    turnId: engine.newId(),
    abort: new AbortController(),
    takesSteering,
    begun: Promise.withResolvers(),
    reason: 'user_initiated',
  }
  session.running = running
  const { promise, resolve: ended } = Promise.withResolvers<void>()
  session.ended = promise
  try {
    await makeFolder(engine, session)
    return await withWriter(engine, session, options, () =>
      withInbox(engine, session, running, () => work(running)),
    )
  } finally {
    running.takesSteering = false
    running.begun.resolve()
    session.running = undefined
    session.steering = []
    ended()
    session.feed.tell({ type: 'session.idle', data: { aborted: running.abort.signal.aborted } })
    if (running.abort.signal.aborted) session.queueHeld = true
    drain(engine, session)
  }
}

/** Whoever was first in the queue is next, unless somebody stopped the session on purpose. */
export function drain(engine: EngineContext, session: LiveSession): void {
  if (session.running !== undefined || session.queueHeld) return
  const next = nextInQueue(session)
  if (next !== undefined)
    begin(engine, session, next.message, {}, 'queued').then(next.resolve, next.reject)
}
