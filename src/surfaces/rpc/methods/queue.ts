/** Messages that wait for the running turn to end. */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import { sessionMethod } from '../method.ts'
import type { Methods } from '../method.ts'
import { message, take } from './session-turns.ts'

const id = z.string()

export const queueMethods: Methods = {
  'session.queue.pendingItems': sessionMethod('What waits.', {}, async (session) => {
    const { ops, commands } = session
    const { mode } = await ops.state(session.id)
    return {
      items: [
        ...ops.queue(session.id).map((entry) => ({
          id: entry.id,
          messageId: entry.id,
          kind: 'message',
          displayText: entry.prompt,
          agentMode: mode,
        })),
        ...commands.queued().map(({ requestId, command }) => ({
          id: requestId,
          kind: 'command',
          displayText: command,
          agentMode: mode,
        })),
      ],
      steeringMessages: ops.activity(session.id)?.steering ?? [],
    }
  }),
  'session.queue.moveItem': sessionMethod(
    'Puts a message at another place.',
    { id, toPosition: z.int().min(0) },
    ({ ops, id: session }, { id: item, toPosition }) => ({
      changed: isFound(() => ops.moveQueued(session, item, toPosition)),
    }),
  ),
  'session.queue.insertAt': sessionMethod(
    'Puts a new message at a place. It is sent at once when nothing runs.',
    { position: z.int().min(0), message: z.looseObject(message) },
    async (session, { position, message: sent }) => {
      const { ops } = session
      const messageId = await take(session, sent, {})
      isFound(() => ops.moveQueued(session.id, messageId, position))
      return { id: messageId }
    },
  ),
  'session.queue.removeAt': sessionMethod(
    'Withdraws a message.',
    { id },
    ({ ops, id: session }, { id: item }) => ({
      removed: isFound(() => ops.removeQueued(session, item)),
    }),
  ),
  'session.queue.updateText': sessionMethod(
    'Changes what a message says.',
    { id, prompt: z.string() },
    ({ ops, id: session }, { id: item, prompt }) => ({
      updated: isFound(() => ops.editQueued(session, item, prompt)),
    }),
  ),
  'session.queue.sendNow': sessionMethod(
    'Lets a message that waits join the running turn.',
    { id },
    async ({ ops, id: session }, { id: item }) => ({ steered: await ops.sendNow(session, item) }),
  ),
  'session.queue.removeMostRecent': sessionMethod(
    'Withdraws the last message.',
    {},
    ({ ops, id: session }) => {
      const last = ops.queue(session).at(-1)
      if (last === undefined) return { removed: false }
      return { removed: isFound(() => ops.removeQueued(session, last.id)) }
    },
  ),
  'session.queue.clear': sessionMethod(
    'Withdraws everything.',
    {},
    ({ ops, id: session, commands }) => {
      commands.clear()
      ops.clearQueue(session)
      return null
    },
  ),
  'session.queue.setDrainPaused': sessionMethod(
    'Holds the queue, or lets it go on.',
    { paused: z.boolean() },
    ({ ops, id: session }, { paused }) => {
      ops.holdQueue(session, paused)
      return null
    },
  ),
}

/** What was sent meanwhile is no error. */
function isFound(action: () => void): boolean {
  try {
    action()
    return true
  } catch (error) {
    if (error instanceof EngineError && error.code === 'not_found') return false
    throw error
  }
}
