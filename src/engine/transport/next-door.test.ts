/** What is asked of a turn that runs in another engine of the same home, as in another process. */
import assert from 'node:assert/strict'
import { mkdir, readFile, readdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  converse,
  eventsOf,
  openHome,
  promptsOf,
  say,
  typesOf,
  type Home,
} from '../../../test/support/engine.ts'
import { obedient } from '../../../test/support/obedient.ts'
import type { EventOf } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import type { InboxRequest } from '../../format/inbox.ts'
import { openDisk } from '../../fs/disk.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import type { Engine, EngineOptions } from '../engine.ts'
import type { FeedItem } from '../live/feed.ts'
import { NOTICES } from '../live/stream-lines.ts'
import { MOST_REQUESTS, SERVING } from './inbox-files.ts'

const limits = { timeout: 60_000 }

type Place = AsyncDisposable & {
  readonly home: Home
  readonly id: SessionId
  /** Where the turn runs. */
  readonly there: Engine
  readonly here: Engine
  readonly folder: string
}

async function openPlace(options: (path: string) => Partial<EngineOptions> = () => ({})) {
  const home = await openHome()
  const given = { script: obedient, answersQuestions: true }
  const there = home.engine({ ...given, ...options(home.path) })
  const here = home.engine(given)
  const { id } = await there.create({ cwd: home.path })
  await converse(there, id, { prompt: 'first' })
  return {
    home,
    id,
    there,
    here,
    folder: join(home.path, 'session-state', id, '.reprise', 'inbox'),
    [Symbol.asyncDispose]: () => home[Symbol.asyncDispose](),
  } satisfies Place
}

/** The first item that is wanted, seen by an engine that follows from the beginning. */
async function sees<T>(
  engine: Engine,
  id: SessionId,
  pick: (item: FeedItem) => T | undefined,
): Promise<T> {
  for await (const item of (await engine.open(id)).follow()) {
    const found = pick(item)
    if (found !== undefined) return found
  }
  assert.fail('never seen')
}

const requested = (item: FeedItem): string | undefined =>
  item.kind === 'event' && !('stranger' in item.event) && item.event.type === 'permission.requested'
    ? item.event.data.requestId
    : undefined

const asked = (item: FeedItem): string | undefined =>
  item.kind === 'notice' && item.notice.type === 'user_input.requested'
    ? item.notice.data.requestId
    : undefined

const lastAnswer = async (engine: Engine, id: SessionId): Promise<string | undefined> =>
  (await eventsOf(engine, id)).findLast(
    (event): event is EventOf<'assistant.message'> =>
      !('stranger' in event) && event.type === 'assistant.message',
  )?.data.content

/** What a turn that was sent there waits for, once the log says that it runs. */
async function running(engine: Engine, id: SessionId): Promise<void> {
  for await (const _ of (await engine.open(id)).follow())
    if ((await (await engine.open(id)).state()).openTurns.length > 0) return
}

test(
  'a permission is answered from elsewhere, and is in the log when the answer returns',
  limits,
  async () => {
    await using place = await openPlace()
    const { there, here, id } = place
    const turn = converse(there, id, { prompt: 'permit' })
    const requestId = await sees(here, id, requested)
    await (await here.open(id)).answer(requestId, { kind: 'deny', feedback: 'not now' })
    assert.ok((await typesOf(here, id)).includes('permission.completed'))
    assert.equal((await turn).status, 'completed')
    assert.equal(await lastAnswer(here, id), 'decided: deny not now')
    const [completed] = (await eventsOf(here, id)).filter(
      (event): event is EventOf<'permission.completed'> => event.type === 'permission.completed',
    )
    assert.equal(completed?.data.decisionSource, 'human_response')
  },
)

