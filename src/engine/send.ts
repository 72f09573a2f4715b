/**
 * Takes a message in: it starts a turn, or, while one runs, waits its turn or steers the one that runs. Whoever
 * sent it learns how its turn ended.
 */
import type { Payload } from '../format/event.ts'
import { commit } from './commit.ts'
import type { EngineContext } from './context.ts'
import { EngineError } from './errors.ts'
import { requireIdle } from './live-session.ts'
import type { LiveSession, RunningTurn } from './live-session.ts'
import { makeFolder } from './make-folder.ts'
import { enqueue, nextInQueue } from './queue.ts'
import { runTurn } from './turn.ts'
import { withWriter } from './writer.ts'
import type { WriterOptions } from './writer.ts'

export type Message = {
  readonly prompt: string
  readonly attachments?: Payload<'user.message'>['attachments']
  readonly source?: string
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
  if (whenBusy === 'steer') return steer(engine, session, session.running, message)
  if (whenBusy === 'enqueue') return enqueue(session, message)
  requireIdle(session, 'send')
  throw new EngineError('internal', 'A turn runs and yet the session is idle.')
}

async function begin(
  engine: EngineContext,
  session: LiveSession,
  message: Message,
  options: WriterOptions,
  delivery: 'idle' | 'queued' = 'idle',
): Promise<TurnOutcome> {
  const running: RunningTurn = {
    turnId: engine.newId(),
    abort: new AbortController(),
    reason: 'user_initiated',
  }
  session.running = running
  const { promise, resolve: ended } = Promise.withResolvers<void>()
  session.ended = promise
  try {
    await makeFolder(engine, session)
    return await withWriter(engine, session, options, () =>
      runTurn(engine, session, running, message, delivery),
    )
  } finally {
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

async function steer(
  engine: EngineContext,
  session: LiveSession,
  { turnId }: RunningTurn,
  message: Message,
): Promise<TurnOutcome> {
  const data: Payload<'user.message'> = {
    content: message.prompt,
    messageId: engine.newId(),
    delivery: 'steering',
    turnId,
    ...(message.attachments?.length && { attachments: message.attachments }),
    ...(message.source !== undefined && { source: message.source }),
  }
  await commit(engine, session, [{ type: 'user.message', data }])
  session.steering.push(data)
  return { status: 'steered', turnId }
}
