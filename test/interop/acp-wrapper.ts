/**
 * An editor that has wrapped its agent: the protocol's own SDK, `reprise acp` as a program, and opencode behind it. The
 * agent is killed, the wrapper is killed, the agent's memory is lost, and the editor loads and goes on.
 */
import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { connectClient, type TestClient, type Told } from '../acp/place.ts'
import { PROGRAM } from '../support/program.ts'
import { childrenOf } from './acp.ts'
import { openProgram, type AcpProgram } from './acp-programs.ts'
import { assertHealthy, type Checks } from './checks.ts'
import { spoken } from './model.ts'
import type { Place } from './place.ts'

/** The model does what the conversation says, also when it is given it anew: then there is nothing to wait for. */
const WAIT = 'until test -e killed; do sleep 0.1; done'

type Editor = AsyncDisposable & { readonly client: TestClient; readonly wrapper: ChildProcess }

export async function checkAcpWrapper(checks: Checks, place: Place): Promise<void> {
  await using opencode = await openProgram('opencode', place.model)
  if (opencode === undefined) return checks.note('opencode could not be installed: not checked')
  const { command } = await opencode.options('fresh')
  const { check } = checks
  /** What the agent's model was told with the prompt. */
  const told = (prompt: string) =>
    place.model.seen
      .map((messages) => spoken(messages).join('\n'))
      .filter((text) => text.includes(prompt))
      .join('\n')

  let sessionId = ''
  let first: readonly string[] = []
  {
    await using editor = await openEditor(place, opencode, 'fresh')
    const { client, wrapper } = editor
    await check('the editor prompts, and the answer comes as updates', async () => {
      const opened = { cwd: place.project, mcpServers: [] }
      sessionId = (await client.request<{ sessionId: string }>('session/new', opened)).sessionId
      await prompt(client, sessionId, 'The word is heron. <<answer Noted.>>')
      assert.equal(saidBy(client.updates, 'agent_message_chunk').trim(), 'Noted.')
    })
    await check(
      'the agent is killed in the middle of a tool: load, and the next prompt goes on',
      async () => {
        const call = { command: WAIT, description: 'as asked', timeout: 30_000 }
        const turn = prompt(client, sessionId, `Wait. <<call bash ${JSON.stringify(call)}>>`)
        const failed = assert.rejects(turn, /ended in the middle of its work/)
        await client.until(
          ({ sessionUpdate, rawInput }) =>
            sessionUpdate.startsWith('tool_call') && JSON.stringify(rawInput ?? {}).includes(WAIT),
        )
        for (const pid of await childrenOf(command, wrapper.pid)) process.kill(pid, 'SIGKILL')
        await writeFile(join(place.project, 'killed'), '')
        await failed
        const replay = await load(client, place, sessionId)
        assert.match(saidBy(replay, 'user_message_chunk'), /The word is heron[^]*Wait\./)
        assert.deepEqual(unsettled(replay), [])
        await prompt(client, sessionId, 'After that. <<answer Back.>>')
        assert.match(told('After that.'), /The word is heron/)
        first = idsIn(await load(client, place, sessionId))
      },
    )
    await check('every message fits the schema of the protocol', () =>
      assert.deepEqual(client.faults, []),
    )
    wrapper.kill('SIGKILL')
  }

  await using editor = await openEditor(place, opencode, 'fresh')
  const { client } = editor
  await check(
    'the wrapper is killed and the agent has lost its memory: all is replayed, alike',
    async () => {
      const replay = await load(client, place, sessionId)
      assert.deepEqual(idsIn(replay), first)
      assert.match(saidBy(replay, 'agent_message_chunk'), /Noted\.[^]*Back\./)
      await prompt(client, sessionId, 'Second life. <<answer Still here.>>')
      assert.match(told('Second life.'), /The word is heron/)
    },
  )
  await check('what the agent cannot is offered: list, fork at a message, rewind', async () => {
    const { sessions } = await client.request<{ sessions: { sessionId: string }[] }>('session/list')
    assert.deepEqual(
      sessions.map((each) => each.sessionId),
      [sessionId],
    )
    const fork = await client.request<{ sessionId: string }>('session/fork', {
      sessionId,
      cwd: place.project,
      mcpServers: [],
      _meta: { reprise: { atMessageId: first.at(-1) } },
    })
    assert.notEqual(fork.sessionId, sessionId)
    await client.request('_reprise/session/rewind', { sessionId, messageId: first[0] })
    await prompt(client, sessionId, 'Anew. <<answer Hello.>>')
    assert.doesNotMatch(told('Anew.'), /heron/)
    assert.deepEqual(client.faults, [])
  })
  await editor[Symbol.asyncDispose]()
  await check('the log is whole', async () => {
    await assertHealthy(place.reprise(), sessionId as Parameters<typeof assertHealthy>[1])
  })
}

async function openEditor(
  place: Place,
  program: AcpProgram,
  home: 'kept' | 'fresh',
): Promise<Editor> {
  const { command, args = [], env } = await program.options(home)
  const agent = [command, ...args].map((word) => JSON.stringify(word)).join(' ')
  const wrapper = spawn(PROGRAM, ['acp', '--allow-all', '--home', place.home, '--agent', agent], {
    cwd: place.project,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { PATH: process.env['PATH'], NODE_NO_WARNINGS: '1', ...env },
  })
  const ended = once(wrapper, 'exit')
  const client = await connectClient(wrapper.stdout, wrapper.stdin)
  return {
    client,
    wrapper,
    async [Symbol.asyncDispose]() {
      client.leave()
      await ended
    },
  }
}

const prompt = (client: TestClient, sessionId: string, text: string) =>
  client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })

/** The updates that a load replays. */
async function load(client: TestClient, place: Place, sessionId: string): Promise<Told[]> {
  client.updates.length = 0
  await client.request('session/load', { sessionId, cwd: place.project, mcpServers: [] })
  return [...client.updates]
}

const saidBy = (updates: readonly Told[], kind: string): string =>
  updates
    .filter(({ sessionUpdate }) => sessionUpdate === kind)
    .map(({ content }) => (content as { text?: string }).text ?? '')
    .join('\n')

const idsIn = (updates: readonly Told[]): string[] =>
  updates.flatMap(({ messageId }) => (typeof messageId === 'string' ? [messageId] : []))

function unsettled(updates: readonly Told[]): unknown[] {
  const status = new Map<unknown, unknown>()
  for (const { sessionUpdate, toolCallId, status: now } of updates)
    if (sessionUpdate.startsWith('tool_call') && now !== undefined) status.set(toolCallId, now)
  return [...status].filter(([, now]) => now !== 'completed' && now !== 'failed')
}
