import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import {
  converse,
  eventsOf,
  openHome,
  say,
  typesOf,
  type Script,
} from '../../../test/support/engine.ts'
import { userTools } from '../../agents/user-tools.ts'
import type { ModelContext } from '../../state/model-context.ts'

const bash = (command: string) => ({ toolName: 'bash', arguments: { command } })

async function project(files: Readonly<Record<string, string>> = {}) {
  const cwd = await mkdtemp(join(tmpdir(), 'reprise-run-tool-'))
  for (const [path, text] of Object.entries(files)) await writeFile(join(cwd, path), text)
  return {
    cwd,
    read: (path: string) => readFile(join(cwd, path), 'utf8'),
    [Symbol.asyncDispose]: () => rm(cwd, { recursive: true, force: true }),
  }
}

describe('a tool that a person runs', () => {
  it('is recorded as theirs, and the agent learns of it with the next message', async () => {
    await using home = await openHome()
    await using here = await project({ 'a.txt': 'seven' })
    const seen: ModelContext[] = []
    const script: Script = async function* ({ context }) {
      seen.push(context)
      yield say('I see.')
    }
    const engine = home.engine({ script, userTools: userTools() })
    const { id } = await engine.create({ cwd: here.cwd })
    const { status } = await (await engine.open(id)).runTool(bash('cat a.txt'))
    assert.equal(status, 'completed')
    assert.deepEqual((await typesOf(engine, id)).slice(1), [
      'tool.user_requested',
      'tool.execution_start',
      'permission.requested',
      'permission.completed',
      'tool.execution_complete',
    ])
    await converse(engine, id, { prompt: 'what was it?' })
    assert.deepEqual(
      seen[0]?.messages.map(({ content }) => content),
      [
        '<user_ran tool="bash" command="cat a.txt" outcome="succeeded">\nseven\n</user_ran>\n\nwhat was it?',
      ],
    )
  })

  it('needs no leave of the person who asks for it, and is refused what the rules forbid', async () => {
    await using home = await openHome()
    await using here = await project()
    const engine = home.engine({
      userTools: userTools(),
      policy: ({ kind }) => (kind === 'write' ? { kind: 'deny', by: 'policy' } : 'ask'),
    })
    const { id } = await engine.create({ cwd: here.cwd })
    await (await engine.open(id)).runTool(bash('echo yes'))
    const forbidden = { toolName: 'create', arguments: { path: 'b.txt', file_text: 'x' } }
    await (await engine.open(id)).runTool(forbidden)
    const ends = (await eventsOf(engine, id)).flatMap((event) =>
      !('stranger' in event) && event.type === 'tool.execution_complete' ? [event.data] : [],
    )
    assert.deepEqual(
      ends.map(({ success }) => success),
      [true, false],
    )
    assert.match(ends[1]?.error?.message ?? '', /A rule of the host denied this/)
    await assert.rejects(here.read('b.txt'), { code: 'ENOENT' })
  })

  it('is taken back, with what it changed, by a rewind of the turn before it', async () => {
    await using home = await openHome()
    await using here = await project({ 'a.txt': 'before' })
    const engine = home.engine({ userTools: userTools(), trackFiles: true })
    const { id } = await engine.create({ cwd: here.cwd })
    await converse(engine, id, { prompt: 'hello' })
    await (await engine.open(id)).runTool(bash('echo after > a.txt'))
    assert.equal(await here.read('a.txt'), 'after\n')
    const { restoredFiles } = await (await engine.open(id)).undo({ mode: 'conversation-and-files' })
    assert.deepEqual(restoredFiles, [join(here.cwd, 'a.txt')])
    assert.equal(await here.read('a.txt'), 'before')
    await (await engine.open(id)).redo()
    assert.equal(await here.read('a.txt'), 'after\n')
  })

  it('is stopped by a cancel and leaves nothing open', async () => {
    await using home = await openHome()
    await using here = await project()
    const engine = home.engine({ userTools: userTools() })
    const { id } = await engine.create({ cwd: here.cwd })
    const { promise: started, resolve } = Promise.withResolvers<void>()
    const following = new AbortController()
    const follow = async () => {
      for await (const item of (await engine.open(id)).follow({ signal: following.signal })) {
        if (item.kind === 'event' && item.event.type === 'tool.execution_start') resolve()
      }
    }
    const followed = follow()
    const running = (await engine.open(id)).runTool(bash('sleep 600'))
    await started
    assert.equal(await (await engine.open(id)).cancel(), true)
    assert.equal((await running).status, 'cancelled')
    following.abort()
    await followed
    const { pendingTools, openRequests } = await (await engine.open(id)).state()
    assert.deepEqual([pendingTools, openRequests], [[], []])
    assert.equal((await typesOf(engine, id)).at(-1), 'abort')
  })

  it('waits for the turn that runs, unless a client stops the session', async () => {
    await using home = await openHome()
    await using here = await project()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: leave, resolve: goOn } = Promise.withResolvers<void>()
    const script: Script = async function* () {
      begin()
      await leave
      yield say('done')
    }
    const engine = home.engine({ script, userTools: userTools() })
    const { id } = await engine.create({ cwd: here.cwd })
    const turn = converse(engine, id, { prompt: 'go' })
    await begun
    await assert.rejects((await engine.open(id)).runTool(bash('true')), { code: 'busy' })
    const running = (await engine.open(id)).runTool(bash('true'), { whenBusy: 'wait' })
    goOn()
    assert.equal((await running).status, 'completed')
    assert.equal((await turn).status, 'completed')
    const types = await typesOf(engine, id)
    assert.ok(types.indexOf('assistant.turn_end') < types.indexOf('tool.user_requested'))
  })

  it('runs in the order of typing among the messages that wait', async () => {
    await using home = await openHome()
    await using here = await project()
    const { promise: begun, resolve: begin } = Promise.withResolvers<void>()
    const { promise: leave, resolve: goOn } = Promise.withResolvers<void>()
    const script: Script = async function* () {
      begin()
      await leave
      yield say('done')
    }
    const engine = home.engine({ script, userTools: userTools() })
    const { id } = await engine.create({ cwd: here.cwd })
    const session = await engine.open(id)
    const turn = converse(engine, id, { prompt: 'one' })
    await begun
    const two = await session.send({ prompt: 'two' }, { whenBusy: 'enqueue' })
    const ran = [session.runTool(bash('true'), { whenBusy: 'wait' })]
    const three = await session.send({ prompt: 'three' }, { whenBusy: 'enqueue' })
    ran.push(session.runTool(bash('echo last'), { whenBusy: 'wait' }))
    goOn()
    await Promise.all([turn, two.ended, three.ended, ...ran])
    const order = (await typesOf(engine, id)).filter((type) =>
      ['user.message', 'tool.user_requested'].includes(type),
    )
    assert.deepEqual(order, [
      'user.message',
      'user.message',
      'tool.user_requested',
      'user.message',
      'tool.user_requested',
    ])
  })

  it('is never ahead of a message that was sent before it', async () => {
    await using home = await openHome()
    await using here = await project()
    const engine = home.engine({ userTools: userTools() })
    const { id } = await engine.create({ cwd: here.cwd })
    const session = await engine.open(id)
    const sent = session.send({ prompt: 'one' }, { whenBusy: 'enqueue' })
    const ran = session.runTool(bash('true'), { whenBusy: 'wait' })
    const last = session.send({ prompt: 'two' }, { whenBusy: 'enqueue' })
    await Promise.all([(await sent).ended, ran, (await last).ended])
    const order = (await typesOf(engine, id)).filter((type) =>
      ['user.message', 'tool.user_requested'].includes(type),
    )
    assert.deepEqual(order, ['user.message', 'tool.user_requested', 'user.message'])
  })

  it('that is not there fails like any other', async () => {
    await using home = await openHome()
    const engine = home.engine({ userTools: userTools() })
    const { id } = await engine.create()
    await (await engine.open(id)).runTool({ toolName: 'teleport', arguments: {} })
    const last = (await eventsOf(engine, id)).at(-1)
    assert.ok(last !== undefined && !('stranger' in last))
    assert.ok(last.type === 'tool.execution_complete')
    assert.match(last.data.error?.message ?? '', /There is no tool teleport/)
  })
})

describe('another agent', () => {
  it('answers from the next message on with the history of the first, and is closed with the session', async () => {
    await using home = await openHome()
    const engine = home.engine()
    const { id } = await engine.create()
    await converse(engine, id, { prompt: 'one' })
    const closed: string[] = []
    const other = (name: string) => ({
      name,
      run: async function* ({ context }) {
        yield say(`${name} has heard ${context.messages.length} messages`)
      } satisfies Script,
      close: async () => void closed.push(name),
    })
    await (await engine.open(id)).setAgent(other('ada'))
    await converse(engine, id, { prompt: 'two' })
    await (await engine.open(id)).setAgent(other('bob'))
    assert.deepEqual(closed, ['ada'])
    const said = (await eventsOf(engine, id)).flatMap((event) =>
      'stranger' in event
        ? []
        : event.type === 'assistant.message'
          ? [event.data.content]
          : event.type === 'session.info'
            ? [event.data.message]
            : [],
    )
    assert.deepEqual(said, [
      'echo: one',
      'ada answers from here on.',
      'ada has heard 3 messages',
      'bob answers from here on.',
    ])
    await (await engine.open(id)).close()
    assert.deepEqual(closed, ['ada', 'bob'])
  })
})
