/** A session that the genuine CLI wrote, taken over by Reprise: read, gone on with, rewound, redone, forked. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { SessionId } from '../../src/format/ids.ts'
import { validateModelContext } from '../support/validate-context.ts'
import { PROGRAM } from '../support/program.ts'
import { assertHealthy, type Checks } from './checks.ts'
import { NAME, PLAN, PROMPTS, writeGenuine } from './genuine-session.ts'
import { assertChain, linesOf } from './log-lines.ts'
import { SUMMARY, spoken } from './model.ts'
import { BRANCH, REPOSITORY, listeningAgent, type Place } from './place.ts'
import { converse } from '../support/engine.ts'

export async function checkWrittenByCopilot({ check }: Checks, place: Place): Promise<void> {
  const { model, project } = place
  let copilot = await place.copilot()
  const id = await writeGenuine(copilot, project)
  const { sessionId: theirFork } = await copilot.request<{ sessionId: SessionId }>(
    'sessions.fork',
    {
      sessionId: id,
      name: 'Their fork',
    },
  )
  const third = linesOf(await place.logOf(theirFork)).find(isPrompt(PROMPTS[2]))
  await copilot.resume(theirFork, project)
  await copilot.request('session.history.truncate', { sessionId: theirFork, eventId: third?.id })
  await copilot[Symbol.asyncDispose]()
  const genuine = await place.logOf(id)

  const agent = listeningAgent('by Reprise')
  const engine = place.reprise(agent)
  await check('Reprise lists the sessions of the CLI with name and project', async () => {
    const rows = (await engine.list()).map(({ id: each, ...row }) => [each, pick(row)])
    const where = { cwd: project, gitRoot: project, repository: REPOSITORY, branch: BRANCH }
    assert.deepEqual(Object.fromEntries(rows), {
      [id]: { name: NAME, userNamed: true, checkpoints: 1, ...where },
      [theirFork]: { name: 'Their fork', userNamed: true, checkpoints: 1, ...where },
    })
  })
  await check('so does the program', async () => {
    const args = ['--home', place.home, 'sessions', 'list', '--json']
    const { stdout } = await promisify(execFile)(PROGRAM, args, { cwd: project })
    assert.ok(stdout.includes(id) && stdout.includes(NAME), stdout)
  })
  await check('Reprise resolves the name that the CLI gave', async () => {
    const resolution = await engine.resolve(NAME)
    assert.deepEqual(resolution, { kind: 'found', id, by: 'name' })
  })
  await check('Reprise knows every turn of the CLI', async () => {
    const points = await (await engine.open(id)).rewindPoints()
    const prompts = points.map(({ preview }) =>
      PROMPTS.find((prompt) => preview.startsWith(prompt)),
    )
    assert.deepEqual(prompts, PROMPTS.toReversed())
    assert.equal((await (await engine.open(theirFork)).rewindPoints()).length, 2)
  })
  await check('Reprise finds nothing wrong in a log of the CLI', async () => {
    await assertHealthy(engine, id)
    await assertHealthy(engine, theirFork)
  })
  await check('Reprise counts what the CLI used', async () => {
    const { usage } = await (await engine.open(id)).state()
    const { requests, inputTokens, outputTokens } = usage
    assert.deepEqual({ requests, inputTokens, outputTokens }, usedIn(genuine))
  })
  await check('Reprise shows the conversation of the CLI to people', async () => {
    const entries = await Array.fromAsync((await engine.open(id)).transcript())
    const shown = entries.flatMap((entry) => {
      if (entry.kind === 'user' || entry.kind === 'assistant') return [entry.text.split(' <<')[0]]
      return entry.kind === 'tool' ? [`${entry.toolName} ${entry.status}`] : []
    })
    assert.deepEqual(
      shown.filter((each) => each !== ''),
      [
        'First turn.',
        'bash succeeded',
        'one',
        'Second turn.',
        'two',
        'Third turn.',
        'view failed',
        'three',
        'Fourth turn.',
        'four',
      ],
    )
  })
  await check('Reprise reads the plan, the files and the checkpoint of the CLI', async () => {
    assert.equal(await (await engine.open(id)).readPlan(), PLAN)
    assert.equal(
      new TextDecoder().decode(await (await engine.open(id)).readFile('files/notes.md')),
      'a note\n',
    )
    assert.equal((await (await engine.open(id)).readCheckpoint(1)).trim(), SUMMARY)
  })
  await check('Reading leaves the log of the CLI as it was', async () => {
    assert.equal(await place.logOf(id), genuine)
  })
  await check(
    'Reprise goes on with a valid context: the summary and what followed it',
    async () => {
      await converse(engine, id, { prompt: 'Fifth turn.' })
      const context = agent.turns.at(-1)?.context
      assert.ok(context !== undefined)
      assert.deepEqual(validateModelContext(context), [])
      const said = context.messages.map(({ content }) => content).join('\n')
      for (const words of [
        'The overview of the fake summary',
        'Third turn.',
        'three',
        'Fifth turn.',
      ]) {
        assert.ok(said.includes(words), `the context has no "${words}"`)
      }
      assert.ok(!said.includes('First turn.'), 'what the summary replaced is sent again')
      assertChain(await place.logOf(id))
    },
  )
  await check('Reprise rewinds into the turns of the CLI and redoes', async () => {
    const whole = await place.logOf(id)
    const target = linesOf(whole).find(isPrompt(PROMPTS[3]))
    assert.ok(target !== undefined)
    await (await engine.open(id)).rewind(target.id as never)
    assert.deepEqual(linesOf(await place.logOf(id)).at(-1)?.id, target.parentId)
    await (await engine.open(id)).redo()
    assert.equal(await place.logOf(id), whole)
    await (await engine.open(id)).rewind(target.id as never)
  })
  await check('Reprise forks a session of the CLI before an event', async () => {
    const before = linesOf(genuine).find(isPrompt(PROMPTS[1]))
    const { sessionId } = await (
      await engine.open(id)
    ).fork({ before: before?.id as never, name: 'Our fork' })
    await converse(engine, sessionId, { prompt: 'Elsewhere.' })
    assertChain(await place.logOf(sessionId))
    await assertHealthy(engine, sessionId)
  })
  const ours = (await engine.list()).find(({ name }) => name === 'Our fork')?.id
  await engine.stop()

  copilot = await place.copilot()
  await check('the CLI lists what Reprise rewound and forked', async () => {
    const { sessions } = await copilot.request<{ sessions: { sessionId: string; name: string }[] }>(
      'session.list',
    )
    const names = Object.fromEntries(sessions.map(({ sessionId, name }) => [sessionId, name]))
    assert.deepEqual(names, { [id]: NAME, [theirFork]: 'Their fork', [ours ?? '']: 'Our fork' })
  })
  await check('the CLI goes on with the session that Reprise rewound', async () => {
    await copilot.resume(id, project)
    await copilot.send(id, 'After the rewind. <<answer forward>>')
    const said = spoken(model.seen.at(-1)).join('\n')
    assert.ok(said.includes('The overview of the fake summary'), `no summary in:\n${said}`)
    assert.ok(said.includes('Third turn.') && said.includes('After the rewind.'))
    assert.ok(!said.includes('Fourth turn.') && !said.includes('Fifth turn.'))
  })
  await check('the CLI goes on with the fork of Reprise', async () => {
    assert.ok(ours !== undefined)
    await copilot.resume(ours, project)
    await copilot.send(ours, 'After the fork. <<answer aside>>')
    const said = spoken(model.seen.at(-1)).join('\n')
    for (const words of ['First turn.', 'from the CLI', 'Elsewhere.', 'After the fork.']) {
      assert.ok(said.includes(words), `the model did not see "${words}" but:\n${said}`)
    }
    assert.ok(!said.includes('Second turn.'))
  })
  await copilot[Symbol.asyncDispose]()
  await check('the logs of both are unbroken chains, and what was rewound is kept', async () => {
    for (const each of [id, ours ?? '']) assertChain(await place.logOf(each))
    const kept = await stat(join(place.sessionDir(id), '.reprise/rewound'))
    assert.ok(kept.isDirectory())
  })
}

const isPrompt =
  (prompt: string) =>
  ({ type, data }: { type: string; data: Readonly<Record<string, unknown>> }) =>
    type === 'user.message' && String(data.content).startsWith(prompt)

const pick = (row: Readonly<Record<string, unknown>>) => {
  const { name, userNamed, checkpoints, cwd, gitRoot, repository, branch } = row
  return { name, userNamed, checkpoints, cwd, gitRoot, repository, branch }
}

function usedIn(log: string) {
  const records = linesOf(log).filter(({ type }) => type === 'session.usage_record')
  const used = records.map(
    ({ data }) => data.usage as { inputTokens: number; outputTokens: number },
  )
  const sum = (key: 'inputTokens' | 'outputTokens') =>
    used.reduce((total, each) => total + each[key], 0)
  return {
    requests: used.length,
    inputTokens: sum('inputTokens'),
    outputTokens: sum('outputTokens'),
  }
}
