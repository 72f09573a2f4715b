import assert from 'node:assert/strict'
import { appendFile, mkdir, readFile, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  converse,
  callTool,
  openHome,
  promptsOf,
  say,
  startTool,
  typesOf,
  type Home,
} from '../../../test/support/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import { EngineError } from '../errors.ts'

test('interrupted tools are settled as failed before the next message', async () => {
  await using home = await openHome()
  const id = await interrupted(home)
  const engine = home.engine()
  assert.equal((await (await engine.open(id)).resume()).state.pendingTools.length, 1)
  await converse(engine, id, { prompt: 'go on' })
  assert.equal((await (await engine.open(id)).state()).pendingTools.length, 0)
  const types = await typesOf(engine, id)
  const at = types.indexOf('session.resume')
  assert.deepEqual(types.slice(at - 2, at + 2), [
    'tool.execution_complete',
    'assistant.turn_end',
    'session.resume',
    'user.message',
  ])
})

test('a call that had begun is settled also when work is to be continued', async () => {
  await using home = await openHome()
  const id = await interrupted(home)
  const engine = home.engine()
  await (await engine.open(id)).resume({ continuePendingWork: true })
  await (await engine.open(id)).setMode('plan')
  const { pendingTools, openTurns } = await (await engine.open(id)).state()
  assert.deepEqual({ pendingTools, openTurns }, { pendingTools: [], openTurns: [] })
})

test('a three-line log without workspace.yaml opens, and the file is made from the log', async () => {
  await using home = await openHome()
  const id = await handMade(home)
  const engine = home.engine()
  const { state } = await (await engine.open(id)).resume()
  assert.deepEqual(
    { turns: state.turns.length, cwd: state.project.cwd },
    { turns: 1, cwd: '/work/x' },
  )
  const { name, userNamed, cwd } = await (await engine.open(id)).metadata()
  assert.deepEqual(
    { name, userNamed, cwd },
    { name: 'fix the bug', userNamed: false, cwd: '/work/x' },
  )
  await converse(engine, id, { prompt: 'more' })
  assert.deepEqual(await promptsOf(engine, id), ['fix the bug', 'more'])
})

test('a broken workspace.yaml is set aside and rebuilt, never deleted', async () => {
  await using home = await openHome()
  const id = await handMade(home)
  const broken = 'id: [unclosed\n\t: : :'
  await writeFile(join(folder(home, id), 'workspace.yaml'), broken)
  const engine = home.engine()
  await (await engine.open(id)).resume()
  assert.equal((await (await engine.open(id)).metadata()).name, 'fix the bug')
  const [aside] = await readdir(join(folder(home, id), '.reprise', 'broken'))
  assert.equal(await readFile(join(folder(home, id), '.reprise', 'broken', aside!), 'utf8'), broken)
})

