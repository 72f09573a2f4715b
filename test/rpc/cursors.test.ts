/** Reading by cursor: pages fit together, appends move none, a rewind expires what it removed, waiting misses nothing. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createdBy, said, startServer, type RawClient, type WireEvent } from './in-process.ts'

type Page = {
  readonly events: readonly WireEvent[]
  readonly cursor: string
  readonly hasMore: boolean
  readonly cursorStatus: 'ok' | 'expired'
}

const read = (client: RawClient, sessionId: string, query: object = {}): Promise<Page> =>
  client.call<Page>('session.eventLog.read', { sessionId, ...query })

test('pages in both directions give every event once, whatever is appended between them', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await createdBy(client)
  const fresh = await read(client, sessionId)
  assert.deepEqual(
    fresh.events.map(({ type }) => type),
    ['session.start'],
  )
  assert.deepEqual(await client.call('session.eventLog.tail', { sessionId }), {
    cursor: fresh.cursor,
  })
  for (const prompt of ['one', 'two', 'three']) await said(client, sessionId, prompt)
  const { events: all } = await client.call<Page>('session.getMessages', { sessionId })
  const paged: string[] = []
  const back: string[] = []
  let [forward, backward] = [
    await read(client, sessionId, { max: 2 }),
    await read(client, sessionId, { max: 2, direction: 'backward' }),
  ]
  await said(client, sessionId, 'appended')
  for (;;) {
    paged.push(...forward.events.map(({ id }) => id))
    if (!forward.hasMore) break
    forward = await read(client, sessionId, { max: 2, cursor: forward.cursor })
  }
  for (;;) {
    back.unshift(...backward.events.map(({ id }) => id))
    if (!backward.hasMore) break
    backward = await read(client, sessionId, { max: 2, cursor: backward.cursor })
  }
  assert.deepEqual(
    back,
    all.map(({ id }) => id),
  )
  assert.deepEqual(paged.slice(0, all.length), back)
  assert.equal(paged.length, all.length + 4)
  const { cursor } = await client.call<Page>('session.eventLog.tail', { sessionId })
  assert.equal(forward.cursor, cursor)
})

test('types and scopes choose, and a page is as long as it may be', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await createdBy(client)
  for (const prompt of ['one', 'two', 'three']) await said(client, sessionId, prompt)
  const page = await read(client, sessionId, { types: ['user.message'], max: 2 })
  assert.deepEqual(
    page.events.map(({ data }) => data['content']),
    ['one', 'two'],
  )
  assert.equal(page.hasMore, true)
  const rest = await read(client, sessionId, { types: ['user.message'], cursor: page.cursor })
  assert.deepEqual(
    rest.events.map(({ data }) => data['content']),
    ['three'],
  )
  assert.deepEqual((await read(client, sessionId, { agentIds: ['nobody'] })).events, [])
})

test('a cursor that a rewind removed is expired, and its reader begins anew', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await createdBy(client)
  await said(client, sessionId, 'one')
  const kept = await client.call<Page>('session.eventLog.tail', { sessionId })
  await said(client, sessionId, 'two')
  const removed = await client.call<Page>('session.eventLog.tail', { sessionId })
  const { points } = await client.call<{ points: { eventId: string; userMessage: string }[] }>(
    'session.history.listRewindPoints',
    { sessionId },
  )
  assert.deepEqual(
    points.map(({ userMessage }) => userMessage),
    ['one', 'two'],
  )
  const rewound = await client.call('session.history.rewind', {
    sessionId,
    eventId: points[1]?.eventId,
    mode: 'conversation',
  })
  assert.deepEqual(rewound, {
    outcome: 'success',
    eventsKept: 5,
    eventsRemoved: 4,
    restoredFiles: [],
    skippedFiles: [],
  })
  assert.equal((await client.event(sessionId, 'session.snapshot_rewind')).data['eventsRemoved'], 4)
  assert.deepEqual(await read(client, sessionId, { cursor: removed.cursor }), {
    events: [],
    cursor: 'start',
    hasMore: true,
    cursorStatus: 'expired',
  })
  // As another program would have given it.
  const foreign = await read(client, sessionId, { cursor: `${crypto.randomUUID()}|9` })
  assert.equal(foreign.cursorStatus, 'expired')
  const persisted = { sessionId, cursor: removed.cursor }
  assert.equal(
    (await client.call<Page>('sessions.readPersistedEvents', persisted)).cursorStatus,
    'expired',
  )
  assert.deepEqual((await read(client, sessionId, { cursor: kept.cursor })).events, [])
  await client.call('session.history.redo', { sessionId })
  assert.equal((await read(client, sessionId, { cursor: removed.cursor })).cursorStatus, 'ok')
})

test('whoever waits gets what comes, notices and events in their order, and nothing twice', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await createdBy(client)
  await said(client, sessionId, 'one')
  const { cursor } = await client.call<Page>('session.eventLog.tail', { sessionId })
  const waiting = read(client, sessionId, { cursor, waitMs: 30_000, types: ['user.message'] })
  await said(client, sessionId, 'two')
  const page = await waiting
  assert.deepEqual(
    page.events.map(({ data }) => data['content']),
    ['two'],
  )
  const rest = await read(client, sessionId, { cursor: page.cursor, waitMs: 30_000 })
  assert.deepEqual(
    rest.events.map(({ type }) => type),
    ['assistant.turn_start', 'assistant.message', 'assistant.turn_end'],
  )
  const idle = read(client, sessionId, {
    cursor: rest.cursor,
    waitMs: 30_000,
    types: ['session.idle'],
  })
  await said(client, sessionId, 'three')
  assert.deepEqual(
    (await idle).events.map(({ type, ephemeral }) => [type, ephemeral]),
    [['session.idle', true]],
  )
})

test('whoever does not want to wait any longer is answered', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await createdBy(client)
  await said(client, sessionId, 'one')
  const { cursor } = await client.call<Page>('session.eventLog.tail', { sessionId })
  assert.deepEqual((await read(client, sessionId, { cursor, waitMs: 1 })).events, [])
  client.send({
    jsonrpc: '2.0',
    id: 'mine',
    method: 'session.eventLog.read',
    params: { sessionId, cursor, waitMs: 30_000 },
  })
  client.send({ jsonrpc: '2.0', method: '$/cancelRequest', params: { id: 'mine' } })
  await client.call('ping')
  while (client.strays.length === 0) await client.call('ping')
  assert.equal((client.strays[0] as { id: string }).id, 'mine')
})

test('a session that is not open can be read, too', async () => {
  await using served = await startServer()
  const client = served.connect()
  const sessionId = await createdBy(client)
  await said(client, sessionId, 'one')
  await client.call('session.detach', { sessionId })
  const page = await client.call<Page>('sessions.readPersistedEvents', { sessionId, max: 1 })
  assert.equal(page.events[0]?.type, 'session.start')
  assert.equal(served.server.open().length, 0)
})
