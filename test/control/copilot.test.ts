/** The wire of the genuine Copilot CLI, played as it was recorded, with its weaknesses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { event, startNode, type Client } from './node.ts'

const ID = '44444444-3333-4333-8333-333333333333'
const events = `/copilot/sessions/${ID}/events`

async function begin(ann: Client) {
  const made = await ann.ask('POST', '/copilot/sessions', {
    id: ID,
    agent_task_id: ID,
    owner_id: 1,
    repo_id: 2,
  })
  const { id, task_id: task, state } = made.body as Record<string, string>
  assert.deepEqual([made.status, id, task, state], [201, ID, ID, 'in_progress'])
}

const chain = (...ids: readonly string[]) => ids.map((id, at) => event(id, ids[at - 1] ?? null))
const seen = async (ann: Client) =>
  (
    (await ann.ask('GET', `/copilot/tasks/${ID}/events`)).body as { events: { id: string }[] }
  ).events.map(({ id }) => id)
const post = async (ann: Client, list: readonly object[], done?: readonly string[]) => {
  const answer = await ann.ask('POST', events, {
    events: list,
    ...(done && { completed_command_ids: done }),
  })
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

test('everything uploaded again after a kill is stored once, overlapping batches too', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  await begin(ann)
  const all = chain('e1', 'e2', 'e3', 'e4', 'e5')
  assert.deepEqual(await post(ann, all.slice(0, 3)), { written: 3, rewinds: 0, gaps: 0 })
  assert.deepEqual(await post(ann, all), { written: 2, rewinds: 0, gaps: 0 })
  assert.deepEqual(await post(ann, all), { written: 0, rewinds: 0, gaps: 0 })
  assert.deepEqual(await seen(ann), ['e1', 'e2', 'e3', 'e4', 'e5'])
  await begin(ann)
  assert.equal((await ann.ask('GET', `/copilot/sessions/${ID}`)).status, 200)
  assert.equal((await ann.ask('GET', '/copilot/sessions/none')).status, 404)
})

test('a rewind that is only told in passing is derived from the parent, and what it removed is kept', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  await begin(ann)
  const nine = ['e1', 'e2', 'e3', 'e4', 'e5', 'e6', 'e7', 'e8', 'e9']
  await post(ann, chain(...nine))
  assert.deepEqual(await post(ann, [event('f6', 'e5'), event('f7', 'f6')]), {
    written: 2,
    rewinds: 1,
    gaps: 0,
  })
  assert.deepEqual(await seen(ann), ['e1', 'e2', 'e3', 'e4', 'e5', 'f6', 'f7'])
  const old = await ann.ask('GET', `/streams/s/${ID}/0`)
  assert.deepEqual(
    (old.body as { id: string }[]).map(({ id }) => id),
    nine,
  )
  assert.equal(old.headers.get('stream-successor'), `/streams/s/${ID}/1`)
  // Twice in one batch, the second time into what the first rewind kept.
  assert.deepEqual(await post(ann, [event('g', 'e2'), event('h', 'e1')]), {
    written: 2,
    rewinds: 2,
    gaps: 0,
  })
  assert.deepEqual(await seen(ann), ['e1', 'h'])
})

test('a parent that is null, unknown or was never stored cuts nothing', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  await begin(ann)
  await post(ann, chain('e1', 'e2'))
  const idle = event('i1', 'e2', { type: 'session.idle', data: {} })
  assert.deepEqual(await post(ann, [idle, event('e3', 'i1')]), { written: 1, rewinds: 0, gaps: 1 })
  assert.deepEqual(await post(ann, [event('e4', null), event('e5', 'nobody')]), {
    written: 2,
    rewinds: 0,
    gaps: 2,
  })
  assert.deepEqual(await seen(ann), ['e1', 'e2', 'e3', 'e4', 'e5'])
})

test('two pollers get a command once; a prompt is applied when its message is there, an empty acknowledgement is a refusal', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  await begin(ann)
  await post(ann, chain('e1'))
  const poll = async () =>
    (
      (await ann.ask('GET', `/copilot/sessions/${ID}/commands`)).body as {
        commands: Record<string, string>[]
      }
    ).commands
  assert.deepEqual(await poll(), [])
  for (const [id, kind, content] of [
    ['c1', 'user_message', 'steered prompt'],
    ['c2', 'mode_switch', '{"mode":"plan"}'],
    ['c3', 'permission_response', '{"promptId":"p9","approved":true}'],
  ])
    assert.equal(
      (await ann.ask('POST', `/api/sessions/${ID}/commands`, { id, kind, content })).status,
      202,
    )
  const [one, two] = await Promise.all([poll(), poll()])
  assert.deepEqual(
    [...(one ?? []), ...(two ?? [])],
    [
      { id: 'c1', content: 'steered prompt', state: 'in_progress' },
      { id: 'c2', content: '{"mode":"plan"}', state: 'in_progress', type: 'mode_switch' },
      {
        id: 'c3',
        content: '{"promptId":"p9","approved":true}',
        state: 'in_progress',
        type: 'permission_response',
      },
    ],
  )
  const prompt = event('e2', 'e1', {
    data: { content: 'steered prompt', source: 'command-c1', delivery: 'idle' },
  })
  const mode = event('e3', 'e2', {
    type: 'session.mode_changed',
    data: { previousMode: 'interactive', newMode: 'plan' },
  })
  await post(ann, [prompt, mode], ['c1', 'c2', 'c3'])
  const { commands } = (await ann.ask('GET', `/api/sessions/${ID}/commands`)).body as {
    commands: Record<string, string>[]
  }
  assert.deepEqual(commands.map(({ id, state, event: shown }) => [id, state, shown]).sort(), [
    ['c1', 'applied', 'e2'],
    ['c2', 'applied', 'e3'],
    ['c3', 'refused', null],
  ])
  // The switch of before is not that of now.
  const again = { id: 'c4', kind: 'mode_switch', content: '{"mode":"plan"}' }
  await ann.ask('POST', `/api/sessions/${ID}/commands`, again)
  await poll()
  await post(ann, [], ['c4'])
  const { body } = await ann.ask('GET', `/api/sessions/${ID}/commands/c4`)
  assert.equal((body as { state: string }).state, 'refused')
})

test('a body that is no object holds up no server', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  await begin(ann)
  for (const body of ['[1]', '[["events"]]', '[]', '1', 'null', '"events"', '["events", 2]']) {
    const answer = await ann.ask('POST', `/copilot/sessions/${ID}/events`, body)
    assert.ok([200, 400].includes(answer.status), `${body}: ${answer.text}`)
  }
  assert.deepEqual(await seen(ann), [])
})

test('what is only told is not stored, a heartbeat keeps the session fresh, and its list has it', async () => {
  await using node = await startNode()
  const ann = await node.person('ann')
  await begin(ann)
  const start = event('e1', null, {
    type: 'session.start',
    data: {
      sessionId: ID,
      version: 1,
      producer: 'copilot-agent',
      context: { cwd: '/repo', repository: 'me/demo' },
    },
  })
  const told = ['pending_messages.modified', 'assistant.usage', 'session.idle'].map((type, at) =>
    event(`n${at}`, 'e1', { type, data: {}, ephemeral: true }),
  )
  assert.deepEqual(await post(ann, [start, ...told]), { written: 1, rewinds: 0, gaps: 0 })
  assert.deepEqual(await post(ann, []), { written: 0, rewinds: 0, gaps: 0 })
  const list = (await ann.ask('GET', '/copilot/tasks?is_archived=false&per_page=50')).body as {
    tasks: Record<string, string>[]
    total: number
  }
  assert.deepEqual(
    list.tasks.map(({ id, name, state }) => [id, name, state]),
    [[ID, 'me/demo', 'in_progress']],
  )
  const session = (await ann.ask('GET', `/api/sessions/${ID}`)).body as {
    presence: { state: string; isStale: boolean }
  }
  assert.deepEqual([session.presence.state, session.presence.isStale], ['idle', false])
})
