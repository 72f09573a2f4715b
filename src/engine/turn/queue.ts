/** Messages that wait for the running turn to end. A file has them too, until each is in the log. */
import type { QueueChange } from '../../format/inbox.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import type { LiveSession } from '../live/live-session.ts'
import { claimQueue } from './claim-queue.ts'
import { closeUnusedInbox } from '../transport/serve-inbox.ts'
import type { Message, QueuedMessage, TurnOutcome } from './message.ts'
import { turnQueue } from './acquire-session.ts'
import { sendNow } from './send-now.ts'
import { deferred } from '../../lib/deferred.ts'

type QueueEntry = { readonly id: string; readonly prompt: string }

export type QueueView = {
  /** In the order in which they will be sent. */
  readonly entries: readonly QueueEntry[]
  /** They wait until a person lets them go on. */
  readonly isHeld: boolean
}

export const queueOf = ({ queue }: LiveSession): QueueView => ({
  entries: queue.messages.map(({ id, message }) => ({ id, prompt: message.prompt })),
  isHeld: queue.state === 'held',
})

export const isQueued = ({ queue }: LiveSession, messageId: string): boolean =>
  queue.messages.some(({ id }) => id === messageId)

export function enqueue(session: LiveSession, message: Message): Promise<TurnOutcome> {
  const { promise, resolve, reject } = deferred<TurnOutcome>()
  const { messageId: id = crypto.randomUUID() } = message
  session.queue.messages.push({ id, message: { ...message, messageId: id }, resolve, reject })
  tellChanged(session)
  return promise
}

export function nextInQueue(session: LiveSession): QueuedMessage | undefined {
  const next = session.queue.messages.shift()
  if (next === undefined) return undefined
  session.queue.sending.add(next)
  session.feed.tell({ type: 'pending_messages.modified', data: {} })
  return next
}

/** It is in the log, or its sender knows that it never will be. */
export function noteSent(session: LiveSession, item: QueuedMessage): void {
  if (session.queue.sending.delete(item)) tellChanged(session)
}

/** How many messages it changed. */
export async function changeQueue(
  engine: EngineContext,
  session: LiveSession,
  change: QueueChange,
): Promise<number> {
  await claimQueue(engine, session)
  const { messages } = session.queue
  switch (change.kind) {
    case 'send-now':
      return (await sendNow(engine, session, () => takeOut(session, change.messageId))) ? 1 : 0
    case 'clear': {
      const count = clearQueue(session)
      await closeUnusedInbox(session)
      return count
    }
    case 'hold':
    case 'release': {
      const count = messages.length
      const isNext = turnQueue(session, change.kind)
      tellChanged(session)
      if (isNext) engine.startNext(session)
      return count
    }
    case 'edit':
      edit(found(session, change.messageId), change.prompt)
      break
    case 'move': {
      const item = found(session, change.messageId)
      messages.splice(messages.indexOf(item), 1)
      messages.splice(change.position, 0, item)
      break
    }
    case 'remove': {
      const item = found(session, change.messageId)
      takeOut(session, item.id)
      item.resolve({ status: 'withdrawn', turnId: item.id })
    }
  }
  tellChanged(session)
  await session.queue.kept
  await closeUnusedInbox(session)
  return 1
}

/** `isLeft`: the file keeps them for the process that opens the session next. */
export function clearQueue(
  session: LiveSession,
  { isLeft = false }: { readonly isLeft?: boolean } = {},
): number {
  const all = session.queue.messages.splice(0)
  for (const { id, resolve } of all) resolve({ status: 'withdrawn', turnId: id })
  turnQueue(session, 'emptied')
  if (all.length > 0 && !isLeft) tellChanged(session)
  return all.length
}

function edit(item: QueuedMessage, prompt: string): void {
  if (prompt.trim() === '')
    throw new EngineError('invalid', 'The message is empty. Nothing was changed.')
  item.message = { ...item.message, prompt }
}

/** Undefined when it was sent or removed. */
function takeOut(session: LiveSession, id: string): QueuedMessage | undefined {
  const { messages } = session.queue
  const at = messages.findIndex((candidate) => candidate.id === id)
  return at === -1 ? undefined : messages.splice(at, 1)[0]
}

function found(session: LiveSession, id: string): QueuedMessage {
  const item = session.queue.messages.find((candidate) => candidate.id === id)
  if (item !== undefined) return item
  throw new EngineError(
    'not_found',
    `No message ${id} waits in session ${session.id}: it was sent or removed. Nothing was changed.`,
  )
}

function tellChanged(session: LiveSession): void {
  session.queue.kept = session.queue.keep()
  session.feed.tell({ type: 'pending_messages.modified', data: {} })
}
