import assert from 'node:assert/strict'
import test from 'node:test'
import { z } from 'zod'
import type { Tool } from '../../src/agents/tools/tool.ts'
import type { EventId } from '../../src/format/ids.ts'
import { currentTraceparent, installSink } from '../../src/lib/telemetry.ts'
import { openOtel } from '../../src/telemetry/otel.ts'
import { dataOf, openPlace, spoken } from '../model-agent/place.ts'
import { startCollector, type Received } from './collector.ts'
import { converse } from '../support/engine.ts'

const CANARY = 'canary-3141592653'

const seen: (string | undefined)[] = []
const spy: Tool = {
  name: 'spy',
  description: 'Looks at the trace.',
  args: z.object({ text: z.string() }) as z.ZodType<unknown>,
  permission: () => Promise.resolve(undefined),
  run: async () => {
    await Promise.resolve()
    seen.push(currentTraceparent())
    return { content: CANARY }
  },
}

test('a collector sees what was done, how it ended and in what, and no word of it', async () => {
  await using collector = await startCollector()
  const traceparent = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`
  const otel = openOtel({ endpoint: collector.endpoint, version: '9.9', traceparent })
  using _ = installSink(otel)
  await using here = await openPlace([
    {
      text: CANARY,
      calls: [
        { name: 'spy', arguments: { text: CANARY }, id: 'call-1' },
        { name: `no such ${CANARY}`, arguments: {}, id: 'call-2' },
      ],
      usage: { input: 120, output: 7 },
    },
    { text: CANARY, usage: { input: 130, output: 8 } },
    { text: `<overview>${CANARY}</overview>` },
    { status: 400, body: { error: { message: CANARY } } },
  ])
  const engine = here.engine({ extraTools: [spy] })
  const { id } = await engine.create({ cwd: here.cwd, name: CANARY })
  await converse(engine, id, { prompt: CANARY })
  await (await engine.open(id)).compact({ instructions: CANARY })
  const failed = await converse(engine, id, { prompt: CANARY })
  assert.equal(failed.status, 'failed')
  const [first] = await (await engine.open(id)).rewindPoints()
  await (await engine.open(id)).undo()
  await (await engine.open(id)).redo()
  const fork = await (await engine.open(id)).fork({ name: CANARY })
  await assert.rejects((await engine.open(id)).rewind(CANARY as EventId))
  await (await engine.open(id)).close()
  await (await engine.open(id)).resume()
  await engine.stop()
  await otel.flush()

  const spans = collector.spans()
  const about = (span: Received | undefined): Record<string, string | number | boolean> => {
    assert.ok(span)
    const { event_id: eventId, ...rest } = span.attributes
    if (span.name === 'session_snapshot_rewind') assert.match(String(eventId), /^[\da-f-]{36}$/)
    return { ...rest, ...(span.isError && { error: true }) }
  }
  const all = (name: string) => spans.filter((span) => span.name === name)
  const byName = (name: string) => all(name).map(about)
  const model = { model: 'test-model', provider: 'openai-compatible', attempt: 1 }
  const ids = all('turn').map(({ attributes }) => attributes['turn_id'])

  assert.deepEqual(byName('session.create'), [{ session_id: id, outcome: 'completed' }])
  assert.deepEqual(byName('turn'), [
    { session_id: id, turn_id: ids[0], outcome: 'completed' },
    { session_id: id, turn_id: ids[1], outcome: 'failed', error: true },
  ])
  const [one, two, summary, refusedCall] = byName('model_call')
  const used = { ...model, turn_id: ids[0], outcome: 'completed' }
  assert.deepEqual(one, { ...used, input_tokens: 120, output_tokens: 7 })
  assert.deepEqual(two, { ...used, input_tokens: 130, output_tokens: 8 })
  assert.deepEqual([summary?.['outcome'], refusedCall?.['outcome']], ['completed', 'failed'])
  const called = { session_id: id, turn_id: ids[0] }
  const [spied, unknown] = byName('tool')
  const callIds = (await dataOf(engine, id, 'tool.execution_start')).map((data) => data.toolCallId)
  assert.deepEqual(
    [spied, unknown],
    [
      { ...called, tool_call_id: callIds[0], tool_name: 'spy', outcome: 'completed' },
      {
        ...called,
        tool_call_id: callIds[1],
        tool_name: 'other',
        outcome: 'failed',
        error_kind: 'invalid_arguments',
        error: true,
      },
    ],
  )
  const [compaction] = byName('compaction')
  assert.deepEqual(Object.keys(compaction ?? {}).sort(), [
    'messages_removed',
    'outcome',
    'session_id',
    'tokens_after',
    'tokens_before',
    'trigger',
  ])
  const [rewound, refused] = byName('session_snapshot_rewind')
  assert.deepEqual(rewound, {
    session_id: id,
    up_to_event_id: first?.eventId,
    mode: 'conversation-and-files',
    events_removed: rewound?.['events_removed'],
    turns_removed: 1,
    outcome: 'completed',
  })
  assert.ok(Number(rewound?.['events_removed']) > 1)
  assert.deepEqual(refused, {
    session_id: id,
    up_to_event_id: CANARY,
    mode: 'conversation-and-files',
    outcome: 'failed',
    error_kind: 'not_found',
    error: true,
  })
  assert.deepEqual(byName('redo'), [
    { session_id: id, events_restored: rewound?.['events_removed'], outcome: 'completed' },
  ])
  assert.deepEqual(byName('fork'), [
    {
      source_session_id: id,
      session_id: fork.sessionId,
      events: fork.events,
      outcome: 'completed',
    },
  ])
  assert.equal(byName('session.close').length, 2)
  assert.equal(byName('session.resume')[0]?.['session_id'], id)

  // What runs in something says so.
  const [turn] = all('turn')
  assert.deepEqual([turn?.traceId, turn?.parentSpanId], ['a'.repeat(32), 'b'.repeat(16)])
  assert.equal(all('model_call')[0]?.parentSpanId, turn?.spanId)
  assert.equal(all('tool')[0]?.parentSpanId, turn?.spanId)
  assert.equal(all('model_call')[2]?.parentSpanId, all('compaction')[0]?.spanId)
  assert.deepEqual(seen, [`00-${turn?.traceId}-${all('tool')[0]?.spanId}-01`])

  const metrics = new Map(collector.metrics().map(({ name, points }) => [name, points]))
  assert.deepEqual(metrics.get('reprise.turn.duration'), [
    { value: 1, attributes: { outcome: 'completed' } },
    { value: 1, attributes: { outcome: 'failed' } },
  ])
  const tokens = metrics.get('reprise.input_tokens')
  assert.deepEqual(
    tokens?.map(({ attributes }) => attributes),
    [{ model: 'test-model' }],
  )
  assert.equal(
    metrics.get('reprise.events_removed')?.[0]?.value,
    Number(rewound?.['events_removed']),
  )

  // The event that was asked for is an id as far as anybody can tell; it is the only place where the word stands.
  const told = collector.bodies
    .join('\n')
    .split(`"up_to_event_id","value":{"stringValue":"${CANARY}"}`)
  assert.equal(told.length, 2)
  assert.ok(!told.join('').includes(CANARY))
})

test('a tool server is told in which trace it is called', async () => {
  await using collector = await startCollector()
  const otel = openOtel({ endpoint: collector.endpoint, version: '9.9' })
  using _ = installSink(otel)
  await using here = await openPlace([
    { calls: [{ name: 'test-echo', arguments: { text: 'hi' } }] },
    { text: 'ok' },
  ])
  const script = new URL('../model-server/mcp-server.ts', import.meta.url).pathname
  const engine = here.engine({
    mcpServers: { test: { command: process.execPath, args: [script] } },
  })
  const { id } = await engine.create({ cwd: here.cwd })
  await converse(engine, id, { prompt: 'go' })
  await engine.stop()
  await otel.flush()
  const tool = collector.spans().find(({ name }) => name === 'tool')
  const traceparent = `00-${tool?.traceId}-${tool?.spanId}-01`
  const said = JSON.stringify({ arguments: { text: 'hi' }, meta: { traceparent } })
  assert.ok(spoken(here.server.requests[1]?.body)[2]?.startsWith(`tool: ${said}`))
})
