import assert from 'node:assert/strict'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import {
  converse,
  eventsOf,
  openHome,
  promptsOf,
  say,
  type Script,
} from '../../../test/support/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import { openDisk } from '../../fs/disk.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { selfIdentity } from '../../lib/process-identity.ts'
import type { Engine, EngineOptions } from '../engine.ts'
import { EngineError } from '../errors.ts'

test('messages sent while a turn runs wait, and each sender learns how its own turn ended', async () => {
  await using home = await openHome()
  const { engine, gate, id } = await busy(home)
  const first = converse(engine, id, { prompt: 'one' })
  await gate.reached
  const session = await engine.open(id)
  const second = await session.send({ prompt: 'two' }, { whenBusy: 'enqueue' })
  const third = await session.send({ prompt: 'three' }, { whenBusy: 'enqueue' })
  assert.deepEqual([second.how, third.how], ['queued', 'queued'])
  gate.open()
  const outcomes = await Promise.all([first, second.ended, third.ended])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['completed', 'completed', 'completed'],
  )
  assert.deepEqual(await promptsOf(engine, id), ['one', 'two', 'three'])
  const deliveries = (await eventsOf(engine, id)).flatMap((event) =>
    !('stranger' in event) && event.type === 'user.message' ? [event.data.delivery] : [],
  )
  assert.deepEqual(deliveries, ['idle', 'queued', 'queued'])
})

test('what a stop held back waits for the next process, and is there once', async () => {
  await using home = await openHome()
  const { engine, gate, id } = await busy(home)
  const first = converse(engine, id, { prompt: 'one' })
  await gate.reached
  const session = await engine.open(id)
  await session.send({ prompt: 'two' }, { whenBusy: 'enqueue' })
  const file = join(home.path, 'session-state', id, '.reprise/queue.json')
  assert.match(readFileSync(file, 'utf8'), /"prompt":"two"/)
  await session.cancel()
  await first
  await engine.stop()

  const next = home.engine({ script: answers })
  const again = await next.open(id)
  const { entries, isHeld } = await again.queue()
  assert.deepEqual([entries.map(({ prompt }) => prompt), isHeld], [['two'], true])
  assert.equal(await again.changeQueue({ kind: 'release' }), 1)
  await converse(next, id, { prompt: 'three' }, { whenBusy: 'enqueue' })
  assert.deepEqual(await promptsOf(next, id), ['one', 'two', 'three'])
  await next.stop()
  assert.ok(!existsSync(file))
})

test('messages that come while the queue is brought to disk are there with the next writing', async () => {
  await using home = await openHome()
  const disk = openDisk(home.path)
  let writings = 0
  const writeAtomic: SessionFs['writeAtomic'] = (path, ...rest) => {
    if (path.endsWith('/queue.json')) writings++
    return disk.writeAtomic(path, ...rest)
  }
  const { engine, gate, id } = await busy(home, { fs: { ...disk, writeAtomic } })
  const first = converse(engine, id, { prompt: 'one' })
  await gate.reached
  const session = await engine.open(id)
  const prompts = Array.from({ length: 50 }, (_, at) => `more ${at}`)
  await Promise.all(prompts.map((prompt) => session.send({ prompt }, { whenBusy: 'enqueue' })))
  const file = join(home.path, 'session-state', id, '.reprise/queue.json')
  const { messages } = JSON.parse(readFileSync(file, 'utf8')) as { messages: { prompt: string }[] }
  assert.deepEqual(
    messages.map(({ prompt }) => prompt),
    prompts,
  )
  assert.ok(writings <= 3, `${writings} writings`)
  await session.cancel({ queue: 'clear' })
  await first
})

test('what was sent is not sent again, though the file still has it', async () => {
  await using home = await openHome()
  const { engine, gate, id } = await busy(home)
  gate.open()
  await converse(engine, id, { prompt: 'one', messageId: 'm-1' })
  await engine.stop()
  const messages = [
    { prompt: 'one', messageId: 'm-1' },
    { prompt: 'two', messageId: 'm-2' },
  ]
  const file = join(home.path, 'session-state', id, '.reprise/queue.json')
  writeFileSync(file, JSON.stringify({ version: 1, owner: null, messages }))
  const next = home.engine({ script: answers })
  const { entries } = await (await next.open(id)).queue()
  assert.deepEqual(entries, [{ id: 'm-2', prompt: 'two' }])
  const alive = { ...selfIdentity() }
  writeFileSync(file, JSON.stringify({ version: 1, owner: alive, messages }))
  const another = home.engine({ script: answers })
  assert.deepEqual((await (await another.open(id)).queue()).entries, [])
})

