/** Messages that come while a turn runs. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { say, type Script } from '../support/engine.ts'
import { createdBy, said, startServer } from './in-process.ts'

/** Each turn waits until one is let go; steering joins it. */
function gated(): { script: Script; go: () => void } {
  const waiting: (() => void)[] = []
  let permits = 0
  const permit = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      if (signal.aborted) return resolve()
      if (permits > 0) {
        permits -= 1
        return resolve()
      }
      waiting.push(resolve)
      signal.addEventListener('abort', () => {
        waiting.splice(waiting.indexOf(resolve), 1)
        resolve()
      })
    })
  return {
    go() {
      const next = waiting.shift()
      if (next === undefined) permits += 1
      else next()
    },
    script: async function* (turn, signal) {
      await permit(signal)
      const joined = turn.steering().map(({ content }) => content)
      yield say([turn.message.content, ...joined].join(' + '))
    },
  }
}

type Items = { items: { id: string; displayText: string; kind: string }[] }

test('messages wait, are moved, changed and withdrawn, and are sent in their order', async () => {
  const { script, go } = gated()
  await using served = await startServer({ script })
  const client = served.connect()
  const sessionId = await createdBy(client)
  const send = (prompt: string, more = {}) =>
    client.call<{ messageId: string }>('session.send', { sessionId, prompt, ...more })
  await send('one')
  assert.deepEqual(await client.call('session.metadata.isProcessing', { sessionId }), {
    processing: true,
  })
  const [two, three] = [await send('two'), await send('three')]
  await send('first', { prepend: true })
  const pending = async () =>
    (await client.call<Items>('session.queue.pendingItems', { sessionId })).items.map(
      ({ displayText }) => displayText,
    )
  assert.deepEqual(await pending(), ['first', 'two', 'three'])
  const item = (id: string, more = {}) => ({ sessionId, id, ...more })
  assert.deepEqual(
    await client.call('session.queue.moveItem', item(three.messageId, { toPosition: 0 })),
    { changed: true },
  )
  assert.deepEqual(
    await client.call('session.queue.updateText', item(two.messageId, { prompt: 'zwei' })),
    { updated: true },
  )
  assert.deepEqual(await client.call('session.queue.removeMostRecent', { sessionId }), {
    removed: true,
  })
  assert.deepEqual(await pending(), ['three', 'first'])
  const copy = await client.call<{ id: string }>('session.queue.duplicateAt', item(three.messageId))
  assert.deepEqual(await pending(), ['three', 'three', 'first'])
  assert.equal((await client.refusal('session.queue.duplicateAt', item('unknown'))).code, -32603)
  await client.call('session.queue.removeAt', item(copy.id))
  assert.deepEqual(await client.call('session.queue.hasPending', { sessionId }), {
    hasPending: true,
  })
  assert.deepEqual(await client.call('session.queue.removeAt', item('unknown')), { removed: false })
  for (const turn of [1, 2, 3]) {
    go()
    await client.event(sessionId, 'assistant.turn_end', turn)
  }
  await client.event(sessionId, 'session.idle')
  const said = client
    .events(sessionId)
    .flatMap(({ type, data }) => (type === 'assistant.message' ? [data['content']] : []))
  assert.deepEqual(said, ['one', 'three', 'first'])
})

test('an immediate message joins the running turn, and so does one that waited', async () => {
  const { script, go } = gated()
  await using served = await startServer({ script })
  const client = served.connect()
  const sessionId = await createdBy(client)
  await client.call('session.send', { sessionId, prompt: 'one' })
  await client.call('session.send', { sessionId, prompt: 'joins', mode: 'immediate' })
  const { messageId: id } = await client.call<{ messageId: string }>('session.send', {
    sessionId,
    prompt: 'waited',
  })
  assert.deepEqual(await client.call('session.queue.sendNow', { sessionId, id }), { steered: true })
  go()
  await client.event(sessionId, 'session.idle')
  assert.equal(
    (await client.event(sessionId, 'assistant.message')).data['content'],
    'one + joins + waited',
  )
})

test('a message keeps the name that its client gave it, and its attachments, however it is sent', async () => {
  const { script, go } = gated()
  await using served = await startServer({ script })
  const client = served.connect()
  const sessionId = await createdBy(client)
  const attachments = [{ type: 'blob', data: 'aGk=', mimeType: 'text/plain', displayName: 'hi' }]
  const send = (messageId: string, more = {}) =>
    client.call('session.send', { sessionId, prompt: messageId, messageId, attachments, ...more })
  for (const [name, more] of [
    ['first', {}],
    ['joins', { mode: 'immediate' }],
    ['waits', {}],
    ['hurries', {}],
  ] as const)
    assert.deepEqual(await send(name, more), { messageId: name })
  assert.match(
    (await client.refusal('session.send', { sessionId, prompt: 'x', messageId: 'waits' })).message,
    /waits .* already/,
  )
  assert.deepEqual(await client.call('session.queue.sendNow', { sessionId, id: 'hurries' }), {
    steered: true,
  })
  go()
  await client.event(sessionId, 'assistant.turn_end', 1)
  go()
  await client.event(sessionId, 'session.idle')
  const messages = client.events(sessionId).filter(({ type }) => type === 'user.message')
  assert.deepEqual(
    messages.map(({ data }) => [data['messageId'], data['content'], data['delivery']]),
    [
      ['first', 'first', 'idle'],
      ['joins', 'joins', 'steering'],
      ['hurries', 'hurries', 'steering'],
      ['waits', 'waits', 'queued'],
    ],
  )
  for (const { data } of messages) assert.match(JSON.stringify(data['attachments']), /text\/plain/)
  const bad = await client.refusal('session.send', { sessionId, prompt: 'x', messageId: 'a b' })
  assert.equal(bad.code, -32602)
})

