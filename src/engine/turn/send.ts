/**
 * Takes a message in: it starts a turn, or, while one runs, waits its turn or joins the one that runs. The sender is
 * told which as soon as it is so, and later how its turn ended.
 */
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { requireIdle, type LiveSession } from '../live/live-session.ts'
import { receptionTable } from '../live/machine.ts'
import type { WriterOptions } from '../live/writer.ts'
import type { Message, TurnOutcome } from './message.ts'
import { occupy } from './acquire-session.ts'
import { enqueue, isQueued, nextInQueue, noteSent } from './queue.ts'
import { steer } from './steering.ts'
import { tellFailed } from './notify-failure.ts'
import { runTurn } from './turn.ts'
import { nextTool } from './waiting-tools.ts'
import { deferred } from '../../lib/deferred.ts'

export type SendOptions = WriterOptions & {
  /** While a turn runs: refuse (the default), wait in the queue, or join the turn that runs. */
  readonly whenBusy?: 'refuse' | 'enqueue' | 'steer'
  /** Nobody waits for its end: what fails after it was taken is told to all who follow. */
  readonly detached?: boolean
}

export type Sent = {
  readonly messageId: string
  readonly how: 'started' | 'queued' | 'steered'
  /** How its turn ended. Rejects when the turn could not be carried out at all. */
  readonly ended: Promise<TurnOutcome>
}

/** Returns when the message is durable, in the log or in the queue. */
export async function send(
  engine: EngineContext,
  session: LiveSession,
  message: Message,
  options: SendOptions = {},
): Promise<Sent> {
  const { messageId = engine.newId() } = message
  if (isQueued(session, messageId)) {
    throw new EngineError(
      'conflict',
      `A message ${messageId} waits in session ${session.id} already. Nothing was sent.`,
    )
  }
  const { promise: taken, resolve } = deferred<Sent['how']>()
  using _listening = session.feed.subscribe((item) => {
    if (item.kind === 'notice' && isQueued(session, messageId)) resolve('queued')
    if (item.kind !== 'event' || 'stranger' in item.event) return
    const { event } = item
    if (event.type === 'user.message' && event.data.messageId === messageId)
      resolve(event.data.delivery === 'steering' ? 'steered' : 'started')
  })
  const ended = take(engine, session, { ...message, messageId }, options)
  // A failure before the message is in is thrown from here; a later one waits for the reader of `ended`.
  ended.catch(() => {})
  const how = isQueued(session, messageId)
    ? 'queued'
    : await Promise.race([taken, ended.then(() => 'started' as const)])
  if (options.detached === true) ended.catch((error: unknown) => tellFailed(session, error))
  if (how === 'queued') await session.queue.kept
  return { messageId, how, ended }
}

async function take(
  engine: EngineContext,
  session: LiveSession,
  message: Message,
  { whenBusy = 'refuse', detached: _detached, ...options }: SendOptions,
): Promise<TurnOutcome> {
  if (message.prompt.trim() === '' && !message.attachments?.length) {
    throw new EngineError('invalid', 'The message is empty. Nothing was sent.')
  }
  const reception = receptionTable[session.work.state][whenBusy]
  const { running } = session.work
  if (reception === 'start') return begin(engine, session, message, options, 'idle')
  const joins = reception === 'steer' || (reception === 'queue' && running?.isWaiting === true)
  if (reception === 'queue' && !joins) return enqueue(session, message)
  if (joins && running !== undefined) {
    const outcome = await steer(engine, session, running, message)
    return outcome ?? take(engine, session, message, { whenBusy: 'enqueue', ...options })
  }
  requireIdle(session, 'send')
  throw new EngineError('conflict', `Session ${session.id} is being closed. Nothing was sent.`)
}

const begin = (
  engine: EngineContext,
  session: LiveSession,
  message: Message,
  options: WriterOptions,
  delivery: 'idle' | 'queued',
): Promise<TurnOutcome> =>
  occupy(engine, session, options, 'begin-turn', (running) =>
    runTurn(engine, session, running, message, delivery),
  )

/** The first message or tool that waits is next, unless something runs. */
export function startNext(engine: EngineContext, session: LiveSession): void {
  if (session.work.state !== 'idle') return
  const tool = nextTool(session)
  if (tool !== undefined) return tool.begin()
  const next = nextInQueue(session)
  if (next === undefined) return
  const listening = session.feed.subscribe((item) => {
    if (item.kind !== 'event' || 'stranger' in item.event) return
    const { type, data } = item.event
    if (type === 'user.message' && data.messageId === next.id) noteSent(session, next)
  })
  begin(engine, session, next.message, {}, 'queued')
    .then(next.resolve, next.reject)
    .finally(() => {
      listening[Symbol.dispose]()
      noteSent(session, next)
    })
}
