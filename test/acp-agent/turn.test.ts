/** A turn with a real ACP process behind the engine: what it says and does becomes events and notices, nothing is lost. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf } from '../../src/lib/fields.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { Event, EventOf, EventType } from '../../src/format/event.ts'
import type { SessionId } from '../../src/format/ids.ts'
import type { Notice } from '../../src/format/notice.ts'
import { createPastes } from '../../src/surfaces/tui/editor/paste.ts'
import { ask, known, openPlace, said } from './place.ts'
import { converse } from '../support/engine.ts'

const of = <T extends EventType>(events: readonly Event[], type: T): EventOf<T>[] =>
  events.filter((event) => event.type === type) as unknown as EventOf<T>[]

/** What is kept of the agent's own words. */
const besides = (event: Event | undefined): unknown => fieldsOf(event?.data)['acp']

async function until(engine: Engine, id: SessionId, type: EventType): Promise<Event> {
  for await (const item of (await engine.open(id)).follow()) {
    if (item.kind === 'event' && item.event.type === type) return item.event as Event
  }
  throw new Error(`No ${type} came.`)
}

/** The notices of one turn. */
async function noticesOf(engine: Engine, id: SessionId, prompt: string): Promise<Notice[]> {
  const notices: Notice[] = []
  const watching = (async () => {
    for await (const item of (await engine.open(id)).follow()) {
      if (!('notice' in item)) continue
      notices.push(item.notice)
      if (item.notice.type === 'session.idle') return
    }
  })()
  await converse(engine, id, { prompt })
  await watching
  return notices
}

test('an answer is told piece by piece and kept whole', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  await ask(engine, id, 'hello')
  const notices = await noticesOf(engine, id, '<<think hmm>><<say one two three>>')
  const deltas = notices.flatMap((notice) =>
    notice.type === 'assistant.message_delta' ? [notice.data.deltaContent] : [],
  )
  assert.deepEqual(deltas, ['one ', 'two ', 'three'])
  const events = await known(engine, id)
  assert.deepEqual(
    of(events, 'assistant.message').map(({ data }) => data.content),
    ['echo: hello', 'one two three'],
  )
  assert.deepEqual(
    of(events, 'assistant.reasoning').map(({ data }) => data.content),
    ['hmm'],
  )
})

test('a tool call is in the log with what it was called with, its diff, its raw output and fields that nobody knows', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  await ask(engine, id, '<<say I edit.>><<edit notes.md>><<say Done.>>')
  const events = await known(engine, id)
  assert.deepEqual(events.map(({ type }) => type).slice(-6), [
    'session.info',
    'assistant.message',
    'tool.execution_start',
    'tool.execution_complete',
    'assistant.message',
    'assistant.turn_end',
  ])
  const [start] = of(events, 'tool.execution_start')
  const [complete] = of(events, 'tool.execution_complete')
  assert.deepEqual(start?.data.arguments, { path: 'notes.md' })
  assert.equal(start?.data.toolName, 'edit')
  assert.equal(complete?.data.toolCallId, start?.data.toolCallId)
  assert.deepEqual(complete?.data.fileEdits, [{ path: 'notes.md', kind: 'edit' }])
  assert.match(complete?.data.result?.detailedContent ?? '', /-one\n\+two/)
  const acp = fieldsOf(besides(complete))
  assert.equal(acp['odd'], 'kept')
  assert.deepEqual(acp['rawOutput'], { ok: true, more: [1] })
  assert.deepEqual(acp['content'], [
    { type: 'diff', path: 'notes.md', oldText: 'one\n', newText: 'two\n' },
  ])
})

test('two turns in which the agent uses the same id are two calls', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  await ask(engine, id, '<<edit a.md>>')
  await ask(engine, id, '<<edit a.md>>')
  const calls = of(await known(engine, id), 'tool.execution_complete').map(
    ({ data }) => data.toolCallId,
  )
  assert.equal(new Set(calls).size, 2)
})