test('the first answer wins, and the other is told', limits, async () => {
  await using place = await openPlace()
  const { there, here, id, home } = place
  const third = home.engine({ script: obedient })
  const turn = converse(there, id, { prompt: 'permit' })
  const requestId = await sees(here, id, requested)
  const outcomes = await Promise.allSettled([
    (await here.open(id)).answer(requestId, { kind: 'allow' }),
    (await third.open(id)).answer(requestId, { kind: 'deny' }),
  ])
  await turn
  const won = outcomes.map(({ status }) => status)
  assert.deepEqual(won.toSorted(), ['fulfilled', 'rejected'])
  const lost = outcomes.find((outcome) => outcome.status === 'rejected')
  assert.match(String(lost?.reason), /answered or withdrawn. Nothing was changed/)
  assert.match(
    String(await lastAnswer(here, id)),
    won[0] === 'fulfilled' ? /decided: allow/ : /decided: deny/,
  )
  await assert.rejects((await here.open(id)).answer(requestId, { kind: 'allow' }), {
    code: 'not_found',
  })
})

test(
  'a question is shown to a process that looks on, and answered from there',
  limits,
  async () => {
    await using place = await openPlace()
    const { there, here, id } = place
    const turn = converse(there, id, { prompt: 'ask' })
    const requestId = await sees(here, id, asked)
    const question = { requestId, question: 'Which?', choices: ['red', 'blue'] }
    const waits = { requests: [], questions: [question] }
    assert.deepEqual(await (await here.open(id)).pending(), { at: 'next-door', ...waits })
    assert.deepEqual(await (await there.open(id)).pending(), { at: 'here', ...waits })
    assert.deepEqual([...(await here.running())], [[id, 'waiting']])
    await (await here.open(id)).answerQuestion(requestId, 'blue')
    await turn
    assert.equal(await lastAnswer(here, id), 'answered: blue')
    await assert.rejects((await here.open(id)).answerQuestion(requestId, 'red'), {
      code: 'not_found',
    })
    assert.deepEqual(await (await here.open(id)).pending(), { requests: [], questions: [] })
  },
)

test(
  'a turn is cancelled from elsewhere; when nothing runs there is nothing to cancel',
  limits,
  async () => {
    await using place = await openPlace()
    const { there, here, id } = place
    assert.equal(await (await here.open(id)).cancel(), false)
    const turn = converse(there, id, { prompt: 'wait' })
    await running(here, id)
    assert.equal(await (await here.open(id)).cancel(), true)
    assert.ok((await typesOf(here, id)).includes('abort'))
    assert.equal((await turn).status, 'cancelled')
    assert.equal(await (await here.open(id)).cancel(), false)
  },
)

test(
  'a message joins the turn that runs elsewhere, or waits there for its end',
  limits,
  async () => {
    await using place = await openPlace()
    const { there, here, id } = place
    const turn = converse(there, id, { prompt: 'wait' })
    await running(here, id)
    const queued = await (await here.open(id)).send({ prompt: 'later' }, { whenBusy: 'enqueue' })
    assert.equal(queued.how, 'queued')
    assert.deepEqual(await waiting(there, id), ['later'])
    assert.deepEqual(await waiting(here, id), ['later'])
    const steered = await (await here.open(id)).send({ prompt: 'now' }, { whenBusy: 'steer' })
    assert.equal(steered.how, 'steered')
    assert.equal((await steered.ended).status, 'steered')
    assert.equal((await turn).status, 'completed')
    assert.equal((await queued.ended).status, 'completed')
    await sees(here, id, (item) =>
      item.kind === 'event' && JSON.stringify(item.event).includes('echo: later')
        ? true
        : undefined,
    )
    assert.deepEqual(await promptsOf(here, id), ['first', 'wait', 'now', 'later'])
  },
)

test('who queued a message elsewhere learns that it was withdrawn there', limits, async () => {
  await using place = await openPlace()
  const { there, here, id } = place
  const turn = converse(there, id, { prompt: 'wait' })
  await running(here, id)
  const session = await here.open(id)
  const { ended } = await session.send({ prompt: 'later' }, { whenBusy: 'enqueue' })
  assert.equal(await session.changeQueue({ kind: 'clear' }), 1)
  assert.equal((await ended).status, 'withdrawn')
  await session.cancel()
  await turn
})

