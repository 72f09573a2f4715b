/** Streams: nothing is missed and nothing comes twice, wherever they are cut. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { converse, eventsOf, openHome, say, type Script } from '../support/engine.ts'
import { obedient } from '../support/obedient.ts'
import type { EventsAnswer, SessionsAnswer, StreamFrame } from '../../src/surfaces/web/api.ts'
import {
  api,
  connect,
  idsOf,
  idsOfSome,
  isReady,
  openServer,
  serve,
  until,
  type Frame,
} from './web.ts'

/** So many messages, with a notice between them, as fast as they are taken. */
const talk = (count: number): Script =>
  async function* () {
    for (let at = 0; at < count; at++) {
      yield {
        notice: { type: 'assistant.message_delta', data: { messageId: 'm', deltaContent: 'x' } },
      }
      yield say(`${at} ${'x'.repeat(at % 300)}`)
    }
  }

async function begun(engine: Engine): Promise<SessionId> {
  const { id } = await engine.create()
  await (await engine.open(id)).save()
  return id
}

const idsIn = async (engine: Engine, id: SessionId) =>
  (await eventsOf(engine, id)).map((event) => event.id)

const isIdle = ({ data }: Frame) => (data as { type?: string }).type === 'session.idle'
const isTurnEnd = ({ data }: Frame) => (data as { type?: string }).type === 'assistant.turn_end'

test('what was is told first, then ready, then what happens; only events have an id', async () => {
  await using place = await openServer()
  const { engine, server } = place
  const id = await begun(engine)
  await converse(engine, id, { prompt: 'one' })
  const client = await connect(server.port, `/api/sessions/${id}/stream`)
  const history = await until(client.frames, isReady)
  assert.deepEqual(idsOf(history), await idsIn(engine, id))
  assert.deepEqual(history.at(-1)?.data, { lastEventId: idsOf(history).at(-1) })
  await converse(engine, id, { prompt: 'two' })
  const live = await until(
    client.frames,
    ({ data }) => (data as { type?: string }).type === 'session.idle',
  )
  assert.deepEqual([...idsOf(history), ...idsOf(live)], await idsIn(engine, id))
  for (const frame of [...history, ...live]) {
    assert.equal(frame.id !== undefined, frame.event === 'event', frame.event)
  }
  client.close()
})