test('an update of an unknown kind is told and kept as it came', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  await ask(engine, id, 'hello')
  const odd = { sessionUpdate: 'telepathy', strength: 3, nested: { deep: [true] } }
  const notices = await noticesOf(engine, id, `<<update ${JSON.stringify(odd)}>><<say ok>>`)
  assert.deepEqual(
    notices.flatMap((notice) =>
      notice.type === 'session.custom_notification' ? [notice.data] : [],
    ),
    [{ source: 'acp', name: 'telepathy', payload: odd }],
  )
  const kept = of(await known(engine, id), 'session.info').find(
    ({ data }) => data.infoType === 'agent_update:telepathy',
  )
  assert.deepEqual(besides(kept), odd)
})

test('a mode that is told as a text is no part of the answer', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  const content = { type: 'text', text: '[MODE_UPDATE] plan' }
  const chunk = JSON.stringify({ sessionUpdate: 'agent_message_chunk', content })
  assert.equal(await ask(engine, id, `<<update ${chunk}>><<say ok>>`), 'ok')
})

test('fields that no schema has are kept with the message that they came with', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  const chunk = {
    sessionUpdate: 'agent_message_chunk',
    messageId: 'm1',
    content: { type: 'text', text: 'hi', annotations: { audience: ['user'] } },
    _meta: { vendor: 1 },
  }
  await ask(engine, id, `<<update ${JSON.stringify(chunk)}>>`)
  const [message] = of(await known(engine, id), 'assistant.message')
  assert.equal(message?.data.content, 'hi')
  assert.deepEqual(besides(message), [
    { _meta: { vendor: 1 }, content: { annotations: { audience: ['user'] } } },
  ])
})

test('a plan is kept with its raw entries, and told', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  await ask(engine, id, 'hello')
  const entries = [
    { content: 'look', priority: 'high', status: 'completed' },
    { content: 'leap', priority: 'low', status: 'in_progress', odd: 1 },
  ]
  const plan = JSON.stringify({ sessionUpdate: 'plan', entries })
  const notices = await noticesOf(engine, id, `<<update ${plan}>><<update ${plan}>><<say ok>>`)
  assert.ok(notices.some(({ type }) => type === 'session.todos_changed'))
  const kept = of(await known(engine, id), 'session.info').filter(
    ({ data }) => data.infoType === 'agent_plan',
  )
  assert.deepEqual(
    kept.map(({ data }) => [
      data.message,
      (data as unknown as { acp: { entries: unknown } }).acp.entries,
    ]),
    [['1 of 2 steps are done. Now: leap', entries]],
  )
})

test('usage is told, and what an answer used is recorded as the difference of totals', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  await ask(engine, id, '<<say a>><<use 100 10>>')
  const usage = JSON.stringify({ sessionUpdate: 'usage_update', used: 53, size: 200 })
  const notices = await noticesOf(engine, id, `<<update ${usage}>><<say b>><<use 150 12>>`)
  const told = notices.find(({ type }) => type === 'session.usage_info')
  assert.deepEqual(told?.data, { tokenLimit: 200, currentTokens: 53, messagesLength: 3 })
  assert.deepEqual(
    of(await known(engine, id), 'session.usage_record').map(({ data }) => [
      data.usage.inputTokens,
      data.usage.outputTokens,
    ]),
    [
      [100, 10],
      [50, 2],
    ],
  )
})

test('lines that are no messages are told and harm nothing', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  await ask(engine, id, 'hello')
  const notices = await noticesOf(
    engine,
    id,
    '<<malformed {"jsonrpc": oops>><<malformed [1]>><<say still here>>',
  )
  assert.deepEqual(
    notices.flatMap((notice) =>
      notice.type === 'session.custom_notification' ? [notice.data['payload']] : [],
    ),
    [
      { line: '{"jsonrpc": oops', why: 'not JSON' },
      { line: '[1]', why: 'not an object' },
    ],
  )
  assert.equal(said((await known(engine, id)).slice(-2)), 'still here')
})

test('a huge result passes, and its bulk is kept beside the log', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  await ask(engine, id, '<<huge 3000000>><<say ok>>')
  const [complete] = of(await known(engine, id), 'tool.execution_complete')
  assert.ok(JSON.stringify(complete).length < 100_000)
  assert.ok((complete?.data.reprise?.blobs ?? []).some(({ byteLength }) => byteLength >= 3_000_000))
})

