import assert from 'node:assert/strict'
import { utimesSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, it } from 'node:test'
import type { AgentItem } from '../../src/engine/agent.ts'
import type { Event } from '../../src/format/event.ts'
import * as scripts from '../support/engine.ts'
import {
  callTool,
  endTool,
  eventsOf,
  promptsOf,
  startTool,
  type Script,
} from '../support/engine.ts'
import { asSessionId } from '../../src/format/ids.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { ALLOW, openPlace, type TestClient, type Told } from './place.ts'

const words = (prompt: string) => [{ type: 'text', text: prompt }]
const start = async (client: TestClient): Promise<string> =>
  (await client.request<{ sessionId: string }>('session/new', { cwd: '/', mcpServers: [] }))
    .sessionId
const ask = (client: TestClient, sessionId: string, prompt: string) =>
  client.request<{ stopReason: string; _meta: { reprise: { messageId: string } } }>(
    'session/prompt',
    { sessionId, prompt: words(prompt) },
  )
const kinds = (updates: readonly Told[]) => updates.map(({ sessionUpdate }) => sessionUpdate)
const conversation = (updates: readonly Told[]) =>
  updates.filter(({ sessionUpdate }) => /message_chunk|thought|tool/.test(sessionUpdate))
const texts = (updates: readonly Told[], kind: string) =>
  updates
    .filter(({ sessionUpdate }) => sessionUpdate === kind)
    .map(({ content }) => (content as { text: string }).text)
const code = (expected: number) => (error: { code?: number }) => error.code === expected

const say = (content: string, messageId: string = crypto.randomUUID()) =>
  scripts.say(content, messageId as ReturnType<typeof crypto.randomUUID>)

const delta = (messageId: string, deltaContent: string): AgentItem => ({
  notice: { type: 'assistant.message_delta', data: { messageId, deltaContent } },
})

/** Thinks, speaks in pieces, and runs a tool. */
const talkative: Script = async function* () {
  yield {
    notice: { type: 'assistant.reasoning_delta', data: { reasoningId: 'r1', deltaContent: 'hm' } },
  }
  yield { draft: { type: 'assistant.reasoning', data: { reasoningId: 'r1', content: 'hm, well' } } }
  yield delta('m1', 'Hel')
  yield delta('m1', 'lo')
  yield say('Hello!', 'm1')
  yield callTool('t1')
  yield startTool('t1', 'bash', { command: 'ls' })
  yield {
    notice: {
      type: 'tool.execution_partial_result',
      data: { toolCallId: 't1', partialOutput: 'a' },
    },
  }
  yield endTool('t1', 'a\nb')
  yield {
    notice: {
      type: 'session.usage_info',
      data: { tokenLimit: 100, currentTokens: 7, messagesLength: 3 },
    },
  }
  yield say('Done.', 'm2')
}

