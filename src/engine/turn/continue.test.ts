/** A turn that a killed process left at a question: who may answer it later, and what is done then. */
import assert from 'node:assert/strict'
import { readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  callTool,
  endTool,
  openHome,
  say,
  scripted,
  startTool,
  eventsOf,
  typesOf,
  type Home,
  type Script,
} from '../../../test/support/engine.ts'
import type { SessionId } from '../../format/ids.ts'
import type { Engine } from '../engine.ts'

const wish = {
  kind: 'custom-tool',
  toolCallId: 't1',
  toolName: 'deploy',
  toolDescription: '',
} as const

const asks: Script = async function* (turn) {
  if (turn.left === undefined) yield callTool('t1')
  yield startTool('t1')
  const { kind } = await turn.permit(wish)
  yield endTool('t1', kind)
  yield say(`${kind}, ${turn.left?.length ?? 0} left`)
}

/** The log as it stood when the process was killed. */
async function leftAsking(home: Home): Promise<SessionId> {
  const engine = home.engine({ script: asks, policy: () => 'ask' })
  const session = await engine.open((await engine.create()).id)
  const asked = (async () => {
    for await (const item of session.follow())
      if (item.kind === 'event' && item.event.type === 'permission.requested') return
  })()
  const { ended } = await session.send({ prompt: 'go' })
  await asked
  const folder = join(home.path, 'session-state', session.id)
  const asItStood = await readFile(join(folder, 'events.jsonl'))
  await session.cancel()
  await ended
  await session.close()
  await rm(join(folder, '.reprise'), { recursive: true })
  await writeFile(join(folder, 'events.jsonl'), asItStood)
  return session.id
}

const openAgain = (home: Home): Engine =>
  home.engine({
    agent: { ...scripted(asks), continues: true },
    policy: () => ({ kind: 'deny', by: 'nobody' }),
  })

const idle = async (engine: Engine, id: SessionId) => {
  for await (const item of (await engine.open(id)).follow({ fromNow: true }))
    if (item.kind === 'notice' && item.notice.type === 'session.idle') return
}

test('an answer has the turn gone on with, in the same turn and under the same request', async () => {
  await using home = await openHome()
  const id = await leftAsking(home)
  const engine = openAgain(home)
  const session = await engine.open(id)
  const { at, requests } = await session.pending()
  assert.deepEqual([at, requests.length], ['left', 1])
  const [asked] = requests
  assert.ok(asked?.type === 'permission.requested')
  const ended = idle(engine, id)
  await session.answer(asked.data.requestId, { kind: 'allow' })
  await ended
  assert.deepEqual((await typesOf(engine, id)).slice(-6), [
    'permission.requested',
    'session.resume',
    'permission.completed',
    'tool.execution_complete',
    'assistant.message',
    'assistant.turn_end',
  ])
  const events = await eventsOf(engine, id)
  const last = events.findLast((event) => event.type === 'assistant.message')
  assert.equal((last?.data as { content: string } | undefined)?.content, 'allow, 1 left')
  assert.deepEqual(await session.pending(), { requests: [], questions: [] })
})

test('a question whose agent cannot go on is lost, and the log says so with what to do', async () => {
  await using home = await openHome()
  const id = await leftAsking(home)
  const engine = home.engine({ policy: () => 'ask' })
  const session = await engine.open(id)
  const lostIn = async () =>
    (await eventsOf(engine, id)).flatMap((event) =>
      event.type === 'session.warning' ? [(event.data as { message: string }).message] : [],
    )
  assert.deepEqual(await session.pending(), { requests: [], questions: [] })
  const said = [
    'A question was lost before it was answered, with the process that asked. Nothing was done for it. /retry sends the message again, so that it is asked again.',
  ]
  // It stands there as soon as the session is opened, once.
  assert.deepEqual(await lostIn(), said)
  assert.equal(await session.continueWork(), false)
  await (
    await session.send({ prompt: 'and now?' })
  ).ended
  assert.deepEqual(await lostIn(), said)
})
