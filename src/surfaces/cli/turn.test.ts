import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Engine } from '../../engine/engine.ts'
import type { FeedItem } from '../../engine/live/feed.ts'
import type { Cli } from './command.ts'
import { takeTurn } from './turn.ts'

const event = (id: string) =>
  ({ kind: 'event', start: 0, end: 1, event: { id, type: 'x' } }) as unknown as FeedItem

test('a turn is over when its last event has been shown, not when it has been written', async () => {
  const { promise: isSent, resolve: sent } = Promise.withResolvers<void>()
  const session = {
    async *follow({ signal }: { signal: AbortSignal }) {
      yield event('first')
      await isSent
      await new Promise(setImmediate)
      if (!signal.aborted) yield event('last')
    },
    async send() {
      sent()
      return { ended: Promise.resolve({ status: 'completed', turnId: 't' }) }
    },
    state: async () => ({ lastEventId: 'last' }),
  }
  const engine = { open: async () => session } as unknown as Engine
  const shown: string[] = []
  const outcome = await takeTurn({ signal: new AbortController().signal } as Cli, engine, {
    id: crypto.randomUUID() as never,
    after: undefined,
    prompt: 'go',
    waitMs: undefined,
    permission: {
      policy: () => 'ask',
      answer: () => undefined,
      answerFar: () => undefined,
      refused: false,
    },
    show: (item) => shown.push(item.kind === 'event' ? item.event.id : item.kind),
  })
  assert.deepEqual([outcome.status, shown], ['completed', ['first', 'last']])
})

test('a turn whose questions cannot be shown any more ends with what broke, and does not wait for an answer', async () => {
  const { promise: never } = Promise.withResolvers<never>()
  const session = {
    async *follow() {
      yield event('asked')
    },
    send: async () => ({ ended: never }),
    state: async () => ({ lastEventId: 'asked' }),
  }
  const engine = { open: async () => session } as unknown as Engine
  const turn = takeTurn({ signal: new AbortController().signal } as Cli, engine, {
    id: crypto.randomUUID() as never,
    after: undefined,
    prompt: 'go',
    waitMs: undefined,
    permission: {
      policy: () => 'ask',
      answer: () => undefined,
      answerFar: () => undefined,
      refused: false,
    },
    show: () => {
      throw new Error('the terminal is gone')
    },
  })
  await assert.rejects(turn, { message: 'the terminal is gone' })
})
