/**
 * What every implementation of the session handle keeps, wherever the session runs. A subject that cannot be brought
 * into a situation says why, and the case is skipped by that name.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { FeedItem } from '../../src/engine/live/feed.ts'
import type { Session } from '../../src/engine/session.ts'
import type { EventOf, EventType } from '../../src/format/event.ts'

export type Subject = AsyncDisposable & {
  /** Has said "first" and was answered. */
  readonly session: Session
  /** Begins a turn where the session runs, by the words of `test/support/obedient.ts`; returns when the log has it. */
  begin(prompt: string): Promise<void>
  /** Nobody there can be asked any more. */
  cutOff?(): Promise<void>
  /** Its machine sleeps; gives the way to wake it. */
  sleep?(): () => void
}

export type SubjectKind = {
  readonly name: string
  readonly open: () => Promise<Subject>
  /** Case -> why the implementation has no such situation. */
  readonly without: Readonly<Partial<Record<'unreachable' | 'waits', string>>>
}

const limits = { timeout: 60_000 }

export function sessionContract(kind: SubjectKind): void {
  const it = (name: string, run: (subject: Subject) => Promise<void>, skip?: string | undefined) =>
    test(name, { ...limits, ...(skip !== undefined && { skip }) }, async () => {
      await using subject = await kind.open()
      await run(subject)
    })

  describe(`a session handle: ${kind.name}`, () => {
    it('a message to an idle session starts a turn, and its end is told', async ({ session }) => {
      const { how, ended, messageId } = await session.send({ prompt: 'hello' })
      assert.equal(how, 'started')
      assert.equal((await ended).status, 'completed')
      assert.deepEqual(await prompts(session), ['first', 'hello'])
      const said = await eventsOf(session, 'user.message')
      assert.equal(said.at(-1)?.data.messageId, messageId)
    })

    it('a message waits for the running turn, is listed, and is answered after it', async (subject) => {
      const { session } = subject
      await subject.begin('wait')
      const queued = await session.send({ prompt: 'after' }, { whenBusy: 'enqueue' })
      assert.equal(queued.how, 'queued')
      assert.deepEqual(await session.queue(), {
        entries: [{ id: queued.messageId, prompt: 'after' }],
        isHeld: false,
      })
      const joined = await session.send({ prompt: 'go' }, { whenBusy: 'steer' })
      assert.equal(joined.how, 'steered')
      assert.equal((await joined.ended).status, 'steered')
      assert.equal((await queued.ended).status, 'completed')
      assert.deepEqual(await prompts(session), ['first', 'wait', 'go', 'after'])
    })

    it('a stop leaves the session idle with what waits held, until it is released', async (subject) => {
      const { session } = subject
      await subject.begin('wait')
      const queued = await session.send({ prompt: 'later' }, { whenBusy: 'enqueue' })
      assert.equal(await session.cancel(), true)
      assert.equal((await eventsOf(session, 'abort')).length, 1)
      assert.equal(await session.cancel(), false)
      assert.deepEqual(await session.queue(), {
        entries: [{ id: queued.messageId, prompt: 'later' }],
        isHeld: true,
      })
      assert.equal(await session.changeQueue({ kind: 'release' }), 1)
      assert.equal((await queued.ended).status, 'completed')
      assert.deepEqual(await prompts(session), ['first', 'wait', 'later'])
    })

    it('what waits is changed, moved, taken out and cleared', async (subject) => {
      const { session } = subject
      await subject.begin('wait')
      const add = async (prompt: string) =>
        (await session.send({ prompt }, { whenBusy: 'enqueue' })).messageId
      const [one, two, three] = [await add('one'), await add('two'), await add('three')]
      await session.changeQueue({ kind: 'move', messageId: three, position: 0 })
      await session.changeQueue({ kind: 'edit', messageId: one, prompt: 'uno' })
      await session.changeQueue({ kind: 'remove', messageId: two })
      const { entries } = await session.queue()
      assert.deepEqual(
        entries.map(({ prompt }) => prompt),
        ['three', 'uno'],
      )
      await assert.rejects(session.changeQueue({ kind: 'remove', messageId: two }), {
        code: 'not_found',
      })
      assert.equal(await session.changeQueue({ kind: 'clear' }), 2)
      assert.deepEqual((await session.queue()).entries, [])
      await session.cancel()
    })

    it('a permission that waits is listed and answered once', async (subject) => {
      const { session } = subject
      await subject.begin('permit')
      const requestId = await seen(session, ({ requests }) => requests[0]?.data)
      await session.answer(requestId.requestId, { kind: 'deny', feedback: 'not now' })
      await assert.rejects(session.answer(requestId.requestId, { kind: 'allow' }), {
        code: 'not_found',
      })
      await answered(session, 'decided: deny not now')
      const [completed] = await eventsOf(session, 'permission.completed')
      assert.equal(completed?.data.decisionSource, 'human_response')
    })

    it('a question that waits is listed and answered', async (subject) => {
      const { session } = subject
      await subject.begin('ask')
      const question = await seen(session, ({ questions }) => questions[0])
      assert.deepEqual([question.question, question.choices], ['Which?', ['red', 'blue']])
      await session.answerQuestion(question.requestId, 'blue')
      await answered(session, 'answered: blue')
    })

    it('a follower is told history, then that it is over, then what happens and what streams', async (subject) => {
      const { session } = subject
      const items: FeedItem[] = []
      const end = new AbortController()
      const followed = (async () => {
        for await (const item of session.follow({ signal: end.signal })) items.push(item)
      })()
      await until(() => items.some(({ kind }) => kind === 'live'))
      const history = items.findIndex(({ kind }) => kind === 'live')
      assert.ok(items.slice(0, history).every(({ kind }) => kind === 'event'))
      await subject.begin('stream')
      await until(() => textOf(items) === 'one two ')
      await session.send({ prompt: 'go' }, { whenBusy: 'steer' })
      await until(() => items.some((item) => isNotice(item, 'session.idle')))
      end.abort()
      await followed
      const ids = items.flatMap((item) => (item.kind === 'event' ? [item.event.id] : []))
      const all = (await session.events()).events.map(({ id }) => id)
      assert.deepEqual(ids, all)
    })

    it('a follower goes on after its cursor without a gap and without a repeat', async (subject) => {
      const { session } = subject
      const [first, ...rest] = (await session.events()).events
      assert.ok(first !== undefined)
      const end = new AbortController()
      const ids: string[] = []
      for await (const item of session.follow({ after: first.id, signal: end.signal })) {
        if (item.kind === 'event') ids.push(item.event.id)
        if (item.kind === 'live') break
      }
      assert.deepEqual(
        ids,
        rest.map(({ id }) => id),
      )
    })

    it('model and mode are changed while a turn runs, and are in the log', async (subject) => {
      const { session } = subject
      await subject.begin('wait')
      await session.setModel({ model: 'm-2' })
      await session.setMode('plan')
      const { model, mode } = await session.state()
      assert.deepEqual([model, mode], ['m-2', 'plan'])
      await session.cancel()
    })

    it('a running turn is neither rewound nor compacted, and nothing is changed', async (subject) => {
      const { session } = subject
      await subject.begin('wait')
      const before = (await session.events()).events.length
      for (const deed of [
        () => session.undo({ waitMs: 50 }),
        () => session.compact({ waitMs: 50 }),
      ])
        await assert.rejects(deed(), ({ code }: { code: string }) =>
          ['busy', 'in_use'].includes(code),
        )
      assert.equal((await session.events()).events.length, before)
      await session.cancel()
    })

    it('an undone turn is brought back by redo, byte for byte', async ({ session }) => {
      await (
        await session.send({ prompt: 'hello' })
      ).ended
      const before = await bytesOf(session)
      const { turnsRemoved } = await session.undo()
      assert.equal(turnsRemoved, 1)
      assert.deepEqual(await prompts(session), ['first'])
      await session.redo()
      assert.equal(await bytesOf(session), before)
    })

    it('a fork has the same beginning and is another session', async ({ session }) => {
      const { sessionId } = await session.fork({ name: 'other' })
      assert.notEqual(sessionId, session.id)
      assert.deepEqual(await prompts(session), ['first'])
    })

    it('the transcript tells what was said', async ({ session }) => {
      const kinds: string[] = []
      for await (const entry of session.transcript()) kinds.push(entry.kind)
      assert.deepEqual(
        kinds.filter((each) => each === 'user' || each === 'assistant'),
        ['user', 'assistant'],
      )
    })

    it(
      'one that cannot be asked says so, and nothing is changed',
      async (subject) => {
        const { session } = subject
        await subject.begin('wait')
        const before = (await session.events()).events.length
        await subject.cutOff?.()
        await assert.rejects(session.send({ prompt: 'x' }, { whenBusy: 'steer' }), {
          code: 'unreachable',
        })
        await assert.rejects(session.cancel(), { code: 'unreachable' })
        await assert.rejects(session.queue(), { code: 'unreachable' })
        assert.equal((await session.events()).events.length, before)
      },
      kind.without.unreachable,
    )

    it(
      'what waits for a machine that sleeps says so, and is done once when it is back',
      async (subject) => {
        const { session } = subject
        const wake = subject.sleep?.()
        await assert.rejects(session.send({ prompt: 'later' }), { code: 'waits' })
        assert.deepEqual(await prompts(session), ['first'])
        wake?.()
        await until(async () => (await prompts(session)).length > 1)
        await answered(session, 'echo: later')
        assert.deepEqual(await prompts(session), ['first', 'later'])
      },
      kind.without.waits,
    )
  })
}

