/** docs/format.md, section 10: requests between two real processes. The rules one by one: src/engine/transport/next-door.test.ts. */
import assert from 'node:assert/strict'
import { lstatSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { inboxRequestSchema, readRequest } from '../../src/format/inbox.ts'
import type { SessionState } from '../../src/state/session-state.ts'
import { openHome, promptsOf, typesOf, type Home } from '../support/engine.ts'
import { startWorker, type Worker } from './start-worker.ts'

const limits = { timeout: 120_000 }

type Place = AsyncDisposable & {
  readonly home: Home
  readonly worker: Worker
  readonly id: SessionId
  readonly engine: Engine
  readonly inbox: string
}

async function openPlace(): Promise<Place> {
  const home = await openHome()
  const worker = await startWorker(home.path)
  const { id } = worker
  return {
    home,
    worker,
    id,
    engine: home.engine(),
    inbox: join(home.path, 'session-state', id, '.reprise', 'inbox'),
    async [Symbol.asyncDispose]() {
      await worker.kill()
      await home[Symbol.asyncDispose]()
    },
  }
}

/** Until the state, followed from here, is as wanted. */
async function until<T>(
  { engine, id }: Place,
  wanted: (state: SessionState) => T | undefined,
): Promise<T> {
  for await (const _ of (await engine.open(id)).follow()) {
    const found = wanted(await (await engine.open(id)).state())
    if (found !== undefined) return found
  }
  assert.fail('never so')
}

const running = (place: Place) => until(place, ({ openTurns }) => openTurns[0]?.turnId)
const requested = (place: Place) => until(place, ({ openRequests }) => openRequests[0]?.requestId)

const said = (place: Place, text: string) =>
  until(place, () =>
    readFileSync(join(place.inbox, '../../events.jsonl'), 'utf8').includes(text) ? true : undefined,
  )

test(
  'format §10.11, format §10.12: a permission that one process asks for is answered from another, and the second answer is refused',
  limits,
  async () => {
    await using place = await openPlace()
    const { worker, engine, id, inbox } = place
    worker.send('permit')
    const requestId = await requested(place)
    assert.equal((await engine.running()).get(id), 'waiting')
    await (await engine.open(id)).answer(requestId, { kind: 'allow' })
    assert.deepEqual((await (await engine.open(id)).state()).openRequests, [])
    await assert.rejects((await engine.open(id)).answer(requestId, { kind: 'deny' }), {
      code: 'not_found',
    })
    assert.equal(await worker.line('ended'), 'ended completed')
    await said(place, 'decided: allow')
    assert.deepEqual(readdirSync(inbox), [])
    assert.equal(lstatSync(inbox).mode & 0o777, 0o700)
    assert.equal((await engine.running()).get(id), undefined)
  },
)

test(
  'format §10.15: a question that one process asks is shown in another and answered from there',
  limits,
  async () => {
    await using place = await openPlace()
    const { worker, engine, id } = place
    worker.send('ask')
    await running(place)
    const question = await (async () => {
      for await (const item of (await engine.open(id)).follow())
        if (item.kind === 'notice' && item.notice.type === 'user_input.requested')
          return item.notice.data
      return assert.fail('never asked')
    })()
    assert.deepEqual(question.choices, ['red', 'blue'])
    await (await engine.open(id)).answerQuestion(question.requestId, 'red')
    assert.equal(await worker.line('ended'), 'ended completed')
    await said(place, 'answered: red')
    worker.send('ask')
    await running(place)
    for await (const item of (await engine.open(id)).follow())
      if (item.kind === 'notice' && item.notice.type === 'user_input.requested') break
    assert.equal((await (await engine.open(id)).pending()).questions.length, 1)
    await worker.kill()
    assert.deepEqual(await (await engine.open(id)).pending(), { requests: [], questions: [] })
  },
)

test('a turn of another process is steered, queued behind and stopped', limits, async () => {
  await using place = await openPlace()
  const { worker, engine, id } = place
  worker.send('wait')
  await running(place)
  assert.equal((await engine.running()).get(id), 'running')
  const steered = await (await engine.open(id)).send({ prompt: 'louder' }, { whenBusy: 'steer' })
  assert.equal(steered.how, 'steered')
  assert.equal((await steered.ended).status, 'steered')
  assert.equal(await worker.line('ended'), 'ended completed')
  await said(place, 'heard: louder')
  worker.send('wait')
  await running(place)
  const queued = await (await engine.open(id)).send({ prompt: 'next' }, { whenBusy: 'enqueue' })
  assert.equal(queued.how, 'queued')
  assert.equal(await (await engine.open(id)).cancel(), true)
  assert.equal(await worker.line('ended'), 'ended cancelled')
  assert.ok((await typesOf(engine, id)).includes('abort'))
})

test('format §10.13: a request that its process died with is never acted on', limits, async () => {
  await using place = await openPlace()
  const { worker, engine, id, inbox } = place
  worker.send('wait')
  await running(place)
  worker.signal('SIGSTOP') // it has the turn and reads nothing any more
  const late = (await engine.open(id)).send({ prompt: 'never answered' }, { whenBusy: 'steer' })
  await assert.rejects(late, { code: 'unreachable' })
  const name = `${String(Date.now()).padStart(15, '0')}-00000000-0000-4000-8000-000000000001.json`
  const [{ turnId = '' } = {}] = (await (await engine.open(id)).state()).openTurns
  writeFileSync(
    join(inbox, name),
    JSON.stringify({
      version: 1,
      kind: 'send',
      running: turnId,
      whenBusy: 'enqueue',
      message: { prompt: 'left behind', messageId: 'left' },
    }),
  )
  await worker.kill()
  assert.equal((await engine.running()).get(id), undefined)
  assert.equal(await (await engine.open(id)).cancel(), false)
  const before = await promptsOf(engine, id)
  const after = await (await engine.open(id)).send({ prompt: 'from here' }, { whenBusy: 'enqueue' })
  assert.equal(after.how, 'started')
  assert.equal((await after.ended).status, 'completed')
  assert.deepEqual(await promptsOf(engine, id), [...before, 'from here'])
  assert.deepEqual(
    readdirSync(inbox).filter((each) => !each.endsWith('.reply.json')),
    [],
  )
})

test(
  'format §10.14: what is no request is removed and told, and the turn goes on',
  limits,
  async () => {
    await using place = await openPlace()
    const { worker, engine, id, inbox } = place
    worker.send('wait')
    await running(place)
    const name = (at: number) =>
      `${String(at).padStart(15, '0')}-00000000-0000-4000-8000-000000000000.json`
    writeFileSync(join(inbox, name(1)), '{"version":1,"kind":"cancel"}')
    writeFileSync(join(inbox, name(2)), 'x'.repeat(65 * 1024))
    await worker.line('notice session.error')
    assert.equal((await (await engine.open(id)).state()).openTurns.length, 1)
    assert.equal(await (await engine.open(id)).cancel(), true)
    assert.equal(await worker.line('ended'), 'ended cancelled')
    assert.deepEqual(readdirSync(inbox), [])
  },
)

test('the requests in docs/format.md are requests', () => {
  const text = readFileSync(new URL('../../docs/format.md', import.meta.url), 'utf8')
  const [, block = '[]'] = /^A request is one of these[^]*?```json\n([^]*?)^```/m.exec(text) ?? []
  const requests = JSON.parse(block) as { kind: string }[]
  assert.deepEqual(
    requests.map((request) => readRequest(JSON.stringify(request))),
    requests,
  )
  assert.deepEqual(
    requests.map(({ kind }) => kind),
    inboxRequestSchema.options.map((option) => option.shape.kind.value),
  )
})
