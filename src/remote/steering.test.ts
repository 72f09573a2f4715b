import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as soon } from 'node:timers/promises'
import { converse, eventsOf, openHome } from '../../test/support/engine.ts'
import { obedient } from '../../test/support/obedient.ts'
import { planWords } from '../state/plan-approval.ts'
import { applyCommand } from './apply-command.ts'
import type { RemoteCommand, Server } from './control-client.ts'
import { createSteering } from './steering.ts'

test('the next command is asked for as soon as the one before it is done', async (t) => {
  await using home = await openHome()
  const engine = home.engine()
  const session = await engine.create()
  await converse(engine, session.id, { prompt: 'first' })
  const rename: RemoteCommand = {
    id: 'one',
    kind: 'operation',
    content: JSON.stringify({ name: 'rename', title: 'Said from afar' }),
    person: 'ann',
    name: 'Ann',
  }
  // While it is under way a server tells of it again.
  let asked = 0
  const done = Promise.withResolvers<void>()
  const settling = Promise.withResolvers<void>()
  const again = Promise.withResolvers<void>()
  const server = {
    url: 'http://127.0.0.1',
    claimCommands: async (): Promise<readonly RemoteCommand[]> => {
      asked += 1
      if (asked === 2) again.resolve()
      if (asked <= 2) return [rename]
      return new Promise(() => {})
    },
    settle: async () => {
      done.resolve()
      await settling.promise
    },
    heartbeat: async () => {},
    notices: async () => false,
  } satisfies Partial<Server>
  const steering = createSteering({
    engine,
    server: server as unknown as Server,
    allowance: { mayWiden: false },
    redact: (value) => ({ value, found: [] }),
    cleanNotices: () => (notice) => [notice],
    sync: async () => {},
    isSteerable: async () => true,
  })
  t.after(() => steering.stop())
  steering.watch(session.id)
  await Promise.all([again.promise, done.promise])
  settling.resolve()
  for (let turns = 0; turns < 5; turns++) await soon()
  assert.equal(asked, 3)
})

test('an answer of the agent itself is given from afar, unless it allows more than once', async () => {
  await using home = await openHome()
  const engine = home.engine({ script: obedient, policy: () => 'ask' })
  const session = await engine.create()
  const asked = Promise.withResolvers<string>()
  const following = (async () => {
    for await (const item of session.follow({ fromNow: true }))
      if (item.kind === 'event' && item.event.type === 'permission.requested')
        return asked.resolve((item.event.data as { readonly requestId: string }).requestId)
  })()
  const turn = converse(engine, session.id, { prompt: 'permit-own' })
  const promptId = await asked.promise
  await following
  const answer = (option: string) =>
    applyCommand({
      session,
      actor: { who: 'ann', surface: 'mission-control', machine: 'afar' },
      allowance: { mayWiden: false },
      command: {
        id: option,
        kind: 'permission_response',
        content: JSON.stringify({ promptId, decision: 'allow', option }),
        person: 'ann',
        name: 'Ann',
      },
    })
  await assert.rejects(answer('bypass'), /allow more than once from afar/)
  await answer('once')
  await turn
  assert.match(JSON.stringify(await eventsOf(engine, session.id)), /decided: allow by once/)
})

test('autopilot is not given by the answer to a plan from afar, in no way of saying it', async () => {
  await using home = await openHome()
  const engine = home.engine({ script: obedient, answersQuestions: true })
  const session = await engine.create()
  const asked = Promise.withResolvers<string>()
  const following = (async () => {
    for await (const item of session.follow({ fromNow: true }))
      if (item.kind === 'notice' && item.notice.type === 'user_input.requested')
        return asked.resolve(item.notice.data.requestId)
  })()
  const turn = converse(engine, session.id, { prompt: 'ask-plan' })
  const promptId = await asked.promise
  await following
  const answer = (kind: string, content: object) =>
    applyCommand({
      session,
      actor: { who: 'ann', surface: 'mission-control', machine: 'afar' },
      allowance: { mayWiden: false },
      command: {
        id: kind,
        kind,
        content: JSON.stringify({ promptId, ...content }),
        person: 'ann',
        name: 'Ann',
      },
    })
  const refused = /lets nobody switch to autopilot from afar/
  for (const words of [planWords('autopilot'), 'autopilot', ' autopilot '])
    await assert.rejects(answer('ask_user_response', { answer: words }), refused)
  const wide = { approved: true, selectedAction: 'autopilot' }
  await assert.rejects(answer('plan_approval_response', wide), refused)
  await answer('plan_approval_response', { approved: true })
  await turn
  assert.match(
    JSON.stringify(await eventsOf(engine, session.id)),
    /answered: Do it, and ask before/,
  )
})
