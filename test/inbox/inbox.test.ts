/** docs/format.md, section 10: letters between two real processes. The rules one by one: src/engine/anywhere.test.ts. */
import assert from 'node:assert/strict'
import { lstatSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { letterSchema, readLetter } from '../../src/format/letter.ts'
import { openHome, promptsOf, typesOf } from '../support/engine.ts'
import type { Home } from '../support/engine.ts'
import { startWorker } from './start-worker.ts'
import type { Worker } from './start-worker.ts'

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
  wanted: (state: Awaited<ReturnType<Engine['state']>>) => T | undefined,
): Promise<T> {
  for await (const _ of engine.follow(id)) {
    const found = wanted(await engine.state(id))
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
    assert.equal((await engine.elsewhere()).get(id), 'waiting')
    await engine.answerAnywhere(id, requestId, { kind: 'allow' })
    assert.deepEqual((await engine.state(id)).openRequests, [])
    await assert.rejects(engine.answerAnywhere(id, requestId, { kind: 'deny' }), {
      code: 'not_found',
    })
    assert.equal(await worker.line('ended'), 'ended completed')
    await said(place, 'decided: allow')
    assert.deepEqual(readdirSync(inbox), [])
    assert.equal(lstatSync(inbox).mode & 0o777, 0o700)
    assert.equal((await engine.elsewhere()).get(id), undefined)
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
      for await (const item of engine.follow(id))
        if (item.kind === 'notice' && item.notice.type === 'user_input.requested')
          return item.notice.data
      return assert.fail('never asked')
    })()
    assert.deepEqual(question.choices, ['red', 'blue'])
    await engine.answerQuestionAnywhere(id, question.requestId, 'red')
    assert.equal(await worker.line('ended'), 'ended completed')
    await said(place, 'answered: red')
    worker.send('ask')
    await running(place)
    for await (const item of engine.follow(id))
      if (item.kind === 'notice' && item.notice.type === 'user_input.requested') break
    assert.equal((await engine.askedElsewhere(id)).questions.length, 1)
    await worker.kill()
    assert.deepEqual(await engine.askedElsewhere(id), { requests: [], questions: [] })
  },
)

test('a turn of another process is steered, queued behind and stopped', limits, async () => {
  await using place = await openPlace()
  const { worker, engine, id } = place
  worker.send('wait')
  await running(place)
  assert.equal((await engine.elsewhere()).get(id), 'running')
  const steered = await engine.sendAnywhere(id, { prompt: 'louder' }, { whenBusy: 'steer' })
  assert.equal(steered.status, 'steered')
  assert.equal(await worker.line('ended'), 'ended completed')
  await said(place, 'heard: louder')
  worker.send('wait')
  await running(place)
  const queued = await engine.sendAnywhere(id, { prompt: 'next' }, { whenBusy: 'enqueue' })
  assert.equal(queued.status, 'queued')
  assert.equal(await engine.cancelAnywhere(id), true)
  assert.equal(await worker.line('ended'), 'ended cancelled')
  assert.ok((await typesOf(engine, id)).includes('abort'))
})

test('format §10.13: a letter that its process died with is never acted on', limits, async () => {
  await using place = await openPlace()
  const { worker, engine, id, inbox } = place
  worker.send('wait')
  await running(place)
  worker.signal('SIGSTOP') // it has the turn and reads nothing any more
  const late = engine.sendAnywhere(id, { prompt: 'never answered' }, { whenBusy: 'steer' })
  await assert.rejects(late, { code: 'in_use' })
  const name = `${String(Date.now()).padStart(15, '0')}-00000000-0000-4000-8000-000000000001.json`
  const [{ turnId = '' } = {}] = (await engine.state(id)).openTurns
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
  assert.equal((await engine.elsewhere()).get(id), undefined)
  assert.equal(await engine.cancelAnywhere(id), false)
  const before = await promptsOf(engine, id)
  const after = await engine.sendAnywhere(id, { prompt: 'from here' }, { whenBusy: 'enqueue' })
  assert.equal(after.status, 'completed')
  assert.deepEqual(await promptsOf(engine, id), [...before, 'from here'])
  assert.deepEqual(
    readdirSync(inbox).filter((each) => !each.endsWith('.reply.json')),
    [],
  )
})

test(
  'format §10.14: what is no letter is removed and told, and the turn goes on',
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
    assert.equal((await engine.state(id)).openTurns.length, 1)
    assert.equal(await engine.cancelAnywhere(id), true)
    assert.equal(await worker.line('ended'), 'ended cancelled')
    assert.deepEqual(readdirSync(inbox), [])
  },
)

test('the letters in docs/format.md are letters', () => {
  const text = readFileSync(new URL('../../docs/format.md', import.meta.url), 'utf8')
  const [, block = '[]'] = /^A letter is one of these[^]*?```json\n([^]*?)^```/m.exec(text) ?? []
  const letters = JSON.parse(block) as { kind: string }[]
  assert.deepEqual(
    letters.map((letter) => readLetter(JSON.stringify(letter))),
    letters,
  )
  assert.deepEqual(
    letters.map(({ kind }) => kind),
    letterSchema.options.map((option) => option.shape.kind.value),
  )
})
