/** Several clients, one session: who is asked, who is told, and what becomes of questions nobody can answer. */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { Turn } from '../../src/engine/agent.ts'
import { converse, endTool, say, startTool, type Script } from '../support/engine.ts'
import { asSessionId } from '../../src/format/ids.ts'
import { logPath, sessionDir } from '../../src/format/paths.ts'
import { createdBy, said, startServer, type Served } from './in-process.ts'

const asksPermission: Script = async function* (turn: Turn) {
  yield startTool('t1')
  const decision = await turn.permit({
    kind: 'custom-tool',
    toolCallId: 't1',
    toolName: turn.message.content,
    toolDescription: '',
  })
  yield endTool('t1', decision.kind)
  yield say(decision.kind)
}

test('the first answer to a permission counts, and the second is told that it came too late', async () => {
  await using served = await startServer({ script: asksPermission })
  const [one, two] = [served.connect(), served.connect()]
  const sessionId = await createdBy(one, { requestPermission: true })
  await two.call('session.resume', { sessionId, requestPermission: true })
  await one.call('session.send', { sessionId, prompt: 'deploy' })
  const { data } = await two.event(sessionId, 'permission.requested')
  const { requestId } = data
  assert.deepEqual(await one.call('session.permissions.pendingRequests', { sessionId }), {
    items: [{ requestId, request: data['promptRequest'] }],
  })
  assert.equal(data['agentMode'], 'interactive')
  const method = 'session.permissions.handlePendingPermissionRequest'
  const yes = { sessionId, requestId, result: { kind: 'approve-once' } }
  const no = { sessionId, requestId, result: { kind: 'reject' } }
  assert.deepEqual(await two.call(method, yes), { success: true })
  assert.deepEqual(await one.call(method, no), { success: false })
  await one.event(sessionId, 'session.idle')
  assert.equal((await one.event(sessionId, 'assistant.message')).data['content'], 'allow')
  assert.equal((await two.event(sessionId, 'permission.completed')).data['requestId'], requestId)
})

test('what is approved for a session is approved as narrowly as it was asked', async () => {
  await using served = await startServer({ script: asksPermission })
  const client = served.connect()
  const sessionId = await createdBy(client, { requestPermission: true })
  const asked = async (nth: number, prompt: string, kind: string) => {
    await client.call('session.send', { sessionId, prompt })
    const { requestId } = (await client.event(sessionId, 'permission.requested', nth)).data
    const result = { kind }
    await client.call('session.permissions.handlePendingPermissionRequest', {
      sessionId,
      requestId,
      result,
    })
    await client.event(sessionId, 'permission.completed', nth)
  }
  await asked(1, 'deploy', 'approve-for-session')
  await client.event(sessionId, 'session.idle', 1)
  await said(client, sessionId, 'deploy') // recorded, and decided without anybody
  await asked(3, 'destroy', 'reject')
  await client.event(sessionId, 'session.idle', 3)
  await client.call('session.permissions.resetSessionApprovals', { sessionId })
  await asked(4, 'deploy', 'reject')
  await client.event(sessionId, 'session.idle', 4)
  const sources = client
    .events(sessionId)
    .flatMap(({ type, data }) => (type === 'permission.completed' ? [data['decisionSource']] : []))
  assert.deepEqual(sources, ['human_response', 'host_policy', 'human_response', 'human_response'])
})

test('a request outlives the client that was asked: it waits, says until when, and another answers', async () => {
  await using served = await startServer({ script: asksPermission })
  const [decider, watcher] = [served.connect(), served.connect()]
  const sessionId = await createdBy(decider, { requestPermission: true })
  await watcher.call('session.resume', { sessionId })
  await decider.call('session.send', { sessionId, prompt: 'deploy' })
  const { requestId } = (await watcher.event(sessionId, 'permission.requested')).data
  decider.stream.destroy()
  const told = await watcher.event(sessionId, 'session.info')
  assert.match(
    String(told.data['message']),
    /^Nobody who could answer is connected\. The question waits until \d{4}-/,
  )
  const late = served.connect()
  await late.call('session.resume', {
    sessionId,
    requestPermission: true,
    continuePendingWork: true,
  })
  assert.equal((await late.event(sessionId, 'permission.requested')).data['requestId'], requestId)
  await late.call('session.permissions.handlePendingPermissionRequest', {
    sessionId,
    requestId,
    result: { kind: 'approve-once' },
  })
  await watcher.event(sessionId, 'session.idle')
  assert.equal((await watcher.event(sessionId, 'assistant.message')).data['content'], 'allow')
})