test('cut at 200 places under load, a client has every event once and in order', async () => {
  const home = await openHome()
  const engine = home.engine({ script: talk(400) })
  await using _server = await serve(engine, home.path)
  const { port } = _server
  const id = await begun(engine)
  let isOver = false
  const load = (async () => {
    for (let turn = 0; turn < 8; turn++) await converse(engine, id, { prompt: `turn ${turn}` })
    isOver = true
  })()
  const got: string[] = []
  let last: string | undefined
  let seed = 7
  const random = (below: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % below
  for (let cut = 0; cut < 200; cut++) {
    const byHeader = random(2) === 0
    const path = `/api/sessions/${id}/stream${last !== undefined && !byHeader ? `?after=${last}` : ''}`
    const client = await connect(
      port,
      path,
      byHeader && last !== undefined ? { 'last-event-id': last } : {},
    )
    got.push(...(await idsOfSome(client, isOver ? 1 : random(25))))
    last = got.at(-1)
  }
  await load
  const client = await connect(port, `/api/sessions/${id}/stream?after=${last}`)
  got.push(...idsOf(await until(client.frames, isReady)))
  client.close()
  assert.deepEqual(got, await idsIn(engine, id))
  await home[Symbol.asyncDispose]()
})

test('clients that stay on through the load have every event once', async () => {
  await using place = await openServer({ script: talk(300) })
  const { engine, server } = place
  const id = await begun(engine)
  const running = converse(engine, id, { prompt: 'go' })
  const clients = await Promise.all(
    Array.from({ length: 8 }, () => connect(server.port, `/api/sessions/${id}/stream`)),
  )
  // The last event, not a notice: one that is told before a client is ready is not repeated for it.
  const seen = await Promise.all(clients.map(({ frames }) => until(frames, isTurnEnd)))
  await running
  const all = await idsIn(engine, id)
  for (const frames of seen) assert.deepEqual(idsOf(frames), all)
  for (const client of clients) client.close()
})

test('a server that dies and comes back goes on where a client was', async () => {
  const home = await openHome()
  const engine = home.engine({ script: talk(20) })
  const id = await begun(engine)
  await converse(engine, id, { prompt: 'one' })
  const first = await serve(engine, home.path)
  const before = await connect(first.port, `/api/sessions/${id}/stream`)
  const seen = await until(before.frames, isReady)
  await first[Symbol.asyncDispose]()
  assert.deepEqual(await until(before.frames, () => false), [])
  await engine.stop()
  const next = home.engine({ script: talk(20) })
  await converse(next, id, { prompt: 'two' })
  await using second = await serve(next, home.path)
  const after = await connect(second.port, `/api/sessions/${id}/stream`, {
    'last-event-id': idsOf(seen).at(-1),
  })
  const rest = await until(after.frames, isReady)
  after.close()
  assert.deepEqual([...idsOf(seen), ...idsOf(rest)], await idsIn(next, id))
  await home[Symbol.asyncDispose]()
})

test('a rewind is told as it happens, and to whoever comes back with an event that is gone', async () => {
  await using place = await openServer()
  const { engine, server } = place
  const id = await begun(engine)
  await converse(engine, id, { prompt: 'one' })
  await converse(engine, id, { prompt: 'two' })
  const client = await connect(server.port, `/api/sessions/${id}/stream`)
  const gone = idsOf(await until(client.frames, isReady)).at(-1)
  const [point] = await (await engine.open(id)).rewindPoints()
  assert.ok(point)
  await (await engine.open(id)).rewind(point.eventId)
  const told = await until(client.frames, ({ event }) => event === 'reset')
  assert.deepEqual(told.at(-1)?.data, { upToEventId: point.eventId })
  await converse(engine, id, { prompt: 'three' })
  const fresh = idsOf(await until(client.frames, isIdle))
  client.close()
  const all = await idsIn(engine, id)
  assert.deepEqual(fresh, all.slice(-fresh.length))

  for (const after of [gone, 'never-was-there']) {
    const back = await connect(server.port, `/api/sessions/${id}/stream?after=${after}`)
    const frames = await until(back.frames, isReady)
    back.close()
    assert.deepEqual(frames[0], { event: 'reset', data: {} })
    assert.deepEqual(idsOf(frames), all)
  }
})

test('after a rewind by another process a client is told to forget all, and then all that is', async () => {
  await using place = await openServer()
  const { engine, server, home } = place
  const other = home.engine()
  const id = await begun(other)
  for (const prompt of ['one', 'two']) await converse(other, id, { prompt })
  const client = await connect(server.port, `/api/sessions/${id}/stream`)
  await until(client.frames, isReady)
  await (await other.open(id)).undo()
  const cut = await until(client.frames, ({ event }) => event === 'reset')
  assert.deepEqual(cut.at(-1), { event: 'reset', data: {} })
  const again = await until(client.frames, isReady)
  await converse(other, id, { prompt: 'three' })
  again.push(...(await until(client.frames, isTurnEnd)))
  client.close()
  assert.deepEqual(idsOf(again), await idsIn(engine, id))
})

test('rewinds and redos while clients catch up leave each with what is in the log', async () => {
  await using place = await openServer({ script: talk(40) })
  const { engine, server } = place
  const id = await begun(engine)
  await converse(engine, id, { prompt: 'one' })
  for (let round = 0; round < 15; round++) {
    await converse(engine, id, { prompt: `round ${round}` })
    const clients = [0, 1, 2].map(async () => {
      const client = await connect(server.port, `/api/sessions/${id}/stream`)
      const model: string[] = []
      return { client, model }
    })
    const [point] = await (await engine.open(id)).rewindPoints()
    assert.ok(point)
    await (await engine.open(id)).rewind(point.eventId)
    if (round % 2 === 0) await (await engine.open(id)).redo()
    await (await engine.open(id)).rename(`round ${round}`)
    const marker = `marker ${round}`
    await (await engine.open(id)).setModel({ model: marker })
    const all = await idsIn(engine, id)
    for (const opened of clients) {
      const { client, model } = await opened
      await until(client.frames, ({ event, data }) => {
        if (event === 'event') model.push((data as { id: string }).id)
        const cut = (data as { upToEventId?: string }).upToEventId
        if (event === 'reset' && cut === undefined) model.length = 0
        else if (event === 'reset' && model.includes(cut ?? ''))
          model.splice(model.indexOf(cut ?? ''))
        return (data as { data?: { newModel?: string } }).data?.newModel === marker
      })
      client.close()
      assert.deepEqual(model, all)
    }
  }
})

test('a client that does not read is dropped, others are not, and it resumes by id', async () => {
  const big: Script = async function* () {
    for (let at = 0; at < 400; at++) yield say('y'.repeat(60_000))
  }
  await using place = await openServer({ script: big, limits: { mostWaiting: 4 * 1024 * 1024 } })
  const { engine, server } = place
  const id = await begun(engine)
  const slow = await connect(server.port, `/api/sessions/${id}/stream`)
  const had = idsOf(await until(slow.frames, isReady))
  const fast = await connect(server.port, `/api/sessions/${id}/stream`)
  const seen = until(fast.frames, isIdle)
  await converse(engine, id, { prompt: 'go' })
  const all: string[] = await idsIn(engine, id)
  assert.deepEqual(idsOf(await seen), all)
  fast.close()
  // What had gone out before comes still; then the connection is at its end, in the middle of things.
  had.push(...idsOf(await until(slow.frames, () => false)))
  assert.ok(had.length < all.length)
  const back = await connect(server.port, `/api/sessions/${id}/stream?after=${had.at(-1)}`)
  had.push(...idsOf(await until(back.frames, isReady)))
  back.close()
  assert.deepEqual(had, all)
})

test('two clients and another process see the same, whoever writes', async () => {
  await using place = await openServer()
  const { engine, server, home } = place
  const id = await begun(engine)
  const terminal = home.engine()
  const clients = await Promise.all(
    [0, 1].map(() => connect(server.port, `/api/sessions/${id}/stream`)),
  )
  const seen = clients.map(({ frames }) => {
    let ends = 0
    return until(frames, ({ data }) => {
      const { type, data: about } = data as { type?: string; data?: { content?: string } }
      return (
        type === 'assistant.message' &&
        about?.content?.startsWith('echo: ') === true &&
        ++ends === 3
      )
    })
  })
  const sent = await api(server.port, `/api/sessions/${id}/send`, {
    prompt: 'from the page',
    wait: true,
  })
  assert.equal(sent.body.status, 'completed')
  await converse(terminal, id, { prompt: 'from the terminal' })
  await api(server.port, `/api/sessions/${id}/send`, { prompt: 'from the page again', wait: true })
  const all = await idsIn(engine, id)
  for (const frames of await Promise.all(seen)) {
    const ids = idsOf(frames)
    assert.deepEqual(ids, all.slice(0, ids.length))
  }
  for (const client of clients) client.close()
})

test('a deleted session says that it is gone, and is not found afterwards', async () => {
  await using place = await openServer()
  const { engine, server } = place
  const id = await begun(engine)
  const client = await connect(server.port, `/api/sessions/${id}/stream`)
  await until(client.frames, isReady)
  assert.equal((await api(server.port, `/api/sessions/${id}/delete`, {})).status, 200)
  const frames = await until(client.frames, () => false)
  assert.equal(frames.at(-1)?.event, 'gone')
  assert.equal((await api(server.port, `/api/sessions/${id}/stream`)).status, 404)
  assert.equal((await api(server.port, `/api/sessions/${id}/restore`, {})).status, 200)
  assert.equal(
    (await connect(server.port, `/api/sessions/${id}/stream`).then((it) => (it.close(), it)))
      .status,
    200,
  )
})

test('the stream of all sessions tells where something runs, waits for a person, and is over', async () => {
  await using place = await openServer({ script: obedient, policy: () => 'ask', answers: true })
  const { engine, server } = place
  const id = await begun(engine)
  const client = await connect(server.port, '/api/stream')
  await until(client.frames, isReady)
  const becomes = async (status: string) => {
    await until(client.frames, ({ data }) => {
      const change = data as { id?: string; status?: string }
      return change.id === id && change.status === status
    })
    const { body } = await api<SessionsAnswer>(server.port, '/api/sessions')
    assert.deepEqual(
      body.sessions.map((each) => each.status),
      [status],
    )
  }
  const session = await engine.open(id)
  for (const prompt of ['permit', 'ask']) {
    await api(server.port, `/api/sessions/${id}/send`, { prompt })
    await becomes('waiting')
    const { requests, questions } = await session.pending()
    for (const { data } of requests)
      await session.answer((data as { requestId: string }).requestId, { kind: 'allow' })
    for (const { requestId } of questions) await session.answerQuestion(requestId, 'red')
    await becomes('idle')
  }
  await api(server.port, `/api/sessions/${id}/send`, { prompt: 'wait' })
  await becomes('running')
  await session.cancel()
  await becomes('idle')
  client.close()
})

test('the stream of all sessions tells what another process does in any of them', async () => {
  await using place = await openServer()
  const other = place.home.engine()
  const kept = await begun(other)
  const client = await connect(place.server.port, '/api/stream')
  await until(client.frames, isReady)
  const told = async (id: SessionId, kind: string) => {
    const seen = await until(client.frames, ({ data }) => {
      const change = data as { id?: string; kind?: string }
      return change.id === id && change.kind === kind
    })
    assert.deepEqual(seen.at(-1)?.data, { id, kind, status: 'idle' })
  }
  await converse(other, kept, { prompt: 'from elsewhere' })
  await told(kept, 'records')
  const fresh = await begun(other)
  await told(fresh, 'records')
  const { sessionId } = await (await other.open(kept)).fork()
  await told(sessionId, 'forked')
  await (await other.open(fresh)).rename('a name')
  await told(fresh, 'renamed')
  await (await other.open(kept)).undo()
  await told(kept, 'reset')
  await other.remove([fresh])
  await told(fresh, 'deleted')
  client.close()
})

test('one stream carries several sessions, each behind its own cursor, and leaves out what is not wanted', async () => {
  await using place = await openServer()
  const { engine, server } = place
  const [one, other] = [await begun(engine), await begun(engine)]
  await converse(engine, other, { prompt: 'before' })
  const client = await connect(server.port, '/api/stream')
  const [ready] = await until(client.frames, isReady)
  const { streamId } = (ready?.data ?? {}) as { streamId?: string }
  const { body } = await api<EventsAnswer>(server.port, `/api/sessions/${one}/events`)
  const after = body.events.at(-1)?.id
  const follow = (key: string, sessionId: string, rest: object = {}) =>
    api(server.port, '/api/stream/follow', { streamId, key, sessionId, ...rest })
  assert.equal((await follow('a', one, { after })).status, 200)
  assert.equal((await follow('b', other)).status, 200)
  const told: Record<string, string[]> = { a: [], b: [] }
  const both = async (wanted: (key: string, event: string) => boolean) => {
    await until(client.frames, ({ event, data }) => {
      if (event !== 'session') return false
      const { key, frame } = data as { key: string; frame: StreamFrame }
      told[key]?.push(frame.event === 'event' ? frame.data.type : frame.event)
      return wanted(key, frame.event)
    })
  }
  const isRead = { a: false, b: false }
  await both((key, event) => {
    if (event === 'ready') isRead[key as 'a' | 'b'] = true
    return isRead.a && isRead.b
  })
  assert.deepEqual(told['a'], ['ready'])
  assert.ok(told['b']?.includes('user.message'))
  await api(server.port, '/api/stream/unfollow', { streamId, key: 'b' })
  await converse(engine, other, { prompt: 'unheard' })
  const before = told['b']?.length
  await converse(engine, one, { prompt: 'heard' })
  await both(
    (key, event) => key === 'a' && event === 'event' && told['a']?.at(-1) === 'assistant.message',
  )
  assert.equal(told['b']?.length, before)

  assert.equal((await follow('c', '00000000-0000-4000-8000-000000000000')).status, 404)
  client.close()
  const ended = await api(server.port, '/api/stream/follow', {
    streamId: 'x',
    key: 'd',
    sessionId: one,
  })
  assert.equal(ended.status, 404)
})