test('an abort forgets what waits; an interruption may keep it', async () => {
  const { script, go } = gated()
  await using served = await startServer({ script })
  const client = served.connect()
  const sessionId = await createdBy(client)
  const send = (prompt: string) => client.call('session.send', { sessionId, prompt })
  await send('one')
  await send('forgotten')
  await client.call('session.abort', { sessionId })
  assert.equal((await client.event(sessionId, 'session.idle')).data['aborted'], true)
  await send('two')
  await send('kept')
  assert.deepEqual(
    await client.call('session.interruptMainTurn', { sessionId, flushQueued: true }),
    { interrupted: true },
  )
  await client.event(sessionId, 'assistant.turn_start', 3)
  go()
  await client.event(sessionId, 'session.idle', 2)
  const prompts = client
    .events(sessionId)
    .flatMap(({ type, data }) => (type === 'user.message' ? [data['content']] : []))
  assert.deepEqual(prompts, ['one', 'two', 'kept'])
})

test('a queue that is held waits, and goes on when it is let go', async () => {
  const { script, go } = gated()
  await using served = await startServer({ script })
  const client = served.connect()
  const sessionId = await createdBy(client)
  await client.call('session.send', { sessionId, prompt: 'one' })
  await client.call('session.send', { sessionId, prompt: 'held' })
  await client.call('session.queue.setDrainPaused', { sessionId, paused: true })
  go()
  await client.event(sessionId, 'session.idle')
  assert.equal(
    (await client.call<Items>('session.queue.pendingItems', { sessionId })).items.length,
    1,
  )
  await client.call('session.queue.setDrainPaused', { sessionId, paused: false })
  await client.event(sessionId, 'assistant.turn_start', 2)
  go()
  await client.event(sessionId, 'session.idle', 2)
})

test('a message of a client that has gone is still answered before the session is closed', async () => {
  const { script, go } = gated()
  await using served = await startServer({ script })
  const [one, two] = [served.connect(), served.connect()]
  const sessionId = await createdBy(one)
  await one.call('session.send', { sessionId, prompt: 'one' })
  await one.call('session.send', { sessionId, prompt: 'two' })
  one.stream.destroy()
  await one.ended
  assert.equal((await two.call('session.resume', { sessionId }))['sessionWasActive'], true)
  go()
  await two.event(sessionId, 'assistant.turn_start')
  go()
  await two.event(sessionId, 'session.idle')
})

test('commands of clients are run by them, and queued ones one at a time', async () => {
  await using served = await startServer()
  const [owner, other] = [served.connect(), served.connect()]
  const sessionId = await createdBy(owner, {
    commands: [{ name: 'deploy', description: 'Deploys' }],
  })
  await other.call('session.resume', { sessionId })
  const { commands } = await other.call<{ commands: { name: string; kind: string }[] }>(
    'session.commands.list',
    { sessionId },
  )
  assert.ok(commands.some(({ name, kind }) => name === 'deploy' && kind === 'client'))
  const running = other.call('session.commands.invoke', { sessionId, name: 'deploy', input: 'now' })
  const { requestId, args } = (await owner.event(sessionId, 'command.execute')).data
  assert.equal(args, 'now')
  await owner.call('session.commands.handlePendingCommand', { sessionId, requestId })
  assert.deepEqual(await running, { kind: 'completed' })
  assert.deepEqual(
    await other.call('session.commands.execute', { sessionId, commandName: 'unknown', args: '' }),
    {
      error:
        'There is no /unknown. /help lists what there is. As a message it is sent with //unknown.',
    },
  )
  await said(owner, sessionId, 'hello')
  const renamed = { sessionId, name: 'rename', input: 'A name' }
  assert.deepEqual(await other.call('session.commands.invoke', renamed), {
    kind: 'text',
    text: 'The session is now called "A name".',
    markdown: true,
  })
  for (const command of ['/first', '/second'])
    await other.call('session.commands.enqueue', { sessionId, command })
  for (const nth of [1, 2]) {
    const shown = (await owner.event(sessionId, 'command.queued', nth)).data
    await owner.call('session.commands.respondToQueuedCommand', {
      sessionId,
      requestId: shown['requestId'],
      result: { handled: true },
    })
  }
})

test('what a program tells the agent waits until it can hear it, and can be taken back until then', async () => {
  const { script, go } = gated()
  await using served = await startServer({ script })
  const client = served.connect()
  const sessionId = await createdBy(client)
  const notify = (message: string, kind: object) =>
    client.call('session.sendSystemNotification', { sessionId, message, kind })
  const consume = (filter: object) =>
    client.call('session.queue.consumeSystemNotifications', { sessionId, filter })
  await client.call('session.send', { sessionId, prompt: 'one' })
  await notify('first', { type: 'shell_completed', shellId: 's1' })
  await notify('second', { type: 'shell_completed', shellId: 's2' })
  assert.deepEqual(await consume({ shellId: 's1' }), { removed: false })
  assert.deepEqual(await consume({ type: 'agent_completed' }), { removed: false })
  assert.deepEqual(await consume({ type: 'shell_completed', shellId: 's1' }), { removed: true })
  assert.deepEqual(await consume({ type: 'shell_completed', shellId: 's1' }), { removed: false })
  go()
  const { data } = await client.event(sessionId, 'system.notification')
  assert.deepEqual(data['kind'], { type: 'shell_completed', shellId: 's2' })
  go()
  await client.event(sessionId, 'session.idle')
  const answers = client
    .events(sessionId)
    .flatMap(({ type, data: its }) => (type === 'assistant.message' ? [its['content']] : []))
  assert.deepEqual(answers, ['one', '<system_notification>\nsecond\n</system_notification>'])
})
