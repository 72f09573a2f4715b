/** The whole life of a session, driven by the unmodified Copilot SDK over standard input and output. */
import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { approveAll } from '@github/copilot-sdk'
import { startModelServer } from '../model-server/server.ts'
import { makeRpcPlace, nextEvent } from './place.ts'

test('the SDK starts Reprise, and a session lives from its creation to its deletion', async () => {
  await using place = makeRpcPlace()
  const client = place.client()
  await client.start()
  const lives: string[] = []
  client.onLifecycle(({ type }) => lives.push(type))
  const session = await client.createSession({
    onPermissionRequest: approveAll,
    workingDirectory: place.project,
  })
  assert.equal(session.workspacePath, join(place.home, 'session-state', session.sessionId))

  const answer = await session.sendAndWait('run echo hello > made.txt')
  assert.match(answer?.data.content ?? '', /succeeded/)
  assert.equal(readFileSync(join(place.project, 'made.txt'), 'utf8'), 'hello\n')
  const log = readFileSync(join(session.workspacePath ?? '', 'events.jsonl'), 'utf8')
  const events = await session.getEvents()
  assert.deepEqual(
    events,
    log
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as never),
  )

  const [listed] = await client.listSessions({ workingDirectory: place.project })
  assert.equal(listed?.sessionId, session.sessionId)
  assert.deepEqual(await client.listSessions({ branch: 'none' }), [])
  assert.equal((await client.getSessionMetadata(session.sessionId))?.summary, listed?.summary)
  assert.equal(await client.getLastSessionId(), session.sessionId)
  await assert.rejects(client.setForegroundSessionId(session.sessionId), /nobody looks/)
  assert.equal(await client.getForegroundSessionId(), undefined)

  await session.disconnect()
  await client.deleteSession(session.sessionId)
  assert.deepEqual(await client.listSessions(), [])
  assert.equal(existsSync(session.workspacePath ?? ''), false)
  assert.deepEqual(
    lives.filter((type) => type !== 'session.updated'),
    ['session.created', 'session.deleted'],
  )
  assert.deepEqual(await client.stop(), [])
})

test('a session out of which a text was forgotten goes on', async () => {
  await using place = makeRpcPlace()
  const session = await place.client().createSession({ onPermissionRequest: approveAll })
  await session.sendAndWait('run echo unwanted')
  await session.rpc.commands.invoke({ name: 'forget', input: '--yes unwanted' })
  const answer = await session.sendAndWait('run echo wanted')
  assert.match(answer?.data.content ?? '', /succeeded[^]*wanted/)
  assert.doesNotMatch(JSON.stringify(await session.getEvents()), /unwanted/)
})

test('sessions are named as their programs like, as long as a folder can be', async () => {
  await using place = makeRpcPlace()
  const client = place.client()
  for (const sessionId of ['-x', '--help', 'user-123-task-456', 'a'.repeat(237)]) {
    const session = await client.createSession({ onPermissionRequest: approveAll, sessionId })
    await session.sendAndWait('hello')
    await session.disconnect()
    const again = await client.resumeSession(sessionId, { onPermissionRequest: approveAll })
    assert.equal((await again.getEvents())[0]?.type, 'session.start')
    await again.disconnect()
    assert.equal((await client.getSessionMetadata(sessionId))?.sessionId, sessionId)
    assert.deepEqual(
      (await client.listSessions()).map((each) => each.sessionId),
      [sessionId],
    )
    await client.deleteSession(sessionId)
    assert.deepEqual(await client.listSessions(), [])
  }
  for (const sessionId of ['.hidden', '..', 'a/b', 'a b', 'a'.repeat(238), 'old.jsonl', 'Con'])
    await assert.rejects(client.createSession({ sessionId }), /expected a session id/)
})

test('a session outlives its server, killed in the middle of a turn, and goes on', async () => {
  await using place = makeRpcPlace()
  const first = place.client()
  const begun = await first.createSession({ onPermissionRequest: approveAll })
  await begun.sendAndWait('run echo one')
  const started = nextEvent(begun, 'tool.execution_start')
  await begun.send('run sleep 600')
  await started
  await first.forceStop()

  const second = place.client()
  const again = await second.resumeSession(begun.sessionId, { onPermissionRequest: approveAll })
  assert.equal((await again.getEvents()).at(-1)?.type, 'session.resume')
  const answer = await again.sendAndWait('run echo two')
  assert.match(answer?.data.content ?? '', /two/)
  const types = (await again.getEvents()).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'user.message').length, 3)
  assert.equal(
    types.filter((type) => type === 'tool.execution_start').length,
    types.filter((type) => type === 'tool.execution_complete').length,
  )
})

