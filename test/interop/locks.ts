/** Each program respects a session that the other has open. */
import assert from 'node:assert/strict'
import type { Agent } from '../../src/engine/agent.ts'
import { EngineError } from '../../src/engine/errors.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { assertHealthy, type Checks } from './checks.ts'
import { assertChain, linesOf } from './log-lines.ts'
import { listeningAgent, type Place } from './place.ts'
import { converse } from '../support/engine.ts'

export async function checkLocks(checks: Checks, place: Place): Promise<void> {
  await heldByCopilot(checks, place)
  await heldByReprise(checks, place)
  await heldByBoth(checks, place)
}

async function heldByCopilot({ check }: Checks, place: Place): Promise<void> {
  const copilot = await place.copilot()
  const id = crypto.randomUUID() as SessionId
  await copilot.create(id, place.project)
  await copilot.send(id, 'Mine. <<answer held>>')
  const engine = place.reprise(listeningAgent('mine now'))
  await check(
    'Reprise does not write into a session that the CLI holds, and names its pid',
    async () => {
      const before = await place.logOf(id)
      for (const write of [
        () => converse(engine, id, { prompt: 'Mine too.' }),
        async () => (await engine.open(id)).undo(),
        async () => (await engine.open(id)).compact(),
        async () => (await engine.open(id)).writePlan('# Mine'),
      ]) {
        const error = await write().then(
          () => undefined,
          (cause: unknown) => cause,
        )
        assert.ok(error instanceof EngineError, String(error))
        assert.deepEqual([error.code, error.details.pid], ['in_use', copilot.pid])
        assert.ok(error.message.includes(String(copilot.pid)))
      }
      assert.equal(await place.logOf(id), before)
    },
  )
  await check('Reprise does not delete a session that the CLI holds', async () => {
    const [removal] = await engine.remove([id])
    assert.match(JSON.stringify(removal), /in_use|open|held/)
    assert.ok((await place.logOf(id)).length > 0)
  })
  await check('Reprise reads and forks a session that the CLI holds', async () => {
    assert.equal((await (await engine.open(id)).rewindPoints()).length, 1)
    const { sourceNoted } = await (await engine.open(id)).fork()
    assert.equal(sourceNoted, false)
  })
  await copilot[Symbol.asyncDispose]()
  await check('Reprise goes on once the CLI has ended', async () => {
    await converse(engine, id, { prompt: 'Now me.' })
    assertChain(await place.logOf(id))
    await assertHealthy(engine, id)
  })
  await engine.stop()
}

async function heldByReprise({ check }: Checks, place: Place): Promise<void> {
  const copilot = await place.copilot()
  const { agent, begun, goOn } = pausingAgent()
  const engine = place.reprise(agent)
  const { id } = await engine.create({ cwd: place.project })
  const turn = converse(engine, id, { prompt: 'A long turn.' })
  await begun
  const inUse = async () =>
    (await copilot.request<{ inUse: string[] }>('sessions.checkInUse', { sessionIds: [id] })).inUse
  await check('the CLI sees that Reprise has a session open', async () => {
    assert.deepEqual(await inUse(), [id])
  })
  await check('the CLI does not delete a session that Reprise has open', async () => {
    await copilot.request('session.delete', { sessionId: id }).catch(() => {})
    assert.ok((await place.logOf(id)).length > 0)
  })
  goOn()
  await turn
  await (await engine.open(id)).close()
  await check('the CLI sees that Reprise let go of it', async () => {
    assert.deepEqual(await inUse(), [])
  })
  await check('the CLI goes on with it', async () => {
    await copilot.resume(id, place.project)
    await copilot.send(id, 'Mine again. <<answer yes>>')
    assertChain(await place.logOf(id))
    assert.equal(
      linesOf(await place.logOf(id)).filter(({ type }) => type === 'user.message').length,
      2,
    )
  })
  await copilot[Symbol.asyncDispose]()
  await engine.stop()
}

/** The CLI writes into an open session when a client insists. */
async function heldByBoth({ check }: Checks, place: Place): Promise<void> {
  const copilot = await place.copilot()
  const { agent, begun, goOn } = pausingAgent()
  const engine = place.reprise(agent)
  const { id } = await engine.create({ cwd: place.project })
  const turn = converse(engine, id, { prompt: 'A long turn.' })
  await begun
  await check(
    'when the CLI writes into a turn of Reprise, Reprise stops and the log stays one chain',
    async () => {
      await copilot.resume(id, place.project)
      await copilot.send(id, 'All the same. <<answer uninvited>>')
      goOn()
      await assert.rejects(turn, { name: 'EngineError', code: 'in_use' })
      const log = await place.logOf(id)
      for (const words of ['A long turn.', 'All the same.', 'uninvited']) {
        assert.ok(log.includes(words), `"${words}" is lost`)
      }
      assert.ok(!log.includes('At last.'), 'Reprise wrote behind the CLI')
      assertChain(log)
    },
  )
  await copilot[Symbol.asyncDispose]()
  await check('and Reprise goes on from there once the CLI has ended', async () => {
    await converse(engine, id, { prompt: 'Now me.' })
    assertChain(await place.logOf(id))
    await assertHealthy(engine, id)
  })
  await engine.stop()
}

/** Answers when it is told to. */
function pausingAgent() {
  const begun = Promise.withResolvers<void>()
  const pause = Promise.withResolvers<void>()
  const agent: Agent = {
    name: 'pausing',
    async *run() {
      begun.resolve()
      await pause.promise
      const messageId = crypto.randomUUID()
      yield { draft: { type: 'assistant.message', data: { messageId, content: 'At last.' } } }
    },
  }
  return { agent, begun: begun.promise, goOn: () => pause.resolve() }
}
