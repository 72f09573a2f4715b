/** What a client cannot do to the server: send too much, read too little, come too often, or say nonsense. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { test } from 'node:test'
import { listen } from '../../src/surfaces/rpc/tcp.ts'
import { say, type Script } from '../support/engine.ts'
import { createdBy, rawClient, said, startServer } from './in-process.ts'

test('a frame beyond the limit ends the connection, with a word about it', async () => {
  await using served = await startServer({ limits: { maxFrameBytes: 1000 } })
  const [greedy, other] = [served.connect(), served.connect()]
  greedy.stream.write('Content-Length: 1001\r\n\r\n')
  await greedy.ended
  assert.match(JSON.stringify(greedy.strays), /may have 1000 bytes; this one has 1001/)
  assert.ok(await other.call('ping'))
})

test('a client that owns files may answer with a long one', async () => {
  await using served = await startServer()
  const client = served.connect()
  assert.ok(await client.call('ping', { message: 'x'.repeat(20_000_000) }))
})

test('a stranger may say less than a friend', async () => {
  await using served = await startServer({ token: 'secret' })
  const client = served.connect()
  await client.call('connect', { token: 'secret' })
  await client.call('ping', { message: 'x'.repeat(100_000) })
  const stranger = served.connect()
  stranger.send({ jsonrpc: '2.0', id: 1, method: 'ping', params: { message: 'x'.repeat(100_000) } })
  await stranger.ended
})

test('what is no message is answered and harms nobody', async () => {
  await using served = await startServer()
  const client = served.connect()
  const raw = (body: string) =>
    client.stream.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  raw('{nonsense')
  raw('[]')
  raw('null')
  raw('{"id":{},"method":"ping"}')
  raw('{"jsonrpc":"2.0","id":"nobody-asked","result":1}')
  raw('{"method":"no.such.notification"}')
  await client.call('ping')
  assert.deepEqual(
    client.strays.map((stray) => (stray as { error: { code: number } }).error.code),
    [-32700, -32600, -32600, -32600],
  )
})

test('a request of a browser is no message', async () => {
  await using served = await startServer()
  const client = served.connect()
  client.stream.write('POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}')
  await client.ended
  assert.match(JSON.stringify(client.strays), /nothing else/)
})

test('a client that does not read is given up; it comes back and reads on from its cursor', async () => {
  const talks: Script = async function* () {
    for (let at = 0; at < 300; at++) {
      const data = { messageId: 'm', deltaContent: 'x'.repeat(20_000) }
      yield { notice: { type: 'assistant.message_delta', data } }
    }
    const data = { messageId: 'm', content: 'x'.repeat(20_000) }
    yield { draft: { type: 'assistant.message', data } }
  }
  await using served = await startServer({
    script: talks,
    limits: { maxBacklogBytes: 100_000 },
  })
  const [slow, quick] = [served.connect(), served.connect()]
  const sessionId = await createdBy(quick)
  await slow.call('session.resume', { sessionId, streaming: true })
  const { cursor } = await slow.call('session.eventLog.tail', { sessionId })
  slow.stream.pause()
  await said(quick, sessionId, 'talk')
  slow.stream.resume()
  await slow.ended
  await quick.event(sessionId, 'assistant.message')
  const back = served.connect()
  await back.call('session.resume', { sessionId })
  const page = await back.call<{ events: unknown[] }>('session.eventLog.read', {
    sessionId,
    cursor,
    max: 1000,
    includeEphemeral: false,
  })
  const whole = await quick.call<{ events: unknown[] }>('session.getMessages', { sessionId })
  assert.deepEqual(page.events, whole.events.slice(1), 'the cursor was behind session.start')
})

test('an answer beyond the limit says how to read it', async () => {
  const talks: Script = async function* () {
    yield say('x'.repeat(10_000))
  }
  await using served = await startServer({ script: talks, limits: { maxAnswerBytes: 5000 } })
  const client = served.connect()
  const sessionId = await createdBy(client)
  await said(client, sessionId, 'talk')
  const refused = await client.refusal('session.getMessages', { sessionId })
  assert.match(refused.message, /Read it in pages/)
})

test('connections beyond the limit are refused, and there is room again when one goes', async () => {
  await using served = await startServer({ limits: { maxConnections: 2 } })
  const listening = await listen(served.server, { port: 0, host: '127.0.0.1', token: 'secret' })
  const open = () => rawClient(connect(listening.port, '127.0.0.1'))
  const [one, two] = [open(), open()]
  for (const client of [one, two]) await client.call('connect', { token: 'secret' })
  const three = open()
  await three.ended
  one.stream.destroy()
  await one.ended
  while (served.server.clients.size > 1) await two.call('ping')
  const four = open()
  assert.ok(await four.call('connect', { token: 'secret' }))
  await listening.close()
})

test('strangers who say nothing do not keep the owner out', async () => {
  await using served = await startServer({ limits: { maxConnections: 4 } })
  const listening = await listen(served.server, { port: 0, host: '127.0.0.1', token: 'secret' })
  const open = () => rawClient(connect(listening.port, '127.0.0.1'))
  const strangers = Array.from({ length: 4 }, open)
  for (const stranger of strangers) await stranger.refusal('ping')
  const owner = open()
  assert.ok(await owner.call('connect', { token: 'secret' }))
  await strangers[0]?.ended
  assert.equal(served.server.clients.size, 4)
  await listening.close()
})

test('whoever does not show a token in time is sent away', async () => {
  await using served = await startServer({ token: 'secret', limits: { connectMs: 1 } })
  await served.connect().ended
})

test('a fault of ours is told as one, and in the log of the server', async () => {
  await using served = await startServer()
  const client = served.connect()
  const broken = served.server.parts.catalogue as { latest: unknown }
  broken.latest = () => Promise.reject(new TypeError('of ours'))
  assert.deepEqual(await client.refusal('session.getLastId'), {
    code: -32603,
    message: 'Request session.getLastId failed with message: of ours',
    data: { code: 'internal' },
  })
  assert.match(served.logged.join(), /error: session.getLastId: TypeError: of ours/)
})