test('a snapshot that is wrong, stale or missing changes nothing', async () => {
  await using home = await openHome()
  const writer = home.engine()
  const { id } = await writer.create()
  await converse(writer, id, { prompt: 'one' })
  await (await writer.open(id)).close()
  const path = join(folder(home, id), '.reprise', 'snapshot.json')
  const expected = await (await home.engine().open(id)).state()
  const good = await readFile(path, 'utf8')
  for (const content of [
    undefined,
    '',
    '{}',
    good.replace(/"eventCount":\d+/, '"eventCount":999').replace(/"tailHash":"./, '"tailHash":"x'),
  ]) {
    if (content === undefined) await rm(path)
    else await writeFile(path, content)
    assert.deepEqual(await (await home.engine().open(id)).state(), expected)
  }
})

test('a torn tail is cut, kept aside, and the next message follows the last whole event', async () => {
  await using home = await openHome()
  const id = await handMade(home)
  await appendFile(join(folder(home, id), 'events.jsonl'), '{"type":"user.message","data":{"cont')
  const engine = home.engine()
  await converse(engine, id, { prompt: 'more' })
  assert.deepEqual(await promptsOf(engine, id), ['fix the bug', 'more'])
  assert.equal((await readdir(join(folder(home, id), '.reprise', 'torn'))).length, 1)
})

test('a session without its start is not resumed, says how to mend it, and can still be read', async () => {
  await using home = await openHome()
  const id = await handMade(home)
  const path = join(folder(home, id), 'events.jsonl')
  const lines = (await readFile(path, 'utf8')).split('\n')
  await writeFile(path, lines.slice(1).join('\n'))
  const engine = home.engine()
  await assert.rejects((await engine.open(id)).resume(), hasCode('corrupt', /doctor/))
  assert.deepEqual(await promptsOf(engine, id), ['fix the bug'])
})

test('what is missing is told apart: unknown, empty, legacy', async () => {
  await using home = await openHome()
  const engine = home.engine()
  const unknown = crypto.randomUUID() as SessionId
  await assert.rejects((await engine.open(unknown)).resume(), hasCode('not_found', /no session/))
  const empty = crypto.randomUUID() as SessionId
  await mkdir(folder(home, empty), { recursive: true })
  await writeFile(join(folder(home, empty), 'events.jsonl'), '')
  await assert.rejects((await engine.open(empty)).resume(), hasCode('corrupt', /empty log/))
  const legacy = crypto.randomUUID() as SessionId
  await writeFile(join(home.path, 'session-state', `${legacy}.jsonl`), '{}\n')
  await assert.rejects((await engine.open(legacy)).resume(), hasCode('legacy', /older format/))
  assert.equal((await engine.resolve(legacy)).kind, 'legacy')
})

test('a resumed session that is open elsewhere says so in its session.resume', async () => {
  await using home = await openHome()
  const one = home.engine()
  const { id } = await one.create()
  await converse(one, id, { prompt: 'one' })
  const two = home.engine()
  await (await two.open(id)).resume()
  await converse(two, id, { prompt: 'two' })
  const { events } = await (await two.open(id)).events()
  const resumed = events.find(({ type }) => type === 'session.resume')
  assert.equal((resumed!.data as { alreadyInUse: boolean }).alreadyInUse, true)
})

const hasCode = (code: string, message: RegExp) => (error: unknown) =>
  error instanceof EngineError && error.code === code && message.test(error.message)

const folder = (home: Home, id: SessionId) => join(home.path, 'session-state', id)

/** A process that was killed in the middle of a tool: its log as it stood, without anything after. */
async function interrupted(home: Home): Promise<SessionId> {
  const started = Promise.withResolvers<void>()
  const engine = home.engine({
    script: async function* (_turn, signal) {
      yield callTool('t1')
      yield startTool('t1')
      started.resolve()
      await new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(new Error('stopped'))),
      )
      yield say('never')
    },
  })
  const { id } = await engine.create()
  const sent = converse(engine, id, { prompt: 'run it' })
  await started.promise
  const path = join(folder(home, id), 'events.jsonl')
  const asItStood = await readFile(path)
  await (await engine.open(id)).cancel()
  await sent
  await (await engine.open(id)).close()
  await rm(join(folder(home, id), '.reprise'), { recursive: true })
  await writeFile(path, asItStood)
  return id
}

async function handMade(home: Home): Promise<SessionId> {
  const id = crypto.randomUUID() as SessionId
  const [a, b, c] = [crypto.randomUUID(), crypto.randomUUID(), crypto.randomUUID()]
  const at = '2026-11-01T10:00:00.000Z'
  const lines = [
    {
      type: 'session.start',
      data: {
        sessionId: id,
        version: 1,
        producer: 'copilot-agent',
        copilotVersion: '1.0.102',
        startTime: at,
        context: { cwd: '/work/x' },
      },
      id: a,
      timestamp: at,
      parentId: null,
    },
    { type: 'user.message', data: { content: 'fix the bug' }, id: b, timestamp: at, parentId: a },
    {
      type: 'assistant.message',
      data: { messageId: 'm1', content: 'done' },
      id: c,
      timestamp: at,
      parentId: b,
    },
  ]
  await mkdir(folder(home, id), { recursive: true })
  await writeFile(
    join(folder(home, id), 'events.jsonl'),
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
  )
  return id
}