test('what is left by a process that dies later is found by one that had the session open before', async () => {
  await using home = await openHome()
  let turn: Gate | undefined
  const engine = home.engine({
    async *script({ message }) {
      await turn?.pass()
      yield say(message.content)
    },
  })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'one' })
  const session = await engine.open(id)
  assert.deepEqual((await session.queue()).entries, [])
  const file = join(home.path, 'session-state', id, '.reprise/queue.json')
  const leave = (...messages: readonly object[]) =>
    writeFileSync(file, JSON.stringify({ version: 1, owner: null, messages }))
  leave({ prompt: 'two', messageId: 'm-2' })
  assert.deepEqual(await session.queue(), {
    entries: [{ id: 'm-2', prompt: 'two' }],
    isHeld: true,
  })
  assert.equal(await session.changeQueue({ kind: 'release' }), 1)
  await converse(engine, id, { prompt: 'three' }, { whenBusy: 'enqueue' })

  // A message that comes to wait is written beside those that are left, not over them.
  while (session.now?.isRunning === true) await delay(5)
  leave({ prompt: 'four', messageId: 'm-4' })
  const other = createGate()
  turn = other
  const fifth = converse(engine, id, { prompt: 'five' })
  await other.reached
  await session.send({ prompt: 'six', messageId: 'm-6' }, { whenBusy: 'enqueue' })
  const kept = JSON.parse(readFileSync(file, 'utf8')) as { messages: { messageId: string }[] }
  assert.deepEqual(
    kept.messages.map(({ messageId }) => messageId),
    ['m-4', 'm-6'],
  )
  other.open()
  await fifth
  assert.equal(await session.changeQueue({ kind: 'release' }), 2)
  await converse(engine, id, { prompt: 'seven' }, { whenBusy: 'enqueue' })
  assert.equal((await promptsOf(engine, id)).length, 7)
})

test('of two that look at what was left, one sends it', async () => {
  await using home = await openHome()
  const { engine, gate, id } = await busy(home)
  gate.open()
  await converse(engine, id, { prompt: 'one' })
  await engine.stop()
  const file = join(home.path, 'session-state', id, '.reprise/queue.json')
  const messages = ['two', 'three'].map((prompt) => ({ prompt, messageId: `m-${prompt}` }))
  writeFileSync(file, JSON.stringify({ version: 1, owner: null, messages }))
  const both = [home.engine({ script: answers }), home.engine({ script: answers })] as const
  const opened = await Promise.all(both.map((each) => each.open(id)))
  const waiting = async () =>
    Promise.all(opened.map(async (each) => (await each.queue()).entries.length))
  assert.deepEqual(await waiting(), [2, 2])
  const released = await Promise.all(
    // The one that comes second may find the other at work.
    opened.map((each) => each.changeQueue({ kind: 'release' }).catch(() => 0)),
  )
  assert.deepEqual(released.toSorted(), [0, 2])
  const [one] = both
  await converse(one, id, { prompt: 'four' }, { whenBusy: 'enqueue', waitMs: 60_000 })
  // Who asks first for the right to write is answered first: the fourth may come before those that waited.
  while ((await promptsOf(one, id)).length < 4) await delay(20)
  assert.deepEqual((await promptsOf(one, id)).toSorted(), ['four', 'one', 'three', 'two'])
  assert.deepEqual(await waiting(), [0, 0])
})

test('a message that waited is in its file until it is in the log', async () => {
  await using home = await openHome()
  const disk = openDisk(home.path)
  const missing: string[] = []
  let queued: SessionId | undefined
  const look = (path: string): void => {
    if (queued === undefined || !path.endsWith('/queue.json')) return
    const at = (name: string) => join(home.path, 'session-state', queued ?? '', name)
    const kept = ['events.jsonl', '.reprise/queue.json'].map((name) =>
      existsSync(at(name)) ? readFileSync(at(name), 'utf8') : '',
    )
    for (const prompt of ['two', 'three'])
      if (!kept.some((text) => text.includes(`"${prompt}"`))) missing.push(prompt)
  }
  const writeAtomic: SessionFs['writeAtomic'] = async (path, ...rest) => {
    await disk.writeAtomic(path, ...rest)
    look(path)
  }
  const remove: SessionFs['remove'] = async (path) => {
    await disk.remove(path)
    look(path)
  }
  const { engine, gate, id } = await busy(home, { fs: { ...disk, writeAtomic, remove } })
  const first = converse(engine, id, { prompt: 'one' })
  await gate.reached
  const session = await engine.open(id)
  const sent = []
  for (const prompt of ['two', 'three'])
    sent.push(await session.send({ prompt }, { whenBusy: 'enqueue' }))
  queued = id
  gate.open()
  await Promise.all([first, ...sent.map(({ ended }) => ended)])
  await engine.stop()
  assert.deepEqual(missing, [])
})