export async function prompts(session: Session): Promise<string[]> {
  return (await eventsOf(session, 'user.message')).map(({ data }) => data.content)
}

async function eventsOf<T extends EventType>(session: Session, type: T): Promise<EventOf<T>[]> {
  const { events } = await session.events()
  return events.filter(
    (event) => !('stranger' in event) && event.type === type,
  ) as unknown as EventOf<T>[]
}

type Pending = Awaited<ReturnType<Session['pending']>>

/** What waits, once it does. */
async function seen<T>(session: Session, pick: (pending: Asked) => T | undefined): Promise<T> {
  let found: T | undefined
  await until(async () => {
    const { requests, questions } = await session.pending()
    const permissions = requests.flatMap((event) =>
      event.type === 'permission.requested' ? [event] : [],
    )
    found = pick({ requests: permissions, questions })
    return found !== undefined
  })
  assert.ok(found !== undefined)
  return found
}

type Asked = {
  readonly requests: readonly EventOf<'permission.requested'>[]
  readonly questions: Pending['questions']
}

async function answered(session: Session, text: string): Promise<void> {
  await until(async () =>
    (await eventsOf(session, 'assistant.message')).some(({ data }) => data.content === text),
  )
  await until(async () => (await session.state()).openTurns.length === 0)
}

const isNotice = (item: FeedItem, type: string): boolean =>
  item.kind === 'notice' && item.notice.type === type

const textOf = (items: readonly FeedItem[]): string =>
  items
    .flatMap((item) =>
      item.kind === 'notice' && item.notice.type === 'assistant.message_delta'
        ? [item.notice.data.deltaContent]
        : [],
    )
    .join('')

async function bytesOf(session: Session): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of session.raw()) chunks.push(chunk)
  return Buffer.concat(chunks).toString('hex')
}

export async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  const deadline = Date.now() + 30_000
  while (!(await holds())) {
    if (Date.now() > deadline) throw new Error('It was never so.')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
