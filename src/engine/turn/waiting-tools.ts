/** Tools that a person asked for while something ran: each runs in the order of typing, among the messages that wait. */
import { deferred } from '../../lib/deferred.ts'
import type { LiveSession, WaitingTool } from '../live/live-session.ts'

/** Undefined when it was withdrawn before it began. */
export function whenNext<T>(
  { queue }: LiveSession,
  start: () => Promise<T>,
): Promise<T | undefined> {
  const { promise, resolve, reject } = deferred<T | undefined>()
  queue.tools.push({
    behind: new Set(queue.messages.map(({ id }) => id)),
    begin: () => void start().then(resolve, reject),
    withdraw: () => resolve(undefined),
  })
  return promise
}

/** The first tool, when no message that was sent before it waits any more. */
export function nextTool({ queue }: LiveSession): WaitingTool | undefined {
  const [first] = queue.tools
  const isNext = !queue.messages.some(({ id }) => first?.behind.has(id))
  return isNext ? queue.tools.shift() : undefined
}

export function withdrawTools({ queue }: LiveSession): void {
  for (const { withdraw } of queue.tools.splice(0)) withdraw()
}
