/** What is said to a turn that runs, and what waits for its end: `/tell`, `/cancel`, `/queue`. */
import { z } from 'zod'
import { EngineError } from '../engine/errors.ts'
import type { QueueChange } from '../format/inbox.ts'
import type { QueueView } from '../engine/turn/queue.ts'
import { preview } from '../state/preview.ts'
import { command, type CommandContext, type Wording } from './command.ts'
import { plain } from './markdown.ts'

export const tell = command({
  name: 'tell',
  summary: 'say something in the turn that runs',
  changes: 'turn',
  on: 'session',
  args: z.object({
    message: z.string().describe('what to say'),
    queue: z.boolean().optional().describe('as a message of its own, when the turn has ended'),
  }),
  words: ['message…'],
  async run(context, { message, queue: waits }) {
    if (message.trim() === '')
      throw new EngineError('invalid', 'There is nothing to say. Nothing was sent.')
    const session = await context.session()
    const { at = 'left' } = await session.pending()
    if (session.now?.isRunning !== true && at === 'left')
      throw new EngineError(
        'invalid',
        `Nothing is running in session ${session.id}. Nothing was sent. Send it as a message.`,
        { details: { sessionId: session.id } },
      )
    const whenBusy = waits === true ? 'enqueue' : 'steer'
    const { how, messageId } = await session.send({ prompt: message }, { whenBusy })
    return { id: session.id, status: how, messageId }
  },
  say: ({ status }) => SAID[status],
})

const SAID = {
  started: 'It begins a turn.',
  steered: 'It joins the turn that runs.',
  queued: 'It is sent when the turn has ended.',
} as const

export const cancel = command({
  name: 'cancel',
  summary: 'end the turn that runs',
  changes: 'turn',
  on: 'session',
  args: z.object({}),
  async run(context) {
    const session = await context.session()
    return { id: session.id, cancelled: await session.cancel() }
  },
  say: ({ cancelled }) => (cancelled ? 'The turn is stopped.' : 'Nothing was running.'),
})

export const queue = command({
  name: 'queue',
  summary: 'messages that wait for the end of the turn',
  changes: 'nothing',
  on: 'session',
  args: z.object({}),
  run: async (context) => (await context.session()).queue(),
  say: sayQueue,
})

function sayQueue({ entries, isHeld }: QueueView, { call }: Wording): string {
  if (entries.length === 0) return 'Nothing waits.'
  const rows = entries.map(({ prompt }, at) => `${at + 1}. ${plain(preview(prompt, 200))}`)
  return [...rows, ...(isHeld ? ['', `${call('queue release')} sends them.`] : [])].join('\n')
}

const message = z.string().describe('its number in the list, or its id')

export const queueEdit = command({
  name: 'queue edit',
  summary: 'write one of them anew',
  changes: 'turn',
  on: 'session',
  args: z.object({ message, text: z.string().describe('what it says from here on') }),
  words: ['message', 'text…'],
  run: (context, { message: word, text }) =>
    change(context, word, (messageId) => ({ kind: 'edit', messageId, prompt: text })),
  say: sayQueue,
})

export const queueMove = command({
  name: 'queue move',
  summary: 'have one of them sent earlier or later',
  changes: 'turn',
  on: 'session',
  args: z.object({
    message,
    place: z.coerce.number().int().min(1).describe('its place in the list, from 1 on'),
  }),
  words: ['message', 'place'],
  run: (context, { message: word, place }) =>
    change(context, word, (messageId) => ({ kind: 'move', messageId, position: place - 1 })),
  say: sayQueue,
})

export const queueRemove = command({
  name: 'queue remove',
  summary: 'take one of them out',
  changes: 'turn',
  on: 'session',
  args: z.object({ message }),
  words: ['message'],
  run: (context, { message: word }) =>
    change(context, word, (messageId) => ({ kind: 'remove', messageId })),
  say: sayQueue,
})

const whole = (word: 'clear' | 'release', summary: string) =>
  command({
    name: `queue ${word}`,
    summary,
    changes: 'turn',
    on: 'session',
    args: z.object({}),
    async run(context) {
      const session = await context.session()
      await session.changeQueue({ kind: word })
      return session.queue()
    },
    say: sayQueue,
  })

export const queueClear = whole('clear', 'take all of them out')
export const queueRelease = whole('release', 'send what was held after a cancel')

async function change(
  context: CommandContext,
  word: string,
  changeOf: (messageId: string) => QueueChange,
): Promise<QueueView> {
  const session = await context.session()
  const { entries } = await session.queue()
  const entry = /^\d{1,4}$/.test(word)
    ? entries[Number(word) - 1]
    : entries.find(({ id }) => id === word)
  if (entry === undefined)
    throw new EngineError('not_found', 'It does not wait any more. Nothing was changed.')
  await session.changeQueue(changeOf(entry.id))
  return session.queue()
}
