/** A turn that runs in one process, told, answered and stopped by commands of another. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startWorker, type Worker } from '../inbox/start-worker.ts'
import { makePlace, type Place, type Ran } from './cli.ts'

const limits = { timeout: 120_000 }

type Held = AsyncDisposable & { readonly place: Place; readonly worker: Worker }

async function hold(): Promise<Held> {
  const place = makePlace()
  const worker = await startWorker(place.home)
  return {
    place,
    worker,
    async [Symbol.asyncDispose]() {
      await worker.kill()
      place[Symbol.dispose]()
    },
  }
}

const logOf = ({ place: { home }, worker: { id } }: Held): string =>
  readFileSync(join(home, 'session-state', id, 'events.jsonl'), 'utf8')

type Waiting = {
  readonly waiting: readonly { readonly requestId: string; readonly text: string }[]
}

/** As soon as it waits for somebody. */
async function asked({ place, worker: { id } }: Held): Promise<Waiting['waiting']> {
  for (;;) {
    const { waiting } = await place.json<Waiting>(['sessions', 'answer', id])
    if (waiting.length > 0) return waiting
  }
}

/** As soon as the turn runs: before, a command of this kind changes nothing. */
async function once(run: () => Promise<Ran>, isDone: (ran: Ran) => boolean): Promise<Ran> {
  for (;;) {
    const ran = await run()
    if (isDone(ran)) return ran
  }
}

test('a permission is shown and answered from another terminal', limits, async () => {
  await using held = await hold()
  const { place, worker } = held
  const answer = (...words: readonly string[]) =>
    place.run(['sessions', 'answer', worker.id, ...words])
  worker.send('permit')
  const [open] = await asked(held)
  assert.equal(open?.text, 'run make')
  assert.match((await answer()).stdout, /^May it run make\?\n {2}\S+\n$/)

  const wrong = await answer('perhaps')
  assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
  assert.match(wrong.stderr, /allow, always, or deny with a reason\. Nothing was changed/)
  assert.equal((await answer('allow', '--request', 'another')).code, 3)

  assert.equal((await answer('deny', 'use', 'staging')).code, 0)
  assert.equal(await worker.line('ended'), 'ended completed')
  assert.match(logOf(held), /decided: deny/)
  assert.match(logOf(held), /use staging/)
  assert.match((await answer()).stdout, /^Nobody waits for an answer in /)
  assert.equal((await answer('allow')).code, 3)

  worker.send('permit-own')
  await asked(held)
  assert.match((await answer()).stdout, /\n {2}once: Yes\n {2}bypass: Yes, and bypass\n/)
  assert.equal((await answer('keep', 'planning')).code, 0)
  assert.equal(await worker.line('ended'), 'ended completed')
  assert.match(logOf(held), /decided: deny by no/)
})

test('a question is answered from another terminal in any words', limits, async () => {
  await using held = await hold()
  const { place, worker } = held
  worker.send('ask')
  const [open] = await asked(held)
  assert.equal(open?.text, 'Which?')
  assert.deepEqual(await place.json(['sessions', 'answer', worker.id, 'neither', 'of', 'them']), {
    id: worker.id,
    requestId: open.requestId,
    answer: 'neither of them',
  })
  assert.equal(await worker.line('ended'), 'ended completed')
  assert.match(logOf(held), /answered: neither of them/)
})

test('a running turn is told something, and where none runs nothing is sent', limits, async () => {
  await using held = await hold()
  const { place, worker } = held
  const tell = (...words: readonly string[]) => place.run(['sessions', 'tell', worker.id, ...words])
  const idle = await tell('hello')
  assert.equal(idle.code, 2)
  assert.match(idle.stderr, /Nothing is running in session .*\. Nothing was sent\./)

  worker.send('wait')
  const told = await once(
    () => tell('leave', 'the', 'tests'),
    ({ code }) => code === 0,
  )
  assert.match(told.stdout, /^It joins the turn that runs\.\n$/)
  assert.equal(await worker.line('ended'), 'ended completed')
  assert.match(logOf(held), /heard: leave the tests/)
  assert.doesNotMatch(logOf(held), /"content":"hello"/)
})

test('a running turn is stopped from another terminal, once', limits, async () => {
  await using held = await hold()
  const { place, worker } = held
  const cancel = () => place.run(['sessions', 'cancel', worker.id, '--json'])
  const done = (cancelled: boolean) => ({ id: worker.id, cancelled })
  assert.deepEqual(JSON.parse((await cancel()).stdout), done(false))
  worker.send('wait')
  const ran = await once(cancel, ({ stdout }) => stdout.includes('true'))
  assert.deepEqual([ran.code, JSON.parse(ran.stdout)], [0, done(true)])
  assert.equal(await worker.line('ended'), 'ended cancelled')
  assert.deepEqual(JSON.parse((await cancel()).stdout), done(false))
})
