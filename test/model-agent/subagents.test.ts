/** Sub-agents: conversations of their own in one log, of which the agent is told the result, and people everything. */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import test from 'node:test'
import type { Engine } from '../../src/engine/engine.ts'
import type { EventType } from '../../src/format/event.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { deferred } from '../../src/lib/deferred.ts'
import type { Asked, Reply } from '../model-server/reply.ts'
import { converse, eventsOf } from '../support/engine.ts'
import { openPlace, spoken } from './place.ts'

const task = (args: object): Reply => ({
  calls: [
    {
      name: 'task',
      id: 'call-task',
      arguments: { description: 'Look', prompt: 'SUB: look', agent_type: 'explore', ...args },
    },
  ],
})

const isOfSub = ({ body }: Asked): boolean => spoken(body)[0]?.startsWith('user: SUB') ?? false

/** One script for the agent, one for its sub-agents; each says its own lines in order. */
function cast(main: readonly Reply[], sub: readonly Reply[]) {
  const said = { main: 0, sub: 0 }
  return (asked: Asked): Reply | { status: number } => {
    const part = isOfSub(asked) ? 'sub' : 'main'
    const lines = part === 'sub' ? sub : main
    return lines[said[part]++] ?? { status: 400 }
  }
}

const namesOf = ({ body }: Asked): string[] =>
  (body['tools'] as readonly { function: { name: string } }[]).map((tool) => tool.function.name)

const shaped = async (engine: Engine, id: SessionId, types: readonly EventType[]) =>
  (await eventsOf(engine, id))
    .filter(({ type }) => types.includes(type as EventType))
    .map(({ type, agentId }) => `${type}${agentId === undefined ? '' : ' of a sub-agent'}`)

test('a sub-agent works in a conversation of its own; the agent hears its last answer, people see everything', async () => {
  await using place = await openPlace(
    cast(
      [task({ agent_type: 'general-purpose' }), { text: 'All done.' }],
      [
        { calls: [{ name: 'bash', arguments: { command: 'echo made > made.txt' } }] },
        { text: 'I made it.' },
      ],
    ),
  )
  const engine = place.engine({}, { trackFiles: true })
  const { id } = await engine.create({ cwd: place.cwd })
  assert.equal((await converse(engine, id, { prompt: 'go' })).status, 'completed')

  const [first, , , last] = place.server.requests
  assert.ok(namesOf(first as Asked).includes('task'))
  assert.deepEqual(spoken(place.server.requests[2]?.body), [
    'user: SUB: look',
    'assistant: [bash]',
    'tool: (no output)',
  ])
  const ofSubAgent = namesOf(place.server.requests[1] as Asked)
  assert.ok(!ofSubAgent.some((name) => /task_complete|ask_user/.test(name)), ofSubAgent.join())
  assert.ok(ofSubAgent.includes('task'))
  assert.deepEqual(spoken(last?.body), ['user: go', 'assistant: [task]', 'tool: I made it.'])

  assert.deepEqual(
    await shaped(engine, id, [
      'user.message',
      'subagent.started',
      'permission.requested',
      'tool.execution_start',
      'tool.execution_complete',
      'subagent.completed',
      'assistant.message',
    ]),
    [
      'user.message',
      'assistant.message',
      'tool.execution_start',
      'subagent.started of a sub-agent',
      'user.message of a sub-agent',
      'assistant.message of a sub-agent',
      'tool.execution_start of a sub-agent',
      'permission.requested of a sub-agent',
      'tool.execution_complete of a sub-agent',
      'assistant.message of a sub-agent',
      'subagent.completed of a sub-agent',
      'tool.execution_complete',
      'assistant.message',
    ],
  )
  const session = await engine.open(id)
  const [known] = await session.tasks.list()
  assert.deepEqual(
    [known?.status, known?.asked, known?.answered],
    ['idle', 'SUB: look', 'I made it.'],
  )
  assert.equal((await session.state()).turns.length, 1)

  const copy = await session.fork()
  const [forked] = await (await engine.open(copy.sessionId)).tasks.list()
  assert.equal(forked?.answered, 'I made it.')

  assert.ok(existsSync(join(place.cwd, 'made.txt')))
  await session.undo({ mode: 'conversation-and-files' })
  assert.ok(!existsSync(join(place.cwd, 'made.txt')))
  assert.deepEqual(await session.tasks.list(), [])
  await session.redo()
  assert.equal(await readFile(join(place.cwd, 'made.txt'), 'utf8'), 'made\n')
  assert.equal((await session.tasks.list()).length, 1)
})