test('a person who says no is heard, and what they said reaches the agent', async () => {
  await using place = makeRpcPlace()
  const session = await place.client().createSession({
    onPermissionRequest: () => ({ kind: 'reject', feedback: 'not on a Friday' }),
  })
  const answer = await session.sendAndWait('run touch forbidden.txt')
  assert.match(answer?.data.content ?? '', /not on a Friday/)
  assert.equal(existsSync(join(place.project, 'forbidden.txt')), false)
})

test('without anybody to ask, nothing is done', async () => {
  await using place = makeRpcPlace()
  const session = await place.client().createSession({})
  const answer = await session.sendAndWait('run touch forbidden.txt')
  assert.match(answer?.data.content ?? '', /nobody could be asked/)
  assert.equal(existsSync(join(place.project, 'forbidden.txt')), false)
})

test('a bare --resume is refused, and so is what is no option', async () => {
  await using place = makeRpcPlace()
  await assert.rejects(place.client({}, ['--resume']).start(), /--resume needs a session/)
  await assert.rejects(place.client({}, ['--frobnicate']).start(), /frobnicate/)
})

test('a preloaded session is open and in the foreground before anybody asks', async () => {
  await using place = makeRpcPlace()
  const first = place.client()
  const { sessionId } = await (async () => {
    const session = await first.createSession({ onPermissionRequest: approveAll })
    await session.sendAndWait('run echo one')
    return session
  })()
  await first.stop()
  const second = place.client({}, ['--resume', sessionId.slice(0, 8)])
  await second.start()
  assert.equal(await second.getForegroundSessionId(), sessionId)
})

test('a server takes the launch options of the Copilot CLI; one without a use does not end it', async () => {
  await using place = makeRpcPlace()
  const client = place.client({}, ['--yolo', '--fleet', '--log-level', 'debug', '--no-auto-update'])
  const session = await client.createSession({})
  const answer = await session.sendAndWait({ prompt: 'run echo hello' })
  assert.match(answer?.data.content ?? '', /hello|done/i)
})

test("a session resumed without a directory works in that of its log, and in the server's when it is gone", async () => {
  await using place = makeRpcPlace()
  const [own, other] = [join(place.project, 'own'), join(place.project, 'other')]
  mkdirSync(own)
  mkdirSync(other)
  const begun = await place
    .client()
    .createSession({ onPermissionRequest: approveAll, workingDirectory: own })
  await begun.sendAndWait('run pwd')
  await begun.disconnect()

  const resumed = async () => {
    const client = place.client({ workingDirectory: other })
    const session = await client.resumeSession(begun.sessionId, { onPermissionRequest: approveAll })
    await session.sendAndWait('run pwd')
    const events = await session.getEvents()
    await client.stop()
    const last = events.findLast((event) => event.type === 'session.resume')
    const ran = events.findLast((event) => event.type === 'tool.execution_complete')
    return [last?.data.context?.cwd, ran?.data.result?.content.split('\n')[0]]
  }
  assert.deepEqual(await resumed(), [own, own])
  rmSync(own, { recursive: true })
  assert.deepEqual(await resumed(), [other, other])
})

test('of two programs with a server each, both get the answers to their own messages', async () => {
  const { promise: go, resolve } = Promise.withResolvers<void>()
  await using model = await startModelServer(({ body, index }) => {
    const [last] = (body['messages'] as { content: string }[]).slice(-1)
    return { text: `to ${last?.content}`, ...(index === 1 && { until: go }) }
  })
  await using place = makeRpcPlace()
  const config = {
    onPermissionRequest: approveAll,
    model: 'test-model',
    provider: { type: 'openai' as const, baseUrl: model.baseUrl, apiKey: 'key' },
  }
  const one = await place.client().createSession(config)
  await one.sendAndWait('first')
  const other = await place.client().resumeSession(one.sessionId, config)
  const begun = nextEvent(other, 'assistant.turn_start')
  const answers = [one.sendAndWait('mine')]
  await begun
  // The first is told that something waits behind its own message.
  const waits = nextEvent(one, 'pending_messages.modified')
  answers.push(other.sendAndWait('yours'))
  await waits
  resolve()
  const texts = (await Promise.all(answers)).map((answer) => answer?.data.content)
  assert.deepEqual(texts, ['to mine', 'to yours'])
})