test('what waits can be listed, edited, moved and removed', async () => {
  await using home = await openHome()
  const { engine, gate, id } = await busy(home)
  const first = converse(engine, id, { prompt: 'one' })
  await gate.reached
  const session = await engine.open(id)
  const sent = []
  for (const prompt of ['a', 'b', 'c'])
    sent.push(await session.send({ prompt }, { whenBusy: 'enqueue' }))
  const [a, b, c] = (await session.queue()).entries.map((entry) => entry.id)
  assert.ok(a !== undefined && b !== undefined && c !== undefined)
  assert.equal(await session.changeQueue({ kind: 'edit', messageId: b, prompt: 'B' }), 1)
  assert.equal(await session.changeQueue({ kind: 'move', messageId: c, position: 0 }), 1)
  assert.equal(await session.changeQueue({ kind: 'remove', messageId: a }), 1)
  assert.deepEqual(await session.queue(), {
    entries: [
      { id: c, prompt: 'c' },
      { id: b, prompt: 'B' },
    ],
    isHeld: false,
  })
  await assert.rejects(
    session.changeQueue({ kind: 'edit', messageId: a, prompt: 'x' }),
    hasCode('not_found'),
  )
  await assert.rejects(
    session.changeQueue({ kind: 'edit', messageId: b, prompt: ' ' }),
    hasCode('invalid'),
  )
  gate.open()
  await first
  assert.deepEqual(
    (await Promise.all(sent.map(({ ended }) => ended))).map(({ status }) => status),
    ['withdrawn', 'completed', 'completed'],
  )
  assert.deepEqual(await promptsOf(engine, id), ['one', 'c', 'B'])
})

test('a message that steers is durable at once and reaches the turn that runs', async () => {
  await using home = await openHome()
  const heard: string[] = []
  const gate = createGate()
  const engine = home.engine({
    script: async function* (turn) {
      await gate.pass()
      heard.push(...turn.steering().map(({ content }) => content))
      heard.push(...turn.steering().map(({ content }) => content))
      yield say('done')
    },
  })
  const { id } = await engine.create()
  const first = converse(engine, id, { prompt: 'one' })
  await gate.reached
  assert.equal(
    (await converse(engine, id, { prompt: 'rather this' }, { whenBusy: 'steer' })).status,
    'steered',
  )
  gate.open()
  await first
  assert.deepEqual(heard, ['rather this'])
  assert.deepEqual(await promptsOf(engine, id), ['one', 'rather this'])
  assert.equal((await (await engine.open(id)).state()).turns.length, 1)
})

test('a message that an agent did not take before it ended is answered in the same turn', async () => {
  await using home = await openHome()
  const gate = createGate()
  const answered: string[] = []
  const engine = home.engine({
    script: async function* ({ message }) {
      answered.push(message.content)
      if (answered.length === 1) await gate.pass()
      yield say(`to ${message.content}`)
    },
  })
  const { id } = await engine.create()
  const first = converse(engine, id, { prompt: 'one' })
  await gate.reached
  const steered = await Promise.all(
    ['two', 'three'].map((prompt) => converse(engine, id, { prompt }, { whenBusy: 'steer' })),
  )
  assert.deepEqual(
    steered.map(({ status }) => status),
    ['steered', 'steered'],
  )
  gate.open()
  assert.equal((await first).status, 'completed')
  assert.deepEqual(answered, ['one', 'two\n\nthree'])
  assert.deepEqual(await promptsOf(engine, id), ['one', 'two', 'three'])
  assert.equal((await (await engine.open(id)).state()).turns.length, 1)
})

test('a hook refuses a message that steers as it refuses any other', async () => {
  await using home = await openHome()
  const gate = createGate()
  const engine = home.engine({
    script: async function* () {
      await gate.pass()
      yield say('done')
    },
    hooks: [
      {
        type: 'userPromptSubmitted',
        run: async ({ prompt }) => (prompt === 'no' ? { deny: true, reason: 'not that' } : {}),
      },
    ],
  })
  const { id } = await engine.create()
  const first = converse(engine, id, { prompt: 'one' })
  await gate.reached
  await assert.rejects(
    converse(engine, id, { prompt: 'no' }, { whenBusy: 'steer' }),
    hasCode('invalid'),
  )
  gate.open()
  assert.equal((await first).status, 'completed')
  assert.deepEqual(await promptsOf(engine, id), ['one'])
})