test('a queue that is asked for while its process stops to serve it is empty', limits, async () => {
  for (const ends of ['closes', 'opens again'] as const) {
    await using place = await openPlace()
    const { here, id, folder } = place
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, SERVING), '')
    const asked = (await here.open(id)).queue()
    await until(() => hasRequests(folder))
    if (ends === 'closes') await rm(join(folder, SERVING))
    else for (const file of await asking(folder)) await rm(join(folder, file))
    assert.deepEqual(await asked, { entries: [], isHeld: false })
  }
})

test(
  'with nothing at work elsewhere a message is sent from here, and the inbox stays empty',
  limits,
  async () => {
    await using place = await openPlace()
    const { here, id, folder } = place
    const sent = await (await here.open(id)).send({ prompt: 'mine' }, { whenBusy: 'steer' })
    assert.equal(sent.how, 'started')
    assert.equal((await sent.ended).status, 'completed')
    assert.deepEqual(await readdir(folder), [])
  },
)

test(
  'a message that is too long for the inbox is refused before anything is sent',
  limits,
  async () => {
    await using place = await openPlace()
    const { there, here, id, folder } = place
    const turn = converse(there, id, { prompt: 'wait' })
    await running(here, id)
    const long = { prompt: 'x'.repeat(70_000) }
    await assert.rejects((await here.open(id)).send(long, { whenBusy: 'steer' }), {
      code: 'invalid',
    })
    assert.deepEqual(await asking(folder), [])
    await (await there.open(id)).cancel()
    await turn
  },
)

const name = (nonce: number) =>
  `${String(nonce).padStart(15, '0')}-00000000-0000-4000-8000-${String(nonce).padStart(12, '0')}.json`

test('what is no request is removed, told and never acted on', limits, async () => {
  await using place = await openPlace()
  const { there, here, id, folder } = place
  const turn = converse(there, id, { prompt: 'wait' })
  await running(here, id)
  const [{ turnId = '' } = {}] = (await (await here.open(id)).state()).openTurns
  const told = sees(there, id, (item) =>
    item.kind === 'notice' && item.notice.type === 'session.error'
      ? item.notice.data.message
      : undefined,
  )
  await writeFile(join(folder, name(1)), 'no JSON')
  await writeFile(
    join(folder, name(2)),
    JSON.stringify({ version: 2, kind: 'cancel', running: turnId }),
  )
  await writeFile(
    join(folder, name(3)),
    JSON.stringify({ version: 1, kind: 'cancel', running: turnId, more: 1 }),
  )
  await writeFile(join(folder, name(4)), ' '.repeat(70_000))
  await mkdir(join(folder, name(5)))
  await symlink('/etc/hostname', join(folder, name(6)))
  await writeFile(join(folder, 'anything'), 'else')
  assert.match(await told, /could not be read and w\w+ removed/)
  await untilEmpty(folder)
  assert.equal((await (await here.open(id)).state()).openTurns.length, 1)
  assert.equal(await (await here.open(id)).cancel(), true)
  await turn
})

test(
  'what was left for an earlier turn is swept with the next and never acted on',
  limits,
  async () => {
    await using place = await openPlace()
    const { there, here, id, folder } = place
    const left: InboxRequest[] = [
      { version: 1, kind: 'cancel', running: 'an earlier turn' },
      {
        version: 1,
        kind: 'send',
        running: 'an earlier turn',
        whenBusy: 'enqueue',
        message: { prompt: 'old', messageId: 'm' },
      },
      { version: 1, kind: 'answer', requestId: 'an earlier request', decision: 'allow' },
    ]
    for (const [index, request] of left.entries())
      await writeFile(join(folder, name(index)), JSON.stringify(request))
    await writeFile(join(folder, 'question-old.json'), '{}')
    await converse(there, id, { prompt: 'second' })
    assert.deepEqual(await readdir(folder), [])
    assert.deepEqual(await promptsOf(here, id), ['first', 'second'])
  },
)