describe('a session over ACP', () => {
  it('is told as it happens, in order, before the prompt is answered', async () => {
    await using place = await openPlace({ script: talkative })
    const client = await place.connect()
    const id = await start(client)
    const { stopReason } = await ask(client, id, 'hi')
    assert.equal(stopReason, 'end_turn')
    assert.equal(client.order.at(-1), 'answer to session/prompt')
    assert.deepEqual(kinds(conversation(client.updates)), [
      'agent_thought_chunk',
      'agent_thought_chunk',
      'agent_message_chunk',
      'agent_message_chunk',
      'agent_message_chunk',
      'tool_call',
      'tool_call_update',
      'tool_call_update',
      'tool_call_update',
      'agent_message_chunk',
    ])
    assert.deepEqual(texts(client.updates, 'agent_message_chunk'), ['Hel', 'lo', '!', 'Done.'])
    assert.deepEqual(texts(client.updates, 'agent_thought_chunk'), ['hm', ', well'])
    assert.ok(kinds(client.updates).includes('usage_update'))
    // The first message is no title.
    assert.ok(!client.updates.some(({ title }) => title === 'hi'))
    assert.ok(kinds(client.updates).includes('available_commands_update'))
    assert.deepEqual(client.faults, [])
  })

  it('is told to a slow reader whole before its prompt is answered', async () => {
    const script: Script = async function* () {
      for (let count = 0; count < 20; count += 1) yield say('x'.repeat(100_000))
    }
    await using place = await openPlace({ script })
    const [input, output] = [new PassThrough(), new PassThrough()]
    const served = place.server.serve({ input, output })
    const ask = (id: number, method: string, params: object) =>
      input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    type Line = { id?: number; result: Record<string, unknown>; params?: { update: Told } }
    const lines: Line[] = []
    let rest = ''
    output.on('data', (chunk: Buffer) => {
      const parts = (rest + chunk.toString()).split('\n')
      rest = parts.pop()!
      lines.push(...parts.map((part) => JSON.parse(part) as Line))
    })
    const answer = async (id: number) => {
      for (;;) {
        const found = lines.find((line) => line.id === id)
        if (found !== undefined) return found.result
        await new Promise(setImmediate)
      }
    }
    ask(1, 'initialize', { protocolVersion: 2 })
    assert.equal((await answer(1))['protocolVersion'], 1)
    ask(2, 'session/new', { cwd: '/', mcpServers: [] })
    const sessionId = String((await answer(2))['sessionId'])
    output.pause()
    ask(3, 'session/prompt', { sessionId, prompt: words('go') })
    // Nothing is read until the turn is over, so what is told must wait, and so must the answer.
    for await (const item of (await place.engine.open(asSessionId(sessionId))).follow()) {
      if (item.kind === 'event' && item.event.type === 'assistant.turn_end') break
    }
    for (let round = 0; round < 50; round += 1) await new Promise(setImmediate)
    output.resume()
    await answer(3)
    const order = lines.map(({ id, params }) =>
      id === 3 ? 'answer' : params?.update.sessionUpdate,
    )
    assert.equal(order.filter((each) => each === 'agent_message_chunk').length, 20)
    assert.equal(order.at(-1), 'answer')
    input.end()
    await served
  })

  it('is replayed whole before load is answered, without thoughts and with the same ids', async () => {
    await using place = await openPlace({ script: talkative })
    const first = await place.connect()
    const id = await start(first)
    const { _meta } = await ask(first, id, 'hi')
    const second = await place.connect()
    await second.request('session/load', { sessionId: id, cwd: '/', mcpServers: [] })
    assert.equal(second.order.at(-1), 'answer to session/load')
    const told = conversation(second.updates)
    assert.deepEqual(kinds(told), [
      'user_message_chunk',
      'agent_message_chunk',
      'tool_call',
      'tool_call_update',
      'agent_message_chunk',
    ])
    assert.deepEqual(
      told.filter(({ messageId }) => messageId !== undefined).map(({ messageId }) => messageId),
      [_meta.reprise.messageId, 'm1', 'm2'],
    )
    assert.equal(told[3]!['status'], 'completed')
    assert.deepEqual([first.faults, second.faults], [[], []])
  })

  it('is resumed without a replay, and goes on', async () => {
    await using place = await openPlace()
    const first = await place.connect()
    const id = await start(first)
    await ask(first, id, 'one')
    const second = await place.connect()
    await second.request('session/resume', { sessionId: id, cwd: '/', mcpServers: [] })
    assert.deepEqual(conversation(second.updates), [])
    await ask(second, id, 'two')
    assert.deepEqual(texts(second.updates, 'agent_message_chunk'), ['echo: two'])
    await first.until((update) => (update['content'] as { text?: string })?.text === 'echo: two')
    assert.deepEqual(texts(first.updates, 'user_message_chunk'), ['two'], 'the other one said it')
    assert.deepEqual([first.faults, second.faults], [[], []])
  })

  it('that is not there is answered with -32002', async () => {
    await using place = await openPlace()
    const client = await place.connect()
    const ids = [crypto.randomUUID(), '../../etc', '']
    for (const sessionId of ids) {
      // The SDK takes the same answer to close for a success.
      for (const method of ['load', 'resume', 'prompt', 'fork', 'status', 'set_title']) {
        const params = { sessionId, cwd: '/', mcpServers: [], prompt: words('x'), title: 'x' }
        await assert.rejects(
          client.request(`session/${method}`, params),
          code(-32002),
          `${method} ${sessionId}`,
        )
      }
      assert.deepEqual(await client.request('session/delete', { sessionId }), {})
    }
    assert.deepEqual(client.faults, [])
  })

  it('is listed in pages, and by directory', async () => {
    await using place = await openPlace()
    const client = await place.connect()
    for (let index = 0; index < 53; index += 1) {
      const { id } = await place.engine.create({ cwd: index === 7 ? '/tmp' : '/' })
      await (await place.engine.open(id)).save()
      await (await place.engine.open(id)).close()
      // Many of the same moment: the id decides then.
      utimesSync(join(place.home.path, 'session-state', id, 'events.jsonl'), 1000, 1000)
    }
    type Page = { sessions: { sessionId: string; cwd: string }[]; nextCursor?: string }
    const one = await client.request<Page>('session/list')
    const two = await client.request<Page>('session/list', { cursor: one.nextCursor })
    assert.deepEqual([one.sessions.length, two.sessions.length, two.nextCursor], [50, 3, undefined])
    assert.equal(
      new Set([...one.sessions, ...two.sessions].map(({ sessionId }) => sessionId)).size,
      53,
    )
    const there = await client.request<Page>('session/list', { cwd: '/tmp' })
    assert.deepEqual(
      there.sessions.map(({ cwd }) => cwd),
      ['/tmp'],
    )
    assert.deepEqual((await client.request<Page>('session/list', { cwd: '/none' })).sessions, [])
    const slashed = await client.request<Page>('session/list', { cwd: '/tmp/' })
    assert.equal(slashed.sessions.length, there.sessions.length)
    await assert.rejects(client.request('session/list', { cursor: 'bogus' }), code(-32602))
    assert.deepEqual(client.faults, [])
  })

  it('has modes and options, before its first message too', async () => {
    await using place = await openPlace()
    const client = await place.connect()
    const id = await start(client)
    type Options = { configOptions: { id: string; currentValue: string }[] }
    const values = ({ configOptions }: Options) =>
      configOptions.map((each) => [each.id, each.currentValue])
    const set = (configId: string, value: string) =>
      client.request<Options>('session/set_config_option', { sessionId: id, configId, value })
    await client.request('session/set_mode', { sessionId: id, modeId: 'plan' })
    await set('model', 'gpt-9')
    assert.deepEqual(values(await set('effort', 'high')), [
      ['mode', 'plan'],
      ['model', 'gpt-9'],
      ['effort', 'high'],
    ])
    await assert.rejects(set('mode', 'none'), code(-32602))
    await assert.rejects(set('colour', 'red'), code(-32602))
    await ask(client, id, 'hi')
    await set('mode', 'interactive')
    await client.until(({ currentModeId }) => currentModeId === 'interactive')
    const { mode, model, reasoningEffort } = await (
      await place.engine.open(asSessionId(id))
    ).state()
    assert.deepEqual([mode, model, reasoningEffort], ['interactive', 'gpt-9', 'high'])
    assert.deepEqual(client.faults, [])
  })

  it('tells its plan as steps', async () => {
    await using place = await openPlace()
    const client = await place.connect()
    const id = await start(client)
    await ask(client, id, 'hi')
    await (await place.engine.open(asSessionId(id))).writePlan('# Plan\n- [x] one\n- [ ] two\n')
    const { entries } = await client.until(({ sessionUpdate }) => sessionUpdate === 'plan')
    assert.deepEqual(entries, [
      { content: 'one', priority: 'medium', status: 'completed' },
      { content: 'two', priority: 'medium', status: 'pending' },
    ])
    assert.deepEqual(client.faults, [])
  })

  it('tells nothing of a plan that cannot be read just now, and tells it when it can be', async () => {
    await using files = await scripts.openHome()
    const disk = openDisk(files.path)
    const { promise: hasFailed, resolve: failed } = Promise.withResolvers<void>()
    // The first reader after a change is the history of the workspace, the second one the server.
    let readsToFailure = 0
    const fs: typeof disk = {
      ...disk,
      async writeAtomic(path, ...rest) {
        await disk.writeAtomic(path, ...rest)
        if (path.endsWith('/plan.md')) readsToFailure = 2
      },
      async read(path) {
        if (!path.endsWith('/plan.md') || --readsToFailure !== 0) return disk.read(path)
        failed()
        throw new Error('EIO')
      },
    }
    await using place = await openPlace({ fs })
    const client = await place.connect()
    const id = await start(client)
    await (await place.engine.open(asSessionId(id))).writePlan('- [x] one\n- [ ] two\n')
    await hasFailed
    await ask(client, id, 'hi')
    await client.until(({ sessionUpdate }) => sessionUpdate === 'plan')
    const told = client.updates.filter(({ sessionUpdate }) => sessionUpdate === 'plan')
    assert.deepEqual(
      told.map(({ entries }) =>
        (entries as readonly { content: string }[]).map((it) => it.content),
      ),
      [['one', 'two']],
    )
  })

  it('stays open for the other clients when one closes it or leaves', async () => {
    await using place = await openPlace()
    const [one, two, three] = [await place.connect(), await place.connect(), await place.connect()]
    const id = await start(one)
    await ask(one, id, 'hi')
    for (const client of [two, three]) {
      await client.request('session/resume', { sessionId: id, cwd: '/', mcpServers: [] })
    }
    const status = async () => (await three.request('session/status', { sessionId: id }))['status']
    await one.request('session/close', { sessionId: id })
    assert.equal(await status(), 'open')
    two.leave()
    await ask(three, id, 'again')
    assert.equal(await status(), 'open')
    const ends = (await eventsOf(place.engine, asSessionId(id))).filter(
      ({ type }) => type === 'session.shutdown',
    )
    assert.deepEqual(ends, [], 'nobody ended it for the others')
    await three.request('session/close', { sessionId: id })
    assert.equal(await status(), 'saved')
    assert.deepEqual([one.faults, two.faults, three.faults], [[], [], []])
  })

  it('is closed, reported as saved, and deleted', async () => {
    await using place = await openPlace()
    const client = await place.connect()
    const id = await start(client)
    await ask(client, id, 'hi')
    assert.deepEqual(await client.request('session/status', { sessionId: id }), { status: 'open' })
    assert.deepEqual(await client.request('session/set_title', { sessionId: id, title: ' A ' }), {
      title: 'A',
    })
    await client.request('session/close', { sessionId: id })
    assert.deepEqual(await client.request('session/status', { sessionId: id }), { status: 'saved' })
    await client.request('session/delete', { sessionId: id })
    await assert.rejects(client.request('session/status', { sessionId: id }), code(-32002))
    // What is not there, or no longer, is as it was wanted.
    assert.deepEqual(await client.request('session/delete', { sessionId: id }), {})
    const unknown = { sessionId: '00000000-0000-4000-8000-000000000000' }
    assert.deepEqual(await client.request('session/delete', unknown), {})
    assert.deepEqual(client.faults, [])
  })

  it('is archived: closed, out of the list unless asked for, and brought back', async () => {
    await using place = await openPlace()
    const client = await place.connect()
    const [id, other] = [await start(client), await start(client)]
    await ask(client, id, 'hi')
    await ask(client, other, 'ho')
    await client.request('session/archive', { sessionId: id })
    await client.request('session/archive', { sessionId: id })
    assert.deepEqual(await client.request('session/status', { sessionId: id }), { status: 'saved' })
    type Listed = { sessions: { sessionId: string; archived?: boolean }[] }
    const listed = async (archived?: string) => {
      const { sessions } = await client.request<Listed>('session/list', {
        ...(archived !== undefined && { archived }),
      })
      return sessions.map((each) => [each.sessionId, each.archived ?? false])
    }
    assert.deepEqual(await listed(), [[other, false]])
    assert.deepEqual(await listed('only'), [[id, true]])
    assert.equal((await listed('include')).length, 2)
    await client.request('session/unarchive', { sessionId: id })
    assert.equal((await listed()).length, 2)
    const missing = { sessionId: crypto.randomUUID() }
    await assert.rejects(client.request('session/archive', missing), code(-32002))
    await assert.rejects(client.request('session/unarchive', missing), code(-32002))
    assert.deepEqual(client.faults, [])
  })
})