test('a message beyond the limit ends the agent, and the turn says so', async () => {
  await using place = await openPlace()
  const engine = place.engine({ limits: { maxFrameBytes: 100_000 } })
  const id = await place.begin(engine)
  const outcome = await converse(engine, id, { prompt: '<<say before>><<huge 200000>>' })
  assert.equal(outcome.status, 'failed')
  assert.match(outcome.error ?? '', /more than 100000 bytes/)
  assert.equal(said(await known(engine, id)), 'before')
})

test('a failure of the agent is told in its own words, and it goes on', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  const outcome = await converse(engine, id, { prompt: '<<say wait>><<fail>>' })
  assert.deepEqual(
    [outcome.status, outcome.error],
    ['failed', 'scripted failed: The model is on holiday. (-32603)'],
  )
  assert.equal(await ask(engine, id, '<<say back>>'), 'back')
})

test('a stop for another reason than the end is recorded', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  await ask(engine, id, '<<say half>><<stop max_tokens>>')
  assert.deepEqual(
    of(await known(engine, id), 'session.warning').map(({ data }) => data.warningType),
    ['agent_max_tokens'],
  )
})

test('a cancelled turn is told to the agent, its question is answered with "cancelled", and it is asked again at once', async () => {
  await using place = await openPlace()
  const engine = place.engine({ policy: () => 'ask' })
  const id = await place.begin(engine)
  await ask(engine, id, 'hello')
  const turn = converse(engine, id, { prompt: '<<permission rm -rf x>><<wait>>' })
  await until(engine, id, 'permission.requested')
  await (await engine.open(id)).cancel()
  assert.equal((await turn).status, 'cancelled')
  assert.equal(await ask(engine, id, '<<say again>>'), 'again')
  assert.deepEqual((await (await engine.open(id)).state()).pendingTools, [])
  const methods = (await place.asked()).map(({ method }) => method)
  assert.deepEqual(methods, [
    'initialize',
    'session/new',
    'session/prompt',
    'session/prompt',
    'session/prompt',
  ])
  const [remembered] = await place.remembered()
  assert.equal(remembered?.said[1], JSON.stringify({ outcome: { outcome: 'cancelled' } }))
})

test('an agent that does not heed a cancellation is ended, and the next message starts another', async () => {
  await using place = await openPlace()
  const engine = place.engine()
  const id = await place.begin(engine)
  const turn = converse(engine, id, { prompt: '<<edit a.md>><<deaf>>' })
  await until(engine, id, 'tool.execution_complete')
  await (await engine.open(id)).cancel()
  assert.equal((await turn).status, 'cancelled')
  assert.equal(await ask(engine, id, '<<say back>>'), 'back')
  const methods = (await place.asked()).map(({ method }) => method)
  assert.equal(methods.filter((method) => method === 'initialize').length, 2)
})

test('messages that come meanwhile are put to the agent in the same turn', async () => {
  await using place = await openPlace()
  const engine = place.engine({ policy: () => 'ask' })
  const id = await place.begin(engine)
  const turn = converse(engine, id, { prompt: '<<permission ls>>' })
  const asked = await until(engine, id, 'permission.requested')
  await converse(engine, id, { prompt: '<<say steered>>' }, { whenBusy: 'steer' })
  const { requestId } = asked.data as { requestId: string }
  await (await engine.open(id)).answer(requestId, { kind: 'allow', by: 'person' })
  assert.equal((await turn).status, 'completed')
  assert.match(said(await known(engine, id)), /steered$/)
})

test('a long paste is given to an agent as text, in a new turn and in one that runs', async () => {
  await using place = await openPlace()
  const engine = place.engine({ policy: () => 'ask' })
  const id = await place.begin(engine)
  const pastes = createPastes(() => 'pasted-1.txt')
  const paste = (order: string) => {
    const label = pastes.keep(`${'word\n'.repeat(1000)}${order}`) ?? ''
    return pastes.attach(engine, id, label)
  }
  const turn = converse(engine, id, await paste('<<permission ls>>'))
  const asked = await until(engine, id, 'permission.requested')
  await converse(engine, id, await paste('<<say heard>>'), { whenBusy: 'steer' })
  const { requestId } = asked.data as { requestId: string }
  await (await engine.open(id)).answer(requestId, { kind: 'allow', by: 'person' })
  assert.equal((await turn).status, 'completed')
  assert.match(said(await known(engine, id)), /heard$/)
})
