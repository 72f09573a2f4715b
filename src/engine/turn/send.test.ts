import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  converse,
  callTool,
  endTool,
  eventsOf,
  openHome,
  promptsOf,
  say,
  startTool,
  typesOf,
} from '../../../test/support/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import { projectModelContext } from '../../state/context-folder.ts'
import { validateModelContext } from '../../../test/support/validate-context.ts'
import { deferred } from '../../lib/deferred.ts'
import { EngineError } from '../errors.ts'
import type { FeedItem } from '../live/feed.ts'

test('a session has no folder until its first message', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  assert.equal(existsSync(join(home.path, 'session-state', id)), false)
  await converse(engine, id, { prompt: 'hello' })
  assert.deepEqual(await typesOf(engine, id), [
    'session.start',
    'user.message',
    'assistant.turn_start',
    'assistant.message',
    'assistant.turn_end',
  ])
})

test('save writes a session that has said nothing, and only its start', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create({ name: 'quiet' })
  await (await engine.open(id)).save()
  assert.deepEqual(await typesOf(engine, id), ['session.start'])
  assert.equal((await (await engine.open(id)).metadata()).name, 'quiet')
})

test('opening and closing a session leaves its log byte for byte as it was', async () => {
  await using home = await openHome()
  const first = home.engine()
  const { id } = await first.create()
  await converse(first, id, { prompt: 'hello' })
  await (await first.open(id)).close()
  const before = await typesOf(first, id)
  const second = home.engine()
  await (await second.open(id)).resume()
  await (await second.open(id)).close()
  assert.deepEqual(await typesOf(second, id), before)
  assert.equal(before.at(-1), 'session.shutdown')
})

test('whatever is done at once in a session, its start and its resume come first', async () => {
  await using home = await openHome()
  const started = await home.engine().create()
  await Promise.all([started.save(), started.note({ level: 'info', message: 'at once' })])
  assert.deepEqual(
    (await started.events()).events.map(({ type }) => type),
    ['session.start', 'session.info'],
  )
  await started.close()
  const resumed = await home.engine().open(started.id)
  const { length } = (await resumed.events()).events
  await resumed.resume()
  await Promise.all([resumed.setModel({ model: 'other' }), resumed.setMode('plan')])
  const [first, ...rest] = (await resumed.events()).events.slice(length).map(({ type }) => type)
  assert.equal(first, 'session.resume')
  assert.deepEqual(rest.toSorted(), ['session.mode_changed', 'session.model_change'])
})

test('the first message after a resume is preceded by session.resume with the facts of that moment', async () => {
  await using home = await openHome()
  const first = home.engine()
  const { id } = await first.create({ model: 'm1', reasoningEffort: 'high' })
  await converse(first, id, { prompt: 'one' })
  await (await first.open(id)).close()
  const count = (await eventsOf(first, id)).length
  // Started elsewhere: the session works where it worked before.
  const second = home.engine({ cwd: '/' })
  await converse(second, id, { prompt: 'two' })
  const events = await eventsOf(second, id)
  const resumed = events.find(({ type }) => type === 'session.resume')
  assert.ok(resumed !== undefined && !('stranger' in resumed) && resumed.type === 'session.resume')
  const { resumeTime, eventsFileSizeBytes, context, ...rest } = resumed.data
  assert.ok(Date.parse(resumeTime) > 0)
  assert.ok((eventsFileSizeBytes ?? 0) > 0)
  assert.equal(context?.cwd, home.path)
  assert.deepEqual(rest, {
    eventCount: count,
    alreadyInUse: false,
    sessionWasActive: false,
    continuePendingWork: false,
    selectedModel: 'm1',
    reasoningEffort: 'high',
  })
  assert.deepEqual(await promptsOf(second, id), ['one', 'two'])
})

test('every parentId is the id before it, through two lives of a session', async () => {
  await using home = await openHome()
  const first = home.engine()
  const { id } = await first.create()
  await converse(first, id, { prompt: 'one' })
  await (await first.open(id)).close()
  const second = home.engine()
  await converse(second, id, { prompt: 'two' })
  const events = await eventsOf(second, id)
  assert.deepEqual(
    events.map(({ parentId }) => parentId),
    [null, ...events.slice(0, -1).map((event) => event.id)],
  )
})

test('nobody is told of an event before it can be read from the log', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  const seen: string[] = []
  const abort = new AbortController()
  const reader = (async () => {
    for await (const item of (await engine.open(id)).follow({ signal: abort.signal })) {
      if (item.kind !== 'event') continue
      const onDisk = (await eventsOf(home.engine(), id)).some((event) => event.id === item.event.id)
      assert.ok(onDisk, `${item.event.type} was told before it was on disk`)
      seen.push(item.event.type)
      if (item.event.type === 'assistant.turn_end') abort.abort()
    }
  })()
  await converse(engine, id, { prompt: 'hello' })
  await reader
  assert.deepEqual(seen, await typesOf(engine, id))
})

test('cancelling settles every open tool and leaves a valid history', async () => {
  await using home = await openHome()
  const started = Promise.withResolvers<void>()
  const engine = home.engine({
    script: async function* () {
      yield callTool('t1')
      yield startTool('t1')
      started.resolve()
      await new Promise(() => {}) // a tool that never ends and does not listen
    },
  })
  const { id } = await engine.create()
  const sent = converse(engine, id, { prompt: 'run it' })
  await started.promise
  assert.equal(await (await engine.open(id)).cancel(), true)
  assert.equal((await sent).status, 'cancelled')
  assert.deepEqual((await typesOf(engine, id)).slice(-3), [
    'tool.execution_complete',
    'abort',
    'assistant.turn_end',
  ])
  assert.deepEqual(await contextProblems(home.engine(), id), [])
  assert.equal(await (await engine.open(id)).cancel(), false)
})