test('after a cancelled turn the queue waits for a person', async () => {
  await using home = await openHome()
  const { engine, gate, id } = await busy(home)
  const first = converse(engine, id, { prompt: 'one' })
  await gate.reached
  const session = await engine.open(id)
  const second = await session.send({ prompt: 'two' }, { whenBusy: 'enqueue' })
  await session.cancel()
  assert.equal((await first).status, 'cancelled')
  const { entries, isHeld } = await session.queue()
  assert.deepEqual([entries.map(({ prompt }) => prompt), isHeld], [['two'], true])
  gate.open()
  assert.equal(await session.changeQueue({ kind: 'release' }), 1)
  assert.equal((await second.ended).status, 'completed')
})

test('closing a session withdraws what waits', async () => {
  await using home = await openHome()
  const { engine, gate, id } = await busy(home)
  const first = converse(engine, id, { prompt: 'one' })
  await gate.reached
  const session = await engine.open(id)
  const second = await session.send({ prompt: 'two' }, { whenBusy: 'enqueue' })
  await session.close()
  assert.deepEqual([(await first).status, (await second.ended).status], ['cancelled', 'withdrawn'])
})

test('a question reaches the followers, and the first answer wins', async () => {
  await using home = await openHome()
  const answers: (string | undefined)[] = []
  const engine = home.engine({
    answersQuestions: true,
    script: async function* (turn) {
      answers.push(await turn.ask({ question: 'Which?', choices: ['a', 'b'] }))
      yield say('done')
    },
  })
  const { id } = await engine.create()
  const sent = converse(engine, id, { prompt: 'one' })
  const session = await engine.open(id)
  for await (const item of session.follow()) {
    if (item.kind !== 'notice' || item.notice.type !== 'user_input.requested') continue
    const { requestId } = item.notice.data
    await session.answerQuestion(requestId, 'b')
    await assert.rejects(session.answerQuestion(requestId, 'a'), hasCode('not_found'))
    break
  }
  await sent
  assert.deepEqual(answers, ['b'])
})

test('where nobody can answer, a question is declined at once', async () => {
  await using home = await openHome()
  const answers: (string | undefined)[] = []
  const engine = home.engine({
    script: async function* (turn) {
      answers.push(await turn.ask({ question: 'Which?' }))
      yield say('done')
    },
  })
  await (
    await (await engine.create()).send({ prompt: 'one' })
  ).ended
  assert.deepEqual(answers, [undefined])
})

test('in autopilot an agent that completes tasks goes on until it says that it is done', async () => {
  await using home = await openHome()
  let rounds = 0
  const engine = home.engine({
    agent: {
      name: 'worker',
      completesTasks: true,
      async *run() {
        rounds++
        yield say(`step ${rounds}`)
        if (rounds === 3)
          yield { draft: { type: 'session.task_complete', data: { outcome: 'completed' } } }
      },
    },
  })
  const { id } = await engine.create()
  await (await engine.open(id)).setMode('autopilot')
  assert.equal((await converse(engine, id, { prompt: 'build it' })).status, 'completed')
  assert.equal(rounds, 3)
  const continued = (await eventsOf(engine, id)).filter(
    (event) =>
      !('stranger' in event) && event.type === 'user.message' && event.data.isAutopilotContinuation,
  )
  assert.equal(continued.length, 2)
})

test('in autopilot an agent is asked to go on as often as is allowed and no more', async () => {
  for (const [mostContinues, expected] of [
    [0, 1],
    [2, 3],
    [undefined, 20],
  ] as const) {
    await using home = await openHome()
    let rounds = 0
    const engine = home.engine({
      ...(mostContinues !== undefined && { mostContinues }),
      agent: {
        name: 'worker',
        completesTasks: true,
        async *run() {
          rounds++
          yield say(`step ${rounds}`)
        },
      },
    })
    const { id } = await engine.create()
    await (await engine.open(id)).setMode('autopilot')
    await converse(engine, id, { prompt: 'build it' })
    assert.equal(rounds, expected)
  }
})

const hasCode = (code: string) => (error: unknown) =>
  error instanceof EngineError && error.code === code

type Gate = { readonly reached: Promise<void>; pass(): Promise<void>; open(): void }

function createGate(): Gate {
  const reached = Promise.withResolvers<void>()
  const opened = Promise.withResolvers<void>()
  return {
    reached: reached.promise,
    pass() {
      reached.resolve()
      return opened.promise
    },
    open: opened.resolve,
  }
}

const answers: Script = async function* () {
  yield say('yes')
}

async function busy(
  home: Awaited<ReturnType<typeof openHome>>,
  options: Partial<EngineOptions> = {},
): Promise<{ engine: Engine; gate: Gate; id: SessionId }> {
  const gate = createGate()
  const script: Script = async function* (turn) {
    await gate.pass()
    yield say(`echo: ${turn.message.content}`)
  }
  const engine = home.engine({ script, ...options })
  const { id } = await engine.create()
  return { engine, gate, id }
}