describe('what the agent asks', () => {
  const permits: Script = async function* (turn) {
    yield callTool('t1')
    const { kind } = await turn.permit({
      kind: 'write',
      toolCallId: 't1',
      intention: 'Write a file',
      fileName: 'a.txt',
      diff: '+a',
      canOfferSessionApproval: true,
    })
    yield startTool('t1')
    yield endTool('t1', kind)
    yield say(kind)
  }
  const answerOf = (client: TestClient) => texts(client.updates, 'agent_message_chunk').at(-1)

  it('is answered by the client: once, always, or no', async () => {
    await using place = await openPlace({ script: permits })
    const client = await place.connect()
    const id = await start(client)
    const said: (string | undefined)[] = []
    for (const optionId of ['reject', 'allow', 'always', 'never asked again']) {
      client.answers = {
        'session/request_permission': () => ({ outcome: { outcome: 'selected', optionId } }),
      }
      await ask(client, id, optionId)
      said.push(answerOf(client))
    }
    assert.deepEqual(said, ['deny', 'allow', 'allow-for-session', 'allow'])
    assert.equal(
      client.order.filter((each) => each === 'asked session/request_permission').length,
      3,
    )
    assert.deepEqual(client.faults, [])
  })

  it('is denied when the answer is no clear yes', async () => {
    await using place = await openPlace({ script: permits })
    const client = await place.connect()
    const id = await start(client)
    const vague = [
      { outcome: { outcome: 'selected', optionId: 'something else' } },
      { outcome: { outcome: 'cancelled' } },
      { outcome: { outcome: 'cancelled', optionId: 'allow' } },
      {},
    ]
    for (const answer of vague) {
      client.answers = { 'session/request_permission': () => answer }
      await ask(client, id, 'x')
      assert.equal(answerOf(client), 'deny', JSON.stringify(answer))
    }
  })

  it('is denied when the client fails to answer', async () => {
    await using place = await openPlace({ script: permits })
    const client = await place.connect()
    await ask(client, await start(client), 'x')
    assert.equal(answerOf(client), 'deny')
  })

  it('is not asked at all when everything is allowed', async () => {
    await using place = await openPlace({ script: permits, allowAll: true })
    const client = await place.connect()
    await ask(client, await start(client), 'x')
    assert.equal(answerOf(client), 'allow')
  })

  it('goes to every client that has the session open, and the first answer counts', async () => {
    await using place = await openPlace({ script: permits })
    const [slow, quick] = [await place.connect(), await place.connect()]
    const id = await start(slow)
    await ask(slow, id, 'denied, so that there is something to resume')
    await quick.request('session/resume', { sessionId: id, cwd: '/', mcpServers: [] })
    slow.answers = { 'session/request_permission': () => new Promise(() => {}) }
    quick.answers = { 'session/request_permission': () => ALLOW }
    await ask(slow, id, 'x')
    assert.equal(answerOf(slow), 'allow')
    assert.ok(slow.order.includes('asked $/cancel_request'))
    assert.deepEqual([slow.faults, quick.faults], [[], []])
  })

  it('may be a question, when the client fills in forms', async () => {
    const script: Script = async function* (turn) {
      yield say(`${await turn.ask({ question: 'Which?', choices: ['a', 'b'] })}`)
    }
    await using place = await openPlace({ script })
    const able = await place.connect({ elicitation: { form: {} } })
    able.answers = { 'elicitation/create': () => ({ action: 'accept', content: { answer: 'b' } }) }
    await ask(able, await start(able), 'x')
    const unable = await place.connect()
    await ask(unable, await start(unable), 'x')
    assert.deepEqual([answerOf(able), answerOf(unable)], ['b', 'undefined'])
    assert.deepEqual([able.faults, unable.faults], [[], []])
  })
})

