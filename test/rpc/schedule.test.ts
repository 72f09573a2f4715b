/** Prompts that are sent later, through the real SDK: recorded, sent once, and there again in another process. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { approveAll, type SessionConfig } from '@github/copilot-sdk'
import { deferred } from '../../src/lib/deferred.ts'
import { startModelServer, type ModelServer } from '../model-server/server.ts'
import { ask, makeRpcPlace, nextEvent } from './place.ts'

const config = ({ baseUrl }: ModelServer): SessionConfig => ({
  onPermissionRequest: approveAll,
  model: 'test-model',
  provider: { type: 'openai', baseUrl },
})

type Added = {
  readonly entry?: { readonly id: number; readonly nextRunAt: string }
  error?: string
}

const saidIn = (events: readonly { readonly type: string; readonly data: unknown }[]) =>
  events.flatMap(({ type, data }) => {
    const { content, source } = data as { content?: string; source?: string }
    return type === 'user.message' ? [`${source}: ${content}`] : []
  })

test('prompts wait for their time, are numbered, listed, stopped, and stand in the next process', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using place = makeRpcPlace()
  const first = place.client()
  const session = await first.createSession(config(model))
  const { sessionId } = session
  const schedule = (method: string, params: object, client = first) =>
    ask(client, `session.schedule.${method}`, { sessionId, ...params }) as Promise<Added>

  assert.deepEqual(await schedule('add', { interval: '1s', prompt: 'x' }), {
    error: 'Minimum interval is 10s.',
  })
  assert.match((await schedule('add', { interval: 'soon', prompt: 'x' })).error ?? '', /Try 30s/)
  assert.match((await schedule('addCron', { cron: '* *', prompt: 'x' })).error ?? '', /cron/)
  assert.deepEqual(await schedule('addAt', { prompt: 'x' }), { error: 'Invalid scheduled time.' })

  assert.equal((await schedule('add', { interval: '10m', prompt: 'tick' })).entry?.id, 1)
  const daily = await schedule('addCron', { cron: '0 9 * * *', tz: 'Asia/Tokyo', prompt: 'daily' })
  assert.match(daily.entry?.nextRunAt ?? '', /T00:00:00\.000Z$/)
  const at = Date.now() + 3_600_000
  await schedule('addAt', { at, prompt: 'once' })
  assert.equal((await session.rpc.schedule.stop({ id: 1 })).entry?.prompt, 'tick')
  assert.deepEqual(await session.rpc.schedule.stop({ id: 1 }), {})
  const known = await session.rpc.schedule.list()
  assert.deepEqual(
    known.entries.map(({ id, prompt, recurring }) => [id, prompt, recurring]),
    [
      [2, 'daily', true],
      [3, 'once', false],
    ],
  )
  assert.equal(known.entries[1]?.nextRunAt, new Date(at).toISOString())
  await first.stop()

  const second = place.client()
  const resumed = await second.resumeSession(sessionId, config(model))
  assert.deepEqual(await resumed.rpc.schedule.list(), known)
  const next = await schedule('add', { interval: '1d', prompt: 'later' }, second)
  assert.equal(next.entry?.id, 4)
})

test('one whose time came while nobody had the session open is sent when it is resumed, once', async () => {
  await using model = await startModelServer(() => ({ text: 'ok' }))
  await using place = makeRpcPlace()
  const first = place.client()
  const session = await first.createSession(config(model))
  const { sessionId } = session
  const at = Date.now() + 1500
  await ask(first, 'session.schedule.addAt', { sessionId, at, prompt: 'wake' })
  await first.stop()
  while (Date.now() < at) await new Promise(setImmediate)

  const second = place.client()
  const idle = deferred<void>()
  const resumed = await second.resumeSession(sessionId, {
    ...config(model),
    onEvent: ({ type }) => type === 'session.idle' && idle.resolve(),
  })
  await idle.promise
  await second.ping()
  const events = await resumed.getEvents()
  assert.deepEqual(saidIn(events), ['schedule-1: [Scheduled prompt #1]\nwake'])
  assert.deepEqual(await resumed.rpc.schedule.list(), { entries: [] })
  assert.deepEqual(
    events.flatMap(({ type }) => (type.startsWith('session.schedule') ? [type] : [])),
    ['session.schedule_created', 'session.schedule_cancelled'],
  )
})

test('one without a cadence is sent again only when it is given its next time before it is answered', async () => {
  const gate = deferred<void>()
  const asked = deferred<void>()
  await using model = await startModelServer(async () => {
    asked.resolve()
    await gate.promise
    return { text: 'ok' }
  })
  await using place = makeRpcPlace()
  const client = place.client()
  const session = await client.createSession(config(model))
  const { sessionId } = session
  await ask(client, 'session.schedule.addSelfPaced', { sessionId, prompt: 'self' })
  await asked.promise
  const at = Date.now() + 3_600_000
  await ask(client, 'session.schedule.rearmSelfPaced', { sessionId, id: 1, at })
  const idle = nextEvent(session, 'session.idle')
  gate.resolve()
  await idle
  const { entries } = await session.rpc.schedule.list()
  assert.deepEqual(
    entries.map(({ id, nextRunAt }) => [id, nextRunAt]),
    [[1, new Date(at).toISOString()]],
  )
  const cancelled = nextEvent(session, 'session.schedule_cancelled')
  await ask(client, 'session.schedule.addSelfPaced', { sessionId, prompt: 'never again' })
  assert.deepEqual(((await cancelled).data as { id: number }).id, 2)
})
