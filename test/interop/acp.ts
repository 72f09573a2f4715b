/** Genuine ACP agents behind Reprise: they answer, use tools, die, lose their memory, and the conversation goes on. */
import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { acpAgent } from '../../src/agents/acp/acp.ts'
import type { Engine } from '../../src/engine/engine.ts'
import type { SessionId } from '../../src/format/ids.ts'
import { validateModelContext } from '../support/validate-context.ts'
import { openProgram, type AcpProgram } from './acp-programs.ts'
import { assertHealthy, type Checks } from './checks.ts'
import { spoken } from './model.ts'
import { listeningAgent, type Place } from './place.ts'
import { converse } from '../support/engine.ts'

export async function checkAcpAgents(checks: Checks, place: Place): Promise<void> {
  for (const [name, native] of [
    ['opencode', 'resume'],
    ['copilot', 'load'],
  ] as const) {
    await using program = await openProgram(name, place.model)
    if (program === undefined) checks.note(`${name} could not be installed: not checked`)
    else await checkAgent(checks, place, program, native)
  }
}

async function checkAgent(
  { check, note }: Checks,
  place: Place,
  program: AcpProgram,
  native: string,
): Promise<void> {
  const { name } = program
  const start = async (home: 'kept' | 'fresh') =>
    place.reprise(acpAgent(await program.options(home)))
  const first = await start('fresh')
  const { id } = await first.create({ cwd: place.project })
  const again = async (home: 'kept' | 'fresh') => {
    const engine = await start(home)
    await (await engine.open(id)).resume({ cwd: place.project })
    return engine
  }
  /** What its model was told with the prompt. */
  const told = (prompt: string) =>
    place.model.seen
      .map((messages) => spoken(messages).join('\n'))
      .filter((text) => text.includes(prompt))
      .join('\n')

  await check(`${name} answers, and the answer is in the log`, async () => {
    await send(first, id, 'The word is heron. <<answer Noted.>>')
    assert.deepEqual(await answers(first, id), ['Noted.'])
    assert.deepEqual(await rungs(first, id), ['new'])
  })
  const bash = (command: string) =>
    `<<call bash ${JSON.stringify({ command, description: 'as asked', timeout: 10_000 })}>>`
  await check(`${name} uses a tool, and its result is in the log`, async () => {
    await send(first, id, `Run it. ${bash('echo made')} <<answer Ran.>>`)
    assert.match(lastResult(await events(first, id)), /^made/)
  })
  await first.stop()

  const second = await again('kept')
  await check(
    `${name} goes on in its own session after its process ended (${native})`,
    async () => {
      await send(second, id, 'Second life. <<answer Still here.>>')
      assert.deepEqual(await rungs(second, id), ['new', native])
      assert.match(told('Second life.'), /The word is heron/)
    },
  )
  await check(`${name} is given the conversation after a rewind`, async () => {
    await (await second.open(id)).undo()
    await send(second, id, 'Other way. <<answer Fine.>>')
    const now = (await rungs(second, id)).at(-1)
    assert.equal(now, name === 'copilot' ? 'store' : 'resource')
    assert.match(told('Other way.'), /The word is heron/)
  })
  await check(
    `${name} killed in the middle of a tool: the turn is settled, the next goes on`,
    async () => {
      const turn = converse(second, id, { prompt: `Sleep. ${bash('sleep 20')}` })
      await toolBegins(second, id, 'sleep 20')
      const { command } = await program.options('kept')
      for (const pid of await childrenOf(command)) process.kill(pid, 'SIGKILL')
      const outcome = await turn
      assert.equal(outcome.status, 'failed')
      assert.match(
        outcome.error ?? '',
        /ended in the middle of its work. It ended by signal SIGKILL/,
      )
      assert.deepEqual((await (await second.open(id)).state()).pendingTools, [])
      await send(second, id, 'After that. <<answer Back.>>')
      assert.match(told('After that.'), /The word is heron/)
      note(`${name} came back by ${(await rungs(second, id)).at(-1)}`)
    },
  )
  await second.stop()

  const third = await again('fresh')
  await check(`${name} is given the conversation when its home is gone`, async () => {
    await send(third, id, 'Third life. <<answer Yes.>>')
    const now = (await rungs(third, id)).at(-1)
    assert.equal(now, name === 'copilot' ? 'text' : 'resource')
    assert.match(told('Third life.'), /The word is heron/)
  })
  await third.stop()

  await check('another agent goes on, with a history that a provider accepts', async () => {
    const agent = listeningAgent('Taken over.')
    const engine = place.reprise(agent)
    await send(engine, id, 'And now?')
    const context = agent.turns.at(-1)?.context
    assert.ok(context !== undefined)
    assert.deepEqual(validateModelContext(context), [])
    assert.match(JSON.stringify(context), /The word is heron/)
    await assertHealthy(engine, id)
  })
}

async function send(engine: Engine, id: SessionId, prompt: string): Promise<void> {
  const { status, error } = await converse(engine, id, { prompt })
  assert.equal(status, 'completed', error)
}

async function toolBegins(engine: Engine, id: SessionId, command: string): Promise<void> {
  for await (const item of (await engine.open(id)).follow()) {
    if (item.kind !== 'event' || item.event.type !== 'tool.execution_start') continue
    if (JSON.stringify(item.event.data).includes(command)) return
  }
}

/** Processes of this program that another one started itself. */
export async function childrenOf(command: string, by = process.pid): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8').catch(() => '')
      const parent = /^PPid:\s+(\d+)/m.exec(await read('status'))?.[1]
      const isOurs = parent === String(by) && (await read('cmdline')).startsWith(command)
      return isOurs ? [Number(pid)] : []
    }),
  )
  return found.flat()
}

const events = async (engine: Engine, id: SessionId) =>
  (await (await engine.open(id)).events()).events

function lastResult(all: Awaited<ReturnType<typeof events>>): string {
  const { data } = all.findLast(({ type }) => type === 'tool.execution_complete') ?? {}
  return (data as { result?: { content: string } } | undefined)?.result?.content ?? ''
}

const answers = async (engine: Engine, id: SessionId): Promise<string[]> =>
  (await events(engine, id)).flatMap(({ type, data }) =>
    type === 'assistant.message' ? [(data as { content: string }).content.trim()] : [],
  )

const rungs = async (engine: Engine, id: SessionId): Promise<string[]> =>
  (await events(engine, id)).flatMap(({ data }) => {
    const { agent } = data as { agent?: { rung?: string } }
    return agent?.rung === undefined ? [] : [agent.rung]
  })
