/** The genuine CLI is killed in a turn. Its lock and an open tool call stay behind, and Reprise takes over. */
import assert from 'node:assert/strict'
import { validateModelContext } from '../support/validate-context.ts'
import { assertHealthy, type Checks } from './checks.ts'
import { leaveInTheMiddle } from './genuine-session.ts'
import { assertChain } from './log-lines.ts'
import { spoken } from './model.ts'
import { listeningAgent, type Place } from './place.ts'
import { converse } from '../support/engine.ts'

export async function checkLeftBehind({ check }: Checks, place: Place): Promise<void> {
  const { model, project } = place
  const id = await leaveInTheMiddle(await place.copilot(), project)
  const agent = listeningAgent('taken over')
  const engine = place.reprise(agent)
  await check('Reprise takes over what a killed CLI left in the middle of a tool', async () => {
    await converse(engine, id, { prompt: 'Go on.' })
    const context = agent.turns.at(-1)?.context
    assert.ok(context !== undefined)
    assert.deepEqual(validateModelContext(context), [])
    assert.ok(
      context.messages.some(({ role }) => role === 'tool'),
      'the interrupted call is gone',
    )
    assertChain(await place.logOf(id))
    await assertHealthy(engine, id)
  })
  await engine.stop()
  await check('the CLI goes on after that', async () => {
    const copilot = await place.copilot()
    await copilot.resume(id, project)
    await copilot.send(id, 'And on. <<answer on>>')
    const said = spoken(model.seen.at(-1)).join('\n')
    for (const words of ['Before.', 'During.', 'Go on.', 'taken over', 'And on.']) {
      assert.ok(said.includes(words), `the model did not see "${words}" but:\n${said}`)
    }
    await copilot[Symbol.asyncDispose]()
    assertChain(await place.logOf(id))
  })
}
