/** Messages that wait for the running turn to end. */
import { z } from 'zod'
import { isFound } from '../failure.ts'
import { EngineError } from '../../../engine/errors.ts'
import { tell } from '../follow-session.ts'
import type { HostedSession } from '../hosted-session.ts'
import { passOn, sessionMethod, type Methods } from '../method.ts'
import { message, take } from './session-turns.ts'

const id = z.string()
/** What was sent meanwhile is no error. */
const says = (field: string) => ({ answer: { [field]: true }, missing: { [field]: false } })

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
      await isFound(session.ops.changeQueue({ kind: 'move', messageId: copyId, position: at + 1 }))
      return { id: copyId }
    },
  ),
  'session.queue.pendingItems': sessionMethod('What waits.', waiting),
  'session.queue.moveItem': passOn('changeQueue', {
    summary: 'Puts a message at another place.',
    takes: { id, toPosition: z.int().min(0) },
    to: ({ id: messageId, toPosition: position }) => [{ kind: 'move', messageId, position }],
    ...says('changed'),
  }),
  'session.queue.insertAt': sessionMethod(
    'Puts a new message at a place. It is sent at once when nothing runs.',
    { position: z.int().min(0), message: z.looseObject(message) },
    async (session, { position, message: sent }) => {
      const { ops } = session
      const messageId = await take(session, sent, {})
      await isFound(ops.changeQueue({ kind: 'move', messageId, position }))
      return { id: messageId }
    },
  ),
  'session.queue.removeAt': passOn('changeQueue', {
    summary: 'Withdraws a message.',
    takes: { id },
    to: ({ id: messageId }) => [{ kind: 'remove', messageId }],
    ...says('removed'),
  }),
  'session.queue.updateText': passOn('changeQueue', {
    summary: 'Changes what a message says.',
    takes: { id, prompt: z.string() },
    to: ({ id: messageId, prompt }) => [{ kind: 'edit', messageId, prompt }],
    ...says('updated'),
  }),
  'session.queue.sendNow': passOn('changeQueue', {
    summary: 'Lets a message that waits join the running turn.',
    takes: { id },
    to: ({ id: messageId }) => [{ kind: 'send-now', messageId }],
    from: (steered) => ({ steered: steered > 0 }),
  }),
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
      return { removed: await isFound(ops.changeQueue({ kind: 'remove', messageId })) }
    },
  ),
  'session.queue.clear': sessionMethod('Withdraws everything.', async ({ ops, commands }) => {
    commands.clear()
    await ops.changeQueue({ kind: 'clear' })
  }),
  'session.queue.setDrainPaused': passOn('changeQueue', {
    summary: 'Holds the queue, or lets it go on.',
    takes: { paused: z.boolean() },
    to: ({ paused }) => [{ kind: paused ? 'hold' : 'release' }],
  }),
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