test('an agent that throws ends the turn with an error that is recorded', async () => {
  await using home = await openHome()
  const engine = home.engine({
    script: async function* () {
      yield callTool('t1')
      throw new Error('the model is gone')
    },
  })
  const { id } = await engine.create()
  const outcome = await converse(engine, id, { prompt: 'go' })
  assert.deepEqual(
    { status: outcome.status, error: outcome.error },
    { status: 'failed', error: 'the model is gone' },
  )
  assert.ok((await typesOf(engine, id)).includes('session.error'))
  assert.deepEqual(await contextProblems(engine, id), [])
})

test('a second message while a turn runs is refused and changes nothing', async () => {
  await using home = await openHome()
  const go = Promise.withResolvers<void>()
  const engine = home.engine({
    script: async function* () {
      await go.promise
      yield say('done')
    },
  })
  const { id } = await engine.create()
  const first = converse(engine, id, { prompt: 'one' })
  await assert.rejects(converse(engine, id, { prompt: 'two' }), (error) => codeOf(error) === 'busy')
  go.resolve()
  await first
  assert.deepEqual(await promptsOf(engine, id), ['one'])
})

test('an empty message is refused and makes no session', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const { id } = await engine.create()
  await assert.rejects(
    converse(engine, id, { prompt: ' \n' }),
    (error) => codeOf(error) === 'invalid',
  )
  assert.deepEqual(await engine.list(), [])
})

test('a turn that is cancelled while rules are compared asks nobody', async () => {
  await using home = await openHome()
  const compared = deferred<void>()
  const comparing = deferred<void>()
  const over = deferred<void>()
  const engine = home.engine({
    policy: async () => {
      comparing.resolve()
      await compared.promise
      return 'ask' as const
    },
    script: async function* (turn) {
      yield callTool('t1')
      yield startTool('t1')
      await turn
        .permit({ kind: 'read', toolCallId: 't1', intention: 'read', path: 'x' })
        .finally(() => over.resolve())
    },
  })
  const { id } = await engine.create()
  const session = await engine.open(id)
  const sent = converse(engine, id, { prompt: 'read it' })
  await comparing.promise
  await session.cancel()
  await sent
  compared.resolve()
  await over.promise
  assert.equal((await typesOf(engine, id)).at(-1), 'assistant.turn_end')
})

test('a permission goes out as an event, waits for its answer, and the answer is recorded', async () => {
  await using home = await openHome()
  const engine = home.engine({
    script: async function* (turn) {
      yield callTool('t1')
      yield startTool('t1')
      const { kind } = await turn.permit({
        kind: 'shell',
        toolCallId: 't1',
        fullCommandText: 'rm -rf x',
        intention: 'remove x',
        commands: [],
        possiblePaths: [],
        possibleUrls: [],
        hasWriteFileRedirection: false,
        canOfferSessionApproval: true,
      })
      yield endTool('t1', kind)
    },
  })
  const { id } = await engine.create()
  const sent = converse(engine, id, { prompt: 'remove it' })
  const request = await nextEvent((await engine.open(id)).follow(), 'permission.requested')
  const requestId = (request.event.data as { requestId: string }).requestId
  await (await engine.open(id)).answer(requestId, { kind: 'deny', by: 'person', feedback: 'no' })
  await sent
  await assert.rejects(
    (await engine.open(id)).answer(requestId, { kind: 'allow', by: 'person' }),
    (error) => codeOf(error) === 'not_found',
  )
  const completed = (await eventsOf(engine, id)).find(({ type }) => type === 'permission.completed')
  assert.deepEqual(completed?.data, {
    requestId,
    toolCallId: 't1',
    result: { kind: 'denied-interactively-by-user', feedback: 'no' },
    decisionSource: 'human_response',
    reprise: { decidedBy: 'person' },
  })
})

test('a tool that writes the plan or a file of the session is noticed', async () => {
  await using home = await openHome()
  const { writeFile } = await import('node:fs/promises')
  const engine = home.engine({
    script: async function* (turn) {
      yield callTool('t1')
      yield startTool('t1')
      await writeFile(join(turn.workspacePath, 'plan.md'), '- [ ] one\n')
      await writeFile(join(turn.workspacePath, 'files', 'notes.md'), 'hello')
      yield endTool('t1')
    },
  })
  const { id } = await engine.create()
  await converse(engine, id, { prompt: 'plan' })
  const told = (await eventsOf(engine, id)).filter(({ type }) =>
    /plan_changed|file_changed/.test(type),
  )
  assert.deepEqual(
    told.map(({ type, data }) => ({ type, data })),
    [
      { type: 'session.workspace_file_changed', data: { path: 'notes.md', operation: 'create' } },
      { type: 'session.plan_changed', data: { operation: 'create' } },
    ],
  )
})

const codeOf = (error: unknown) => (error instanceof EngineError ? error.code : error)

async function contextProblems(
  engine: ReturnType<Awaited<ReturnType<typeof openHome>>['engine']>,
  id: SessionId,
) {
  const events = await eventsOf(engine, id)
  return validateModelContext(
    projectModelContext(events.map((event) => ({ event, start: 0, end: 0 }))),
  )
}

async function nextEvent(feed: AsyncGenerator<FeedItem>, type: string) {
  for await (const item of feed) if (item.kind === 'event' && item.event.type === type) return item
  throw new Error(`${type} never came`)
}