test('a request about another turn changes nothing in the one that runs', limits, async () => {
  await using place = await openPlace()
  const { there, here, id, folder } = place
  const turn = converse(there, id, { prompt: 'wait' })
  await running(here, id)
  const other: InboxRequest = { version: 1, kind: 'cancel', running: 'another turn' }
  await writeFile(join(folder, '../request'), JSON.stringify(other))
  await rename(join(folder, '../request'), join(folder, name(1)))
  await until(async () => (await readdir(folder)).includes(name(1).replace('.json', '.reply.json')))
  assert.equal((await (await here.open(id)).state()).openTurns.length, 1)
  await (await there.open(id)).cancel()
  await turn
})

test(
  'format §10.12: a request that was withdrawn is removed and not acted on',
  limits,
  async () => {
    await using place = await openPlace()
    const { there, here, id, folder } = place
    const turn = converse(there, id, { prompt: 'wait' })
    await running(here, id)
    const [{ turnId = '' } = {}] = (await (await here.open(id)).state()).openTurns
    const request: InboxRequest = {
      version: 1,
      kind: 'send',
      running: turnId,
      whenBusy: 'enqueue',
      message: { prompt: 'withdrawn', messageId: 'm' },
    }
    const reply = join(folder, name(1).replace('.json', '.reply.json'))
    const withdrawn = JSON.stringify({ version: 1, status: 'withdrawn' })
    await writeFile(reply, withdrawn)
    await writeFile(join(folder, '../request'), JSON.stringify(request))
    await rename(join(folder, '../request'), join(folder, name(1)))
    await until(async () => !(await readdir(folder)).includes(name(1)))
    // Requests are taken one after the other, so the first is done with when the next is.
    assert.equal(await (await here.open(id)).cancel(), true)
    await turn
    assert.deepEqual(await waiting(there, id), [])
    assert.equal(await readFile(reply, 'utf8'), withdrawn)
  },
)

test('a list says what goes on elsewhere, for as long as it does', limits, async () => {
  await using place = await openPlace()
  const { there, here, id } = place
  assert.deepEqual([...(await here.running())], [])
  const turn = converse(there, id, { prompt: 'wait' })
  await running(here, id)
  assert.deepEqual([...(await here.running())], [[id, 'running']])
  await (await there.open(id)).cancel()
  await turn
  assert.deepEqual([...(await here.running())], [])
  const next = converse(there, id, { prompt: 'permit' })
  const requestId = await sees(here, id, requested)
  assert.deepEqual([...(await here.running())], [[id, 'waiting']])
  const { at, requests } = await (await here.open(id)).pending()
  assert.equal(at, 'next-door')
  assert.partialDeepStrictEqual(
    requests.map(({ data }) => data),
    [{ requestId, permissionRequest: { kind: 'shell', fullCommandText: 'make' } }],
  )
  await (await here.open(id)).answer(requestId, { kind: 'allow' })
  await next
})

async function until(holds: () => Promise<boolean>): Promise<void> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10))
}

/** What lies in the inbox, aside from the signs that it is served. */
const asking = async (folder: string): Promise<string[]> =>
  (await readdir(folder)).filter((file) => file !== SERVING && file !== NOTICES)

const untilEmpty = (folder: string) => until(async () => (await asking(folder)).length === 0)

test('format §10.15: a question is shown elsewhere without its secrets', limits, async () => {
  await using home = await openHome()
  const there = home.engine({
    script: async function* (turn) {
      yield say(`${await turn.ask({ question: 'Use hunter2?', choices: ['hunter2', 'no'] })}`)
    },
    answersQuestions: true,
    redact: async (draft) =>
      JSON.parse(JSON.stringify(draft).replaceAll('hunter2', '***')) as typeof draft,
  })
  const here = home.engine()
  const { id } = await there.create({ cwd: home.path })
  await (await there.open(id)).save()
  const turn = converse(there, id, { prompt: 'go' })
  const requestId = await sees(here, id, asked)
  const { questions } = await (await here.open(id)).pending()
  assert.deepEqual(questions, [{ requestId, question: 'Use ***?', choices: ['***', 'no'] }])
  await (await here.open(id)).answerQuestion(requestId, undefined)
  await turn
})