describe('a turn', () => {
  const waits: Script = async function* (turn, signal) {
    yield callTool('t1')
    yield startTool('t1')
    if (turn.message.content === 'wait') {
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
    }
    yield endTool('t1')
  }

  it('that is cancelled ends with that reason, its tool settled, and the next one goes', async () => {
    await using place = await openPlace({ script: waits })
    const client = await place.connect()
    const id = await start(client)
    const asked = ask(client, id, 'wait')
    await client.until(({ status }) => status === 'in_progress')
    const queued = ask(client, id, 'queued')
    await new Promise(setImmediate)
    client.notify('session/cancel', { sessionId: id })
    assert.equal((await asked).stopReason, 'cancelled')
    assert.equal((await queued).stopReason, 'cancelled')
    assert.equal(client.updates.filter(({ status }) => status === 'failed').length, 1)
    assert.equal((await ask(client, id, 'go')).stopReason, 'end_turn')
    assert.deepEqual(client.faults, [])
  })

  it('that fails is an error of the request, and the session goes on', async () => {
    const script: Script = async function* (turn) {
      if (turn.message.content === 'fail') throw new Error('no network')
      yield say('ok')
    }
    await using place = await openPlace({ script })
    const client = await place.connect()
    const id = await start(client)
    await assert.rejects(ask(client, id, 'fail'), code(-32603))
    assert.equal((await ask(client, id, 'again')).stopReason, 'end_turn')
    assert.deepEqual(client.faults, [])
  })

  it('takes every kind of block', async () => {
    await using place = await openPlace()
    const client = await place.connect()
    const id = await start(client)
    await client.request('session/prompt', {
      sessionId: id,
      prompt: [
        { type: 'text', text: 'see ' },
        { type: 'resource_link', uri: 'file:///tmp/a.txt', name: 'a.txt' },
        { type: 'resource_link', uri: 'https://example.test/', name: 'site' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
        { type: 'resource', resource: { uri: 'file:///b', text: 'inside' } },
      ],
    })
    const message = (await eventsOf(place.engine, asSessionId(id))).find(
      ({ type }) => type === 'user.message',
    ) as Extract<Event, { type: 'user.message' }>
    assert.equal(
      message.data.content,
      'see [site](https://example.test/)\n\n<resource uri="file:///b">\ninside\n</resource>',
    )
    assert.deepEqual(message.data.attachments, [
      { type: 'file', path: '/tmp/a.txt', displayName: 'a.txt' },
      { type: 'blob', mimeType: 'image/png', data: '' },
    ])
    await client.request('session/load', { sessionId: id, cwd: '/', mcpServers: [] })
    assert.deepEqual(
      client.updates
        .filter(({ sessionUpdate }) => sessionUpdate === 'user_message_chunk')
        .map(({ content }) => (content as { type: string }).type),
      ['text', 'resource_link', 'text'],
    )
    const odd = { sessionId: id, prompt: [{ type: 'smell' }] }
    await assert.rejects(client.request('session/prompt', odd), code(-32602))
    assert.deepEqual(client.faults, [])
  })
})

describe('what no other agent offers', () => {
  it('forks at a message of the user or of the agent, with a replay when it is wanted', async () => {
    await using place = await openPlace()
    const client = await place.connect()
    const id = await start(client)
    const ids: string[] = []
    for (const prompt of ['one', 'two', 'three']) {
      ids.push((await ask(client, id, prompt))._meta.reprise.messageId)
    }
    const answers = client.updates
      .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
      .map(({ messageId }) => messageId)
    const fork = async (reprise: object) => {
      const { sessionId } = await client.request<{ sessionId: string }>('session/fork', {
        sessionId: id,
        cwd: '/',
        mcpServers: [],
        _meta: { reprise },
      })
      return promptsOf(place.engine, asSessionId(sessionId))
    }
    assert.deepEqual(
      [
        await fork({}),
        await fork({ atMessageId: ids[1] }),
        await fork({ atMessageId: answers[1] }),
      ],
      [['one', 'two', 'three'], ['one'], ['one', 'two']],
    )
    client.updates.length = 0
    await fork({ atMessageId: ids[1], replay: true })
    assert.deepEqual(texts(client.updates, 'agent_message_chunk'), ['echo: one'])
    await assert.rejects(fork({ atMessageId: 'none' }), code(-32002))
    assert.deepEqual(client.faults, [])
  })

  type Listed = { readonly sessionId: string; readonly title?: string }

  it('rewinds and redoes, tells those who watch, and does the same by typed commands', async () => {
    await using place = await openPlace()
    const client = await place.connect()
    const id = await start(client)
    await ask(client, id, 'one')
    const { messageId } = (await ask(client, id, 'two'))._meta.reprise
    const prompts = () => promptsOf(place.engine, asSessionId(id))
    const result = await client.request<{ prompt: string; turnsRemoved: number }>(
      '_reprise/session/rewind',
      { sessionId: id, messageId },
    )
    assert.deepEqual([result.prompt, result.turnsRemoved, await prompts()], ['two', 1, ['one']])
    await client.request('_reprise/session/redo', { sessionId: id })
    assert.deepEqual(await prompts(), ['one', 'two'])
    await ask(client, id, '/undo')
    assert.deepEqual(await prompts(), ['one'])
    await ask(client, id, '/redo')
    assert.deepEqual(await prompts(), ['one', 'two'])
    await ask(client, id, '/rename Better')
    await client.until(({ title }) => title === 'Better')
    const other = await start(client)
    await ask(
      client,
      other,
      'Please mend the parser, it is broken since yesterday. Then tell me why.',
    )
    await client.until(({ title }) => title === 'Mend the parser, it is broken since yesterday')
    const bare = await start(client)
    await ask(client, bare, 'mend the parser')
    const { sessions } = await client.request<{ sessions: Listed[] }>('session/list', {})
    const titles = Object.fromEntries(sessions.map(({ sessionId, title }) => [sessionId, title]))
    assert.deepEqual(
      [titles[id], titles[other], titles[bare]],
      ['Better', 'Mend the parser, it is broken since yesterday', undefined],
    )
    assert.equal(client.order.filter((each) => each === 'asked _reprise/session/rewound').length, 2)
    await assert.rejects(client.request('_reprise/session/search', { query: 'x' }), code(-32601))
    assert.deepEqual(client.faults, [])
  })

  it('gives on what another agent told in its own words', async () => {
    const plan = {
      sessionUpdate: 'plan',
      entries: [{ content: 'a', priority: 'low', status: 'pending' }],
    }
    const script: Script = async function* () {
      const data = { infoType: 'agent_plan', message: '0 of 1 steps are done.', acp: plan }
      yield { draft: { type: 'session.info', data } }
      const theirs = [{ name: 'init', description: 'Theirs' }]
      yield { notice: { type: 'commands.changed', data: { commands: theirs } } }
      const payload = { sessionUpdate: 'session_info_update', updatedAt: '2026-01-01T00:00:00Z' }
      const told = { source: 'acp', name: 'session_info_update', payload }
      yield { notice: { type: 'session.custom_notification', data: told } }
    }
    await using place = await openPlace({ script })
    const client = await place.connect()
    const id = await start(client)
    await ask(client, id, 'x')
    assert.ok(client.updates.some((update) => JSON.stringify(update) === JSON.stringify(plan)))
    assert.ok(client.updates.some(({ updatedAt }) => updatedAt === '2026-01-01T00:00:00Z'))
    const commands = client.updates.findLast(
      ({ availableCommands }) => availableCommands !== undefined,
    )
    assert.ok(
      (commands!['availableCommands'] as { name: string }[]).some(({ name }) => name === 'init'),
    )
    assert.deepEqual(client.faults, [])
  })
})