test('stopping the turn stops its sub-agents and leaves nothing open', async () => {
  const asked = deferred<void>()
  const never = deferred<void>()
  await using place = await openPlace(async (request) => {
    if (!isOfSub(request)) return task({})
    asked.resolve()
    await never.promise
    return { text: '' }
  })
  const engine = place.engine()
  const { id } = await engine.create({ cwd: place.cwd })
  const session = await engine.open(id)
  const { ended } = await session.send({ prompt: 'go' })
  await asked.promise
  await session.cancel()
  assert.equal((await ended).status, 'cancelled')
  const { openTurns, pendingTools, tasks } = await session.state()
  assert.deepEqual(
    [openTurns, pendingTools, tasks.map(({ status }) => status)],
    [[], [], ['cancelled']],
  )
  never.resolve()
})

test('what a killed process left of a sub-agent is settled when the session is opened again', async () => {
  await using place = await openPlace(() => ({ text: 'Back.' }))
  const engine = place.engine()
  const { id } = await engine.create({ cwd: place.cwd })
  await converse(engine, id, { prompt: 'one' })
  await engine.stop()
  const log = join(place.home.path, 'session-state', id, 'events.jsonl')
  const lines = (await readFile(log, 'utf8')).split('\n').filter((line) => line !== '')
  let parentId = (JSON.parse(lines.at(-1) as string) as { id: string }).id
  const add = (type: string, data: object, agentId?: string) => {
    const next = crypto.randomUUID()
    const timestamp = new Date().toISOString()
    lines.push(
      JSON.stringify({ type, data, ...(agentId && { agentId }), id: next, timestamp, parentId }),
    )
    parentId = next
  }
  const about = { toolCallId: 'call', agentName: 'explore', agentDisplayName: 'x' }
  add('user.message', { content: 'two', delivery: 'idle', turnId: 't' })
  add('assistant.turn_start', { turnId: 't' })
  add('assistant.message', {
    messageId: 'm',
    content: '',
    toolRequests: [{ toolCallId: 'call', name: 'task', arguments: {} }],
  })
  add('tool.execution_start', { toolCallId: 'call', toolName: 'task', arguments: {} })
  add('subagent.started', { ...about, agentDescription: 'd' }, 'sub')
  add('assistant.turn_start', { turnId: 's', parentToolCallId: 'call' }, 'sub')
  add(
    'tool.execution_start',
    { toolCallId: 'inner', toolName: 'bash', parentToolCallId: 'call' },
    'sub',
  )
  await writeFile(log, `${lines.join('\n')}\n`)

  const later = place.engine()
  assert.equal((await converse(later, id, { prompt: 'three' })).status, 'completed')
  const { openTurns, pendingTools, tasks } = await (await later.open(id)).state()
  assert.deepEqual(
    [openTurns, pendingTools, tasks.map(({ status }) => status)],
    [[], [], ['failed']],
  )
  assert.deepEqual(spoken(place.server.requests.at(-1)?.body).slice(2), [
    'user: two',
    'assistant: [task]',
    'tool: interrupted before a result was recorded',
    'user: three',
  ])
})

