import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Notice } from '../format/notice.ts'
import { converse, openHome } from '../../test/support/engine.ts'
import type { Server } from './control-client.ts'
import { joinPieces, passOnNotices } from './live-notices.ts'

const said = (messageId: string, deltaContent: string): Notice => ({
  type: 'assistant.message_delta',
  data: { messageId, deltaContent },
})
const printed = (toolCallId: string, partialOutput: string, agentId?: string): Notice => ({
  type: 'tool.execution_partial_result',
  data: { toolCallId, partialOutput },
  ...(agentId !== undefined && { agentId }),
})

test('pieces of one text that follow each other are told as one', () => {
  assert.deepEqual(joinPieces([said('a', 'Hel'), said('a', 'lo '), said('a', 'there')]), [
    said('a', 'Hello there'),
  ])
})

test('the order stays, and pieces of other texts, tools and agents stay apart', () => {
  const idle: Notice = { type: 'session.idle', data: {} }
  const all = [
    said('a', '1'),
    said('b', '2'),
    said('a', '3'),
    idle,
    said('a', '4'),
    printed('x', '5'),
    printed('x', '6', 'sub'),
  ]
  assert.deepEqual(joinPieces(all), all)
  assert.deepEqual(joinPieces([]), [])
})

test('that it rests is not told behind the message that came next', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const session = await engine.create()
  await converse(engine, session.id, { prompt: 'first' })
  const told: string[] = []
  const over = new AbortController()
  const isTold = Promise.withResolvers<void>()
  const server = {
    async notices(_id: string, notices: readonly Notice[]) {
      told.push(...notices.map(({ type }) => type))
      if (told.includes('session.idle')) isTold.resolve()
      return true
    },
  } satisfies Partial<Server>
  const passing = passOnNotices(
    {
      server: server as unknown as Server,
      clean: (notice) => [notice],
      sync: async () => {},
    },
    session,
    over.signal,
  )
  await converse(engine, session.id, { prompt: 'second' })
  await converse(engine, session.id, { prompt: 'third' })
  await isTold.promise
  over.abort()
  await passing
  assert.equal(told.filter((type) => type === 'session.idle').length, 1)
})
