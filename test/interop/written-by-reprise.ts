/** A session that Reprise wrote, gone on with by the genuine CLI, then by Reprise, then by the CLI again. */
import assert from 'node:assert/strict'
import type { Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { validateModelContext } from '../support/validate-context.ts'
import { assertHealthy, type Checks } from './checks.ts'
import { assertChain, linesOf, typesOf, type Line } from './log-lines.ts'
import { spoken } from './model.ts'
import { BRANCH, REPOSITORY, listeningAgent, type Place } from './place.ts'
import { converse } from '../support/engine.ts'

const NAME = 'Made by Reprise'
const PLAN = '# Plan\n\n1. Boil water\n2. Make tea\n'

export async function checkWrittenByReprise({ check }: Checks, place: Place): Promise<void> {
  const { model, project } = place
  const engine = place.reprise()
  const id = await writeSession(engine, project)
  await engine.stop()
  let before = await place.logOf(id)
  let copilot = await place.copilot()

  const listed = {
    sessionId: id,
    name: NAME,
    summary: NAME,
    clientName: 'reprise',
    isRemote: false,
    context: { cwd: project, gitRoot: project, repository: REPOSITORY, branch: BRANCH },
  }
  await check('the CLI lists a session of Reprise with its name and its project', async () => {
    const { sessions } = await copilot.request<{ sessions: Listed[] }>('session.list')
    assert.deepEqual(sessions.map(comparable), [listed])
  })
  await check('the CLI tells the metadata of a session of Reprise', async () => {
    const { session } = await copilot.request<{ session: Listed }>('session.getMetadata', {
      sessionId: id,
    })
    assert.deepEqual(comparable(session), listed)
  })
  await check('the CLI resumes a session of Reprise', () => copilot.resume(id, project))
  await check('the CLI gives back every event of Reprise as it was written', async () => {
    const { events } = await copilot.request<{ events: Line[] }>('session.getMessages', {
      sessionId: id,
    })
    const ours = linesOf(before)
    assert.deepEqual(events.slice(0, ours.length).map(withoutCopilots), ours)
  })
  await check('the CLI reads the plan and the files of Reprise', async () => {
    const plan = await copilot.request<{ content: string }>('session.plan.read', { sessionId: id })
    const file = { sessionId: id, path: 'notes.md' }
    const note = await copilot.request<{ content: string }>('session.workspaces.readFile', file)
    assert.deepEqual([plan.content, note.content], [PLAN, 'a note\n'])
  })
  await check('the CLI goes on, and its model sees what was said to Reprise', async () => {
    await copilot.send(id, 'Go on. <<answer gladly>>')
    const said = spoken(model.seen.at(-1))
    const [user, call, result, answer] = said
    assert.match(user ?? '', /^user: .*run echo from reprise/s)
    assert.match(call ?? '', /^assistant: .* calls bash$/)
    assert.match(result ?? '', /^tool: .*from reprise/s)
    assert.match(answer ?? '', /^assistant: /)
    assert.match(said.at(-1) ?? '', /^user: .*Go on\./s)
  })
  await copilot[Symbol.asyncDispose]()

  await check('the bytes that Reprise wrote are still there, and the chain goes on', async () => {
    const log = await place.logOf(id)
    assert.ok(log.startsWith(before), 'the beginning of the log was changed')
    assert.ok(typesOf(log.slice(before.length)).includes('assistant.message'))
    assertChain(log)
  })

  const listening = listeningAgent('Reprise again')
  const again = place.reprise(listening)
  await check('Reprise finds nothing wrong with what the CLI added', () => assertHealthy(again, id))
  await check('Reprise goes on after the CLI with everything that was said', async () => {
    await converse(again, id, { prompt: 'And on.' })
    const context = listening.turns.at(-1)?.context
    assert.ok(context !== undefined)
    assert.deepEqual(validateModelContext(context), [])
    const said = context.messages.map(({ content }) => content).join('\n')
    for (const words of ['from reprise', 'gladly', 'And on.'])
      assert.ok(said.includes(words), words)
    assertChain(await place.logOf(id))
  })
  await check('Reprise compacts a session that both wrote', async () => {
    const { checkpointNumber } = await (await again.open(id)).compact()
    await converse(again, id, { prompt: 'After the summary.' })
    assert.equal(checkpointNumber, 1)
  })
  await again.stop()
  before = await place.logOf(id)

  copilot = await place.copilot()
  await check('the CLI reads the checkpoint of Reprise', async () => {
    await copilot.resume(id, project)
    const { checkpoints } = await copilot.request<{ checkpoints: { number: number }[] }>(
      'session.workspaces.listCheckpoints',
      { sessionId: id },
    )
    assert.deepEqual(
      checkpoints.map(({ number }) => number),
      [1],
    )
  })
  await check('the CLI goes on from the summary of Reprise', async () => {
    await copilot.send(id, 'The end. <<answer farewell>>')
    const said = spoken(model.seen.at(-1)).join('\n')
    for (const words of ['<overview>', 'After the summary.', 'The end.']) {
      assert.ok(said.includes(words), `the model did not see "${words}" but:\n${said}`)
    }
    assert.ok(!said.includes('user: Go on.'), 'what the summary replaced was sent again')
  })
  await copilot[Symbol.asyncDispose]()
  await check('both went on twice and the log is one unbroken chain', async () => {
    const log = await place.logOf(id)
    assert.ok(log.startsWith(before), 'the beginning of the log was changed')
    assertChain(log)
    await assertHealthy(place.reprise(), id)
  })
}

async function writeSession(engine: Engine, cwd: string): Promise<SessionId> {
  const { id } = await engine.create({ cwd })
  await converse(engine, id, { prompt: 'run echo from reprise' })
  await (await engine.open(id)).writePlan(PLAN)
  await (await engine.open(id)).writeFile('files/notes.md', new TextEncoder().encode('a note\n'))
  await converse(engine, id, { prompt: 'what did I ask for?' })
  await (await engine.open(id)).rename(NAME)
  return id
}

type Listed = {
  readonly sessionId: string
  readonly startTime: string
  readonly modifiedTime: string
  readonly isDetached?: boolean
}

const comparable = ({ startTime, modifiedTime, isDetached, ...rest }: Listed) => {
  assert.ok(Date.parse(startTime) > 0 && Date.parse(modifiedTime) > 0)
  assert.notEqual(isDetached, true)
  return rest
}

/** The CLI marks what it gives out; what was written is the rest. */
const withoutCopilots = ({ type, data, id, timestamp, parentId }: Line): Line => ({
  type,
  data,
  id,
  timestamp,
  parentId,
})
