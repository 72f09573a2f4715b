/** Messages that wait for the running turn to end. */
import { z } from 'zod'
import { EngineError } from '../../../engine/errors.ts'
import { tell } from '../follow-session.ts'
import type { HostedSession } from '../hosted-session.ts'
import { sessionMethod, type Methods } from '../method.ts'
import { message, take } from './session-turns.ts'

const id = z.string()

export const queueMethods: Methods = {
  'session.queue.hasPending': sessionMethod('Whether something waits.', async (session) => {
    const { items, steeringMessages } = await waiting(session)
    return { hasPending: items.length > 0 || steeringMessages.length > 0 }
  }),
  'session.queue.snapshot': sessionMethod('What waits, at one moment.', waiting),
  'session.queue.duplicateAt': sessionMethod(
    'Puts a copy of a message that waits behind it.',
    { id },
    async (session, { id: messageId }) => {
      const { entries } = await session.ops.queue()
      const at = entries.findIndex((entry) => entry.id === messageId)
      const entry = entries[at]
      if (entry === undefined) {
        throw new EngineError(
          'not_found',
          `No message ${messageId} waits: it was sent or withdrawn. Nothing was changed.`,
        )
      }
      const copyId = await take(session, { prompt: entry.prompt }, {})
      await isFound(() =>
        session.ops.changeQueue({ kind: 'move', messageId: copyId, position: at + 1 }),
      )
      return { id: copyId }
    },
  ),
  'session.queue.pendingItems': sessionMethod('What waits.', waiting),
  'session.queue.moveItem': sessionMethod(
    'Puts a message at another place.',
    { id, toPosition: z.int().min(0) },
    async ({ ops }, { id: messageId, toPosition: position }) => ({
      changed: await isFound(() => ops.changeQueue({ kind: 'move', messageId, position })),
    }),
  ),
  'session.queue.insertAt': sessionMethod(
    'Puts a new message at a place. It is sent at once when nothing runs.',
    { position: z.int().min(0), message: z.looseObject(message) },
    async (session, { position, message: sent }) => {
      const { ops } = session
      const messageId = await take(session, sent, {})
      await isFound(() => ops.changeQueue({ kind: 'move', messageId, position }))
      return { id: messageId }
    },
  ),
  'session.queue.removeAt': sessionMethod(
    'Withdraws a message.',
    { id },
    async ({ ops }, { id: messageId }) => ({
      removed: await isFound(() => ops.changeQueue({ kind: 'remove', messageId })),
    }),
  ),
  'session.queue.updateText': sessionMethod(
    'Changes what a message says.',
    { id, prompt: z.string() },
    async ({ ops }, { id: messageId, prompt }) => ({
      updated: await isFound(() => ops.changeQueue({ kind: 'edit', messageId, prompt })),
    }),
  ),
  'session.queue.sendNow': sessionMethod(
    'Lets a message that waits join the running turn.',
    { id },
    async ({ ops }, { id: messageId }) => ({
      steered: (await ops.changeQueue({ kind: 'send-now', messageId })) > 0,
    }),
  ),
  'session.queue.removeMostRecent': sessionMethod(
    'Withdraws the last message.',
    async (session) => {
      const { ops, commands } = session
      // Commands are shown after the messages that wait.
      if (commands.removeLast()) {
        tell(session, { type: 'pending_messages.modified', data: {} })
        return { removed: true }
      }
      const messageId = (await ops.queue()).entries.at(-1)?.id
      if (messageId === undefined) return { removed: false }
      return { removed: await isFound(() => ops.changeQueue({ kind: 'remove', messageId })) }
    },
  ),
  'session.queue.clear': sessionMethod('Withdraws everything.', async ({ ops, commands }) => {
    commands.clear()
    await ops.changeQueue({ kind: 'clear' })
  }),
  'session.queue.setDrainPaused': sessionMethod(
    'Holds the queue, or lets it go on.',
    { paused: z.boolean() },
    async ({ ops }, { paused }) => {
      await ops.changeQueue({ kind: paused ? 'hold' : 'release' })
    },
  ),
}

async function waiting(session: HostedSession) {
  const { ops, commands, notifications } = session
  const [{ mode }, { entries: all }] = await Promise.all([ops.state(), ops.queue()])
  const hidden = new Set(notifications.map(({ messageId }) => messageId))
  const entries = all.filter((entry) => !hidden.has(entry.id))
  return {
    items: [
      ...entries.map((entry) => ({
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
    steeringMessages: ops.now?.steering ?? [],
  }
}

/** What was sent meanwhile is no error. */
export async function isFound(action: () => Promise<unknown>): Promise<boolean> {
  try {
    await action()
    return true
  } catch (error) {
    if (error instanceof EngineError && error.code === 'not_found') return false
    throw error
  }
}
