/** A guest follows a session: every event once and in order, without its secrets, for as long as the link holds. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { createRedactor } from '../../src/lib/redact/redact.ts'
import { converse, endTool, eventsOf, say, startTool, type Script } from '../support/engine.ts'
import {
  GUEST_KEY,
  connect,
  guestOf,
  idsOf,
  idsOfSome,
  isReady,
  openServer,
  until,
  type Client,
  type Frame,
  type Headers,
  type TestServer,
} from './web.ts'

const SECRET = `ghp_${'x7Kq2LmZ9vTn4RbW1c'}${'Yd8HsJ5gFp3QeA6uXi'}`
const HALVES = [SECRET.slice(0, 20), SECRET.slice(20)] as const

const redactor = createRedactor({ key: new Uint8Array(32) })
const redact = async <T>(value: T) => redactor.redactJson(value).value

/** A secret in two pieces of an answer, of a thought, of arguments and of output, and then whole in the log. */
const careless: Script = async function* (turn) {
  const { content } = turn.message
  yield { notice: { type: 'assistant.intent', data: { intent: `use ${SECRET}` } } }
  for (const deltaContent of HALVES) {
    yield { notice: { type: 'assistant.message_delta', data: { messageId: 'm', deltaContent } } }
    yield {
      notice: { type: 'assistant.reasoning_delta', data: { reasoningId: 'r', deltaContent } },
    }
    yield {
      notice: {
        type: 'assistant.tool_call_delta',
        data: { toolCallId: 't', inputDelta: deltaContent },
      },
    }
    yield {
      notice: {
        type: 'tool.execution_partial_result',
        data: { toolCallId: 't', partialOutput: deltaContent },
      },
    }
  }
  yield startTool(`t ${content}`, 'bash', { command: `echo ${SECRET}` })
  yield endTool(`t ${content}`, SECRET)
  yield say(`It is ${SECRET}. ${content} is done.`)
}

async function begun(engine: Engine): Promise<SessionId> {
  const { id } = await engine.create()
  await (await engine.open(id)).save()
  return id
}

async function watch(
  { server }: TestServer,
  id: SessionId,
  headers: Headers = {},
): Promise<Client> {
  const guest = await guestOf(server, (await server.guestLink(id, 1)).link)
  return connect(server.port, `/api/sessions/${id}/stream`, {
    authorization: undefined,
    ...guest,
    ...headers,
  })
}

const isIdle = ({ data }: Frame) => (data as { type?: string }).type === 'session.idle'
const idsIn = async (engine: Engine, id: SessionId) =>
  (await eventsOf(engine, id)).map((event) => event.id)

test('a secret that is told in pieces never reaches a guest, and the whole message does', async () => {
  await using place = await openServer({ script: careless, redact })
  const { engine } = place
  const id = await begun(engine)
  await converse(engine, id, { prompt: `first ${SECRET}` })
  const client = await watch(place, id)
  const owner = await connect(place.server.port, `/api/sessions/${id}/stream`)
  const seen = await until(client.frames, isReady)
  await until(owner.frames, isReady)
  await converse(engine, id, { prompt: `second ${SECRET}` })
  seen.push(...(await until(client.frames, isIdle)))
  const asItIs = JSON.stringify(await until(owner.frames, isIdle))
  client.close()
  owner.close()
  const told = JSON.stringify(seen)
  for (const half of HALVES) {
    assert.ok(!told.includes(half), told)
    assert.ok(asItIs.includes(half), 'the owner is told all of it')
  }
  assert.match(told, /It is \[REDACTED:[^\]]+\]\. second \[REDACTED:[^\]]+\] is done\./)
  assert.match(told, /use \[REDACTED:/)
  const notices = seen.flatMap(({ event, data }) =>
    event === 'notice' ? [(data as { type: string }).type] : [],
  )
  assert.deepEqual(
    notices.filter((type) => /delta|partial|progress|title/.test(type)),
    [],
  )
  assert.deepEqual(idsOf(seen), await idsIn(engine, id))
})

test('a guest who is cut off goes on after the last event, without gap or repeat', async () => {
  const long: Script = async function* () {
    for (let at = 0; at < 200; at++) yield say(`${at} ${SECRET}`)
  }
  await using place = await openServer({ script: long, redact })
  const { engine } = place
  const id = await begun(engine)
  const load = (async () => {
    for (let turn = 0; turn < 3; turn++) await converse(engine, id, { prompt: `turn ${turn}` })
  })()
  const got: string[] = []
  for (let cut = 0; cut < 25; cut++) {
    const client = await watch(place, id, { 'last-event-id': got.at(-1) })
    got.push(...(await idsOfSome(client, cut)))
  }
  await load
  const client = await watch(place, id, { 'last-event-id': got.at(-1) })
  got.push(...idsOf(await until(client.frames, isReady)))
  client.close()
  assert.deepEqual(got, await idsIn(engine, id))
})

test('a guest sees a rewind, and then what the log is now', async () => {
  await using place = await openServer({ redact })
  const { engine } = place
  const id = await begun(engine)
  for (const prompt of ['one', 'two']) await converse(engine, id, { prompt })
  const client = await watch(place, id)
  await until(client.frames, isReady)
  await (await engine.open(id)).undo()
  const [cut] = (await until(client.frames, ({ event }) => event === 'reset')).slice(-1)
  assert.equal(cut?.event, 'reset')
  await converse(engine, id, { prompt: 'three' })
  const after = await until(client.frames, isIdle)
  client.close()
  assert.match(JSON.stringify(after), /echo: three/)
})

test('a stream ends when the link expires, and when the owner ends all links', async () => {
  let nowMs = Date.UTC(2026, 0, 1)
  let key: Uint8Array = GUEST_KEY
  await using place = await openServer({
    now: () => nowMs,
    guestKey: { read: async () => key, make: async () => key },
    limits: { heartbeatMs: 20 },
  })
  const id = await begun(place.engine)
  const ended = async (cause: () => void) => {
    const client = await watch(place, id)
    await until(client.frames, isReady)
    cause()
    assert.deepEqual(await until(client.frames, () => false), [])
    const owner = await connect(place.server.port, `/api/sessions/${id}/stream`)
    await until(owner.frames, isReady)
    owner.close()
  }
  await ended(() => (nowMs += 3_600_000))
  await ended(() => (key = Buffer.alloc(32, 1)))
})

test('what cannot be redacted is not sent: the stream ends instead', async () => {
  const faults: unknown[] = []
  let isBroken = false
  await using place = await openServer({
    redact: async (value) => {
      if (isBroken) throw new Error('no rules')
      return value
    },
    onFault: (error) => void faults.push(error),
  })
  const { engine } = place
  const id = await begun(engine)
  const client = await watch(place, id)
  await until(client.frames, isReady)
  isBroken = true
  await converse(engine, id, { prompt: SECRET })
  assert.ok(!JSON.stringify(await until(client.frames, () => false)).includes(SECRET))
  assert.equal((faults[0] as Error).message, 'no rules')
})