test('a request that nobody came for in time is denied, and the turn ends', async () => {
  await using served = await startServer({ script: asksPermission, limits: { answerMs: 20 } })
  const [decider, watcher] = [served.connect(), served.connect()]
  const sessionId = await createdBy(decider, { requestPermission: true })
  await watcher.call('session.resume', { sessionId })
  await decider.call('session.send', { sessionId, prompt: 'deploy' })
  await watcher.event(sessionId, 'permission.requested')
  decider.stream.destroy()
  await watcher.event(sessionId, 'session.idle')
  assert.equal((await watcher.event(sessionId, 'assistant.message')).data['content'], 'deny')
  assert.match(
    String((await watcher.event(sessionId, 'session.warning')).data['message']),
    /^Nobody came to answer the question in time\./,
  )
})

test('a client that comes back and does not continue what waits finds it interrupted', async () => {
  await using served = await startServer({ script: asksPermission })
  const [gone, back] = [served.connect(), served.connect()]
  const sessionId = await createdBy(gone, { requestPermission: true })
  await gone.call('session.send', { sessionId, prompt: 'deploy' })
  await gone.event(sessionId, 'permission.requested')
  gone.stream.destroy()
  await gone.ended
  await back.call('session.resume', { sessionId, requestPermission: true })
  assert.deepEqual(await back.call('session.permissions.pendingRequests', { sessionId }), {
    items: [],
  })
  assert.deepEqual(await back.call('session.metadata.isProcessing', { sessionId }), {
    processing: false,
  })
})

const asksPerson: Script = async function* (turn: Turn) {
  const answer = await turn.ask({ question: 'Which colour?', choices: ['red', 'blue'] })
  yield say(answer ?? 'nobody answered')
}

test('a question goes to every client that can answer; one answers, the others are told', async () => {
  await using served = await startServer({ script: asksPerson })
  const [one, two, three] = [served.connect(), served.connect(), served.connect()]
  const sessionId = await createdBy(one, { requestUserInput: true })
  await two.call('session.resume', { sessionId, requestUserInput: true })
  await three.call('session.resume', { sessionId })
  one.answer('userInput.request', () => new Promise(() => {}))
  two.answer('userInput.request', ({ question }) => ({
    answer: `${question} blue`,
    wasFreeform: false,
  }))
  await said(three, sessionId, 'paint')
  assert.equal(
    (await three.event(sessionId, 'assistant.message')).data['content'],
    'Which colour? blue',
  )
  assert.equal(
    (await one.event(sessionId, 'user_input.completed')).data['answer'],
    'Which colour? blue',
  )
})

test('a question outlives the client that was asked, and one that comes later is asked it', async () => {
  await using served = await startServer({ script: asksPerson })
  const [gone, late] = [served.connect(), served.connect()]
  const sessionId = await createdBy(gone, { requestUserInput: true })
  const asked = new Promise<void>((resolve) =>
    gone.answer('userInput.request', () => {
      resolve()
      return new Promise(() => {})
    }),
  )
  await gone.call('session.send', { sessionId, prompt: 'paint' })
  await asked
  gone.stream.destroy()
  await gone.ended
  late.answer('userInput.request', ({ question }) => ({ answer: `${question} red` }))
  await late.call('session.resume', {
    sessionId,
    requestUserInput: true,
    continuePendingWork: true,
  })
  const said = await late.event(sessionId, 'assistant.message')
  assert.equal(said.data['content'], 'Which colour? red')
})

test('a question that nobody can answer is declined at once', async () => {
  await using served = await startServer({ script: asksPerson })
  const client = served.connect()
  const sessionId = await createdBy(client)
  await said(client, sessionId, 'paint')
  assert.equal(
    (await client.event(sessionId, 'assistant.message')).data['content'],
    'nobody answered',
  )
})

