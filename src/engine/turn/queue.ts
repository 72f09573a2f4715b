/** Messages that wait for the running turn to end. They live in this process; what was sent is in the log. */
import { EngineError } from '../errors.ts'
import type { LiveSession } from '../live/live-session.ts'
import type { Message, TurnOutcome } from './send.ts'

export type QueuedMessage = {
  readonly id: string
  message: Message
  readonly resolve: (outcome: TurnOutcome) => void
  readonly reject: (error: unknown) => void
}

export type QueueEntry = { readonly id: string; readonly prompt: string }

export function enqueue(session: LiveSession, message: Message): Promise<TurnOutcome> {
  const { promise, resolve, reject } = Promise.withResolvers<TurnOutcome>()
  const { messageId: id = crypto.randomUUID() } = message
  session.queue.push({ id, message: { ...message, messageId: id }, resolve, reject })
  changed(session)
  return promise
}

export function nextInQueue(session: LiveSession): QueuedMessage | undefined {
  const next = session.queue.shift()
  if (next !== undefined) changed(session)
  return next
}

/** Takes one out, to be sent in another way. Undefined when it was sent or removed. */
export function takeQueued(session: LiveSession, id: string): QueuedMessage | undefined {
  const at = session.queue.findIndex((candidate) => candidate.id === id)
  if (at === -1) return undefined
  const [item] = session.queue.splice(at, 1)
  changed(session)
  return item
}

/** In the order in which they will be sent. */
export const queued = (session: LiveSession): readonly QueueEntry[] =>
  session.queue.map(({ id, message }) => ({ id, prompt: message.prompt }))

export function editQueued(session: LiveSession, id: string, prompt: string): void {
  if (prompt.trim() === '')
    throw new EngineError('invalid', 'The message is empty. Nothing was changed.')
  const item = find(session, id)
  item.message = { ...item.message, prompt }
  changed(session)
}

/** Puts a message at a place; places beyond the end mean the end. */
export function moveQueued(session: LiveSession, id: string, place: number): void {
  const item = find(session, id)
  session.queue.splice(session.queue.indexOf(item), 1)
  session.queue.splice(Math.max(0, place), 0, item)
  changed(session)
}

export function removeQueued(session: LiveSession, id: string): void {
  const item = find(session, id)
  session.queue.splice(session.queue.indexOf(item), 1)
  withdraw(item)
  changed(session)
}

export function clearQueue(session: LiveSession): number {
  const all = session.queue.splice(0)
  for (const item of all) withdraw(item)
  if (all.length > 0) changed(session)
  return all.length
}

const withdraw = ({ id, resolve }: QueuedMessage) => resolve({ status: 'withdrawn', turnId: id })

function find(session: LiveSession, id: string): QueuedMessage {
  const item = session.queue.find((candidate) => candidate.id === id)
  if (item !== undefined) return item
  throw new EngineError(
    'not_found',
    `No message ${id} waits in session ${session.id}: it was sent or removed. Nothing was changed.`,
  )
}

const changed = (session: LiveSession) =>
  session.feed.tell({ type: 'pending_messages.modified', data: {} })