/** A disk that tells of changes in an inbox only when it is let. */
function lateBell(path: string) {
  const disk = openDisk(path)
  let ring: (() => void) | undefined
  const fs: SessionFs = {
    ...disk,
    watch: (folder, onChange) => {
      if (!folder.endsWith('/inbox')) return disk.watch(folder, onChange)
      ring = onChange
      return { [Symbol.dispose]: () => (ring = undefined) }
    },
  }
  return { fs, ring: () => ring?.() }
}

/** A turn that runs there, so many requests to it that nobody has looked at, and what rings the bell. */
async function crowd(requests: number) {
  let bell = { ring: () => {} }
  const place = await openPlace((path) => {
    const late = lateBell(path)
    bell = late
    return { fs: late.fs }
  })
  const { there, here, id, folder } = place
  const turn = converse(there, id, { prompt: 'wait' })
  await running(here, id)
  const [{ turnId = '' } = {}] = (await (await here.open(id)).state()).openTurns
  const prompts = Array.from({ length: requests }, (_, at) => `request ${at}`)
  for (const [at, prompt] of prompts.entries()) {
    const message = { prompt, messageId: `m${at}` }
    const request: InboxRequest = {
      version: 1,
      kind: 'send',
      running: turnId,
      whenBusy: 'enqueue',
      message,
    }
    await writeFile(join(folder, name(at)), JSON.stringify(request))
  }
  return { ...place, turn, prompts, ring: () => bell.ring() }
}

const hasRequests = async (folder: string): Promise<boolean> =>
  (await readdir(folder)).some((file) => /[0-9a-f]\.json$/.test(file))

const waiting = async (engine: Engine, id: SessionId): Promise<string[]> =>
  (await (await engine.open(id)).queue()).entries.map(({ prompt }) => prompt)

test(
  'a full inbox refuses the next request, loses none, and has room again once they are taken',
  limits,
  async () => {
    await using place = await crowd(MOST_REQUESTS)
    const { there, here, id, folder, turn, prompts, ring } = place
    const more = async () =>
      (await here.open(id)).send({ prompt: 'one more' }, { whenBusy: 'enqueue' })
    await assert.rejects(more(), {
      code: 'busy',
      message: `${MOST_REQUESTS} requests wait for the process that is at work in session ${id}. Nothing was sent. Try again later.`,
    })
    const files = await asking(folder)
    assert.deepEqual(
      files.sort(),
      prompts.map((_, at) => name(at)),
    )
    ring()
    await until(async () => (await waiting(there, id)).length === MOST_REQUESTS)
    assert.deepEqual(await waiting(there, id), prompts)
    await until(async () => !(await hasRequests(folder)))
    const sent = more()
    await until(() => hasRequests(folder))
    ring()
    assert.equal((await sent).how, 'queued')
    assert.deepEqual(await waiting(there, id), [...prompts, 'one more'])
    await (await there.open(id)).cancel()
    await turn
  },
)

test('what was written past the limit is removed unread and told', limits, async () => {
  await using place = await crowd(MOST_REQUESTS + 1)
  const { there, id, folder, turn, prompts, ring } = place
  const told = sees(there, id, (item) =>
    item.kind === 'notice' && item.notice.type === 'session.error'
      ? item.notice.data.message
      : undefined,
  )
  ring()
  assert.match(await told, /^A file in the inbox of this session could not be read/)
  await until(async () => (await waiting(there, id)).length === MOST_REQUESTS)
  assert.deepEqual(await waiting(there, id), prompts.slice(0, MOST_REQUESTS))
  assert.ok(!(await readdir(folder)).includes(name(MOST_REQUESTS)))
  await (await there.open(id)).cancel()
  await turn
})