test('a client may answer a question by the event alone', async () => {
  await using served = await startServer({ script: asksPerson })
  const client = served.connect()
  const sessionId = await createdBy(client)
  await client.call('session.eventLog.registerInterest', {
    sessionId,
    eventType: 'user_input.requested',
  })
  await client.call('session.send', { sessionId, prompt: 'paint' })
  const { requestId } = (await client.event(sessionId, 'user_input.requested')).data
  const response = { answer: 'red', wasFreeform: true }
  const answer = { sessionId, requestId, response }
  assert.deepEqual(await client.call('session.ui.handlePendingUserInput', answer), {
    success: true,
  })
  assert.deepEqual(await client.call('session.ui.handlePendingUserInput', answer), {
    success: false,
  })
  await client.event(sessionId, 'session.idle')
})

test('a form is filled in by another client, and whoever came later learns that it can be', async () => {
  await using served = await startServer()
  const [asker, filler] = [served.connect(), served.connect()]
  const sessionId = await createdBy(asker)
  const form = { sessionId, message: 'Sure?', requestedSchema: { type: 'object', properties: {} } }
  assert.deepEqual(await asker.call('session.ui.elicitation', form), { action: 'cancel' })
  await filler.call('session.resume', { sessionId, requestElicitation: true })
  const changed = await asker.event(sessionId, 'capabilities.changed')
  assert.deepEqual(changed.data, { ui: { elicitation: true } })
  const answer = asker.call('session.ui.elicitation', form)
  const { requestId } = (await filler.event(sessionId, 'elicitation.requested')).data
  const result = { action: 'accept', content: { sure: true } }
  await filler.call('session.ui.handlePendingElicitation', { sessionId, requestId, result })
  assert.deepEqual(await answer, result)
  const abandoned = asker.call('session.ui.elicitation', form)
  await filler.event(sessionId, 'elicitation.requested', 2)
  filler.stream.destroy()
  assert.deepEqual(await abandoned, { action: 'cancel' })
})

test('hooks of a client may deny a message, and nothing of them is recorded where there are none', async () => {
  await using served = await startServer()
  const client = served.connect()
  const plain = await createdBy(client)
  await said(client, plain, 'hello')
  assert.equal(
    client.events(plain).some(({ type }) => type.startsWith('hook.')),
    false,
  )

  const called: string[] = []
  const begunWith: unknown[] = []
  client.answer('hooks.invoke', ({ hookType, input }: never) => {
    called.push(hookType)
    const { prompt, initialPrompt } = input as { prompt?: string; initialPrompt?: string }
    if (hookType === 'sessionStart') begunWith.push(initialPrompt)
    if (hookType !== 'userPromptSubmitted' || prompt !== 'secret') return {}
    return { output: { permissionDecision: 'deny', permissionDecisionReason: 'not for you' } }
  })
  const hooked = await createdBy(client, { hooks: true })
  const refused = await client.refusal('session.send', { sessionId: hooked, prompt: 'secret' })
  assert.match(
    refused.message,
    /Request session.send failed with message: A hook refused.*not for you/,
  )
  await said(client, hooked, 'hello')
  assert.deepEqual(begunWith, ['secret', 'hello'])
  assert.deepEqual(called, [
    'sessionStart',
    'userPromptSubmitted',
    'sessionStart',
    'userPromptSubmitted',
    'userPromptTransformed',
    'agentStop',
  ])
})

test('pieces of an answer go to those who want them', async () => {
  const streams: Script = async function* () {
    yield {
      notice: { type: 'assistant.message_delta', data: { messageId: 'm', deltaContent: 'a' } },
    }
    yield say('a')
  }
  await using served = await startServer({ script: streams })
  const [streaming, whole, curious] = [served.connect(), served.connect(), served.connect()]
  const sessionId = await createdBy(streaming, { streaming: true })
  for (const client of [whole, curious]) await client.call('session.resume', { sessionId })
  const interest = { sessionId, eventType: 'assistant.message_delta' }
  const { handle } = await curious.call('session.eventLog.registerInterest', interest)
  await said(streaming, sessionId, 'hello')
  for (const client of [streaming, whole, curious]) await client.event(sessionId, 'session.idle')
  const pieces = [streaming, whole, curious].map(
    (client) =>
      client.events(sessionId).filter(({ type }) => type === 'assistant.message_delta').length,
  )
  assert.deepEqual(pieces, [1, 0, 1])
  const release = { sessionId, handle }
  assert.deepEqual(await curious.call('session.eventLog.releaseInterest', release), {
    success: true,
  })
  assert.deepEqual(await curious.call('session.eventLog.releaseInterest', release), {
    success: true,
  })
})