test('one in the background: the agent goes on, hears what came of it, and people can speak meanwhile', async () => {
  const gate = deferred<void>()
  const waits = deferred<void>()
  await using place = await openPlace(async (asked) => {
    const lines = spoken(asked.body)
    if (isOfSub(asked)) {
      if (lines.some((line) => line.includes('more'))) return { text: 'More found.' }
      await gate.promise
      return { text: 'Found.' }
    }
    if (lines.length === 1) return task({ mode: 'background' })
    if (lines.at(-1)?.startsWith('tool: The sub-agent works')) return { text: 'I wait.' }
    if (lines.at(-1) === 'user: and this?') {
      waits.resolve()
      return { text: 'Yes.' }
    }
    return { text: 'Thanks.' }
  })
  const engine = place.engine()
  const { id } = await engine.create({ cwd: place.cwd })
  const session = await engine.open(id)
  const idle = deferred<void>()
  void (async () => {
    for await (const item of session.follow())
      if (item.kind === 'notice' && item.notice.type === 'assistant.idle') idle.resolve()
  })()
  const { ended } = await session.send({ prompt: 'go' })
  await idle.promise
  // Sent for later: the agent does nothing but wait, so it hears it now.
  await session.send({ prompt: 'and this?' }, { whenBusy: 'enqueue' })
  await waits.promise
  gate.resolve()
  assert.equal((await ended).status, 'completed')
  const last = spoken(place.server.requests.at(-1)?.body)
  assert.match(last.at(-3) ?? '', /user: <system_notification kind="agent_idle">/)
  assert.equal(last.at(-2), 'assistant: [read_agent]')
  assert.match(last.at(-1) ?? '', /status: idle.*\n\n\[Turn 0\]\nFound\./s)

  const [known] = await session.tasks.list()
  await engine.stop()
  // Another process: it goes on where it was.
  const later = place.engine()
  const again = await later.open(id)
  assert.equal(await again.tasks.message(known?.id ?? '', 'more'), true)
  await again.tasks.ended()
  const asked = place.server.requests.findLast(isOfSub)
  assert.deepEqual(spoken(asked?.body), ['user: SUB: look', 'assistant: Found.', 'user: more'])
  assert.equal((await again.tasks.list())[0]?.answered, 'More found.')
})

test('custom agents of the project get tasks with their own words, tools and model, and one can be chosen to answer', async () => {
  await using place = await openPlace(
    cast(
      [task({ agent_type: 'reviewer' }), { text: 'ok' }, { text: 'As reviewer.' }],
      [{ text: 'fine' }],
    ),
  )
  await mkdir(join(place.cwd, '.github/agents'), { recursive: true })
  await writeFile(
    join(place.cwd, '.github/agents/reviewer.agent.md'),
    '---\ndescription: reviews\ntools: [read, search]\nmodel: sharp\n---\nLOOK CLOSELY',
  )
  const engine = place.engine({ guidance: {} })
  const { id } = await engine.create({ cwd: place.cwd })
  await converse(engine, id, { prompt: 'go' })
  const sub = place.server.requests[1]
  assert.equal(sub?.body['model'], 'sharp')
  assert.deepEqual(namesOf(sub as Asked), ['view', 'grep', 'glob'])
  assert.match(JSON.stringify(sub?.body['messages']), /LOOK CLOSELY/)
  const session = await engine.open(id)
  await session.selectAgent('reviewer')
  await converse(engine, id, { prompt: 'and you?' })
  const chosen = place.server.requests.at(-1)
  assert.deepEqual(namesOf(chosen as Asked), ['view', 'grep', 'glob'])
  assert.match(JSON.stringify(chosen?.body['messages']), /agent_instructions.*LOOK CLOSELY/)
  await assert.rejects(session.selectAgent('nobody'), /Custom agent 'nobody' not found/)
  await session.undo({ turns: 1 })
  assert.equal((await session.state()).agentName, 'reviewer')
})

test('a no without words to what a sub-agent wants ends the turn; a failing one fails its call alone', async () => {
  await using place = await openPlace(
    cast(
      [task({ agent_type: 'task' }), { text: 'unheard' }],
      [{ calls: [{ name: 'bash', arguments: { command: 'rm -rf x' } }] }],
    ),
  )
  const engine = place.engine({}, { policy: () => ({ kind: 'deny', by: 'person' }) })
  const { id } = await engine.create({ cwd: place.cwd })
  assert.equal((await converse(engine, id, { prompt: 'go' })).status, 'cancelled')
  assert.equal(place.server.requests.length, 2)

  await using other = await openPlace((asked) =>
    isOfSub(asked)
      ? { status: 400, body: { error: { message: 'no' } } }
      : spoken(asked.body).length === 1
        ? task({})
        : { text: 'so be it' },
  )
  const second = other.engine()
  const { id: failing } = await second.create({ cwd: other.cwd })
  assert.equal((await converse(second, failing, { prompt: 'go' })).status, 'completed')
  assert.match(
    spoken(other.server.requests.at(-1)?.body).at(-1) ?? '',
    /^tool: The sub-agent failed: /,
  )
  assert.equal((await (await second.open(failing)).tasks.list())[0]?.status, 'failed')
})