const logFile = ({ home }: Served, id: string) =>
  join(home.path, logPath(sessionDir(asSessionId(id))))

test('a session says which one started it', async () => {
  await using served = await startServer()
  const client = served.connect()
  const parent = await createdBy(client)
  const sessionId = await createdBy(client, { detachedFromSpawningParentSessionId: parent })
  await said(client, sessionId, 'hello')
  const { data } = await client.event(sessionId, 'session.start')
  assert.equal(data['detachedFromSpawningParentSessionId'], parent)
})

test('a session is closed when its last client leaves, and opened again for the next', async () => {
  await using served = await startServer()
  const [one, two] = [served.connect(), served.connect()]
  const sessionId = await createdBy(one)
  await said(one, sessionId, 'hello')
  const joined = await two.call('session.resume', { sessionId })
  assert.equal(joined['sessionWasActive'], true)
  const before = await readFile(logFile(served, sessionId))
  for (const client of [one, two]) {
    const { data, ephemeral } = await client.event(sessionId, 'session.resume')
    assert.deepEqual(
      { ...data, ephemeral },
      {
        resumeTime: data['resumeTime'],
        eventCount: 5,
        eventsFileSizeBytes: before.length,
        alreadyInUse: false,
        sessionWasActive: true,
        context: { cwd: served.home.path },
        ephemeral: true,
      },
    )
  }
  await two.call('session.resume', { sessionId, disableResume: true })
  assert.deepEqual(await readFile(logFile(served, sessionId)), before)
  assert.equal(two.events(sessionId).filter(({ type }) => type === 'session.resume').length, 1)
  await one.call('session.detach', { sessionId })
  assert.equal(served.server.open().length, 1)
  await two.call('session.destroy', { sessionId })
  assert.equal(served.server.open().length, 0)
  const refused = await two.refusal('session.send', { sessionId, prompt: 'hello' })
  assert.deepEqual(refused.data, { sessionId, code: 'not_found' })
  assert.equal((await two.call('session.resume', { sessionId }))['sessionWasActive'], false)
})

test('a session that nobody used for long sleeps, and wakes when it is used', async () => {
  await using served = await startServer({ idleTimeoutMs: 60_000 })
  const client = served.connect()
  const sessionId = await createdBy(client)
  await said(client, sessionId, 'one')
  await served.server.sweep(Date.now())
  assert.equal(
    client.events(sessionId).some(({ type }) => type === 'session.shutdown'),
    false,
  )
  await served.server.sweep(Date.now() + 120_000)
  await client.event(sessionId, 'session.shutdown')
  await said(client, sessionId, 'two')
  const types = client.events(sessionId).map(({ type }) => type)
  assert.equal(types.filter((type) => type === 'user.message').length, 2)
  assert.ok(types.includes('session.resume'))
})

test('a session that is open in another process says so, and is handed over', async () => {
  await using served = await startServer()
  const elsewhere = served.home.engine()
  const { id } = await elsewhere.create()
  await converse(elsewhere, id, { prompt: 'there' })
  const client = served.connect()
  const resumed = await client.call('session.resume', { sessionId: id })
  assert.equal(resumed['alreadyInUse'], true)
  await said(client, id, 'here')
  const { events } = await client.call<{ events: { type: string }[] }>('session.getMessages', {
    sessionId: id,
  })
  assert.equal(events.filter(({ type }) => type === 'user.message').length, 2)
  await converse(elsewhere, id, { prompt: 'there again' })
  await client.event(id, 'session.resume')
})
