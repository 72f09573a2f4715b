/** The files and the terminals of the editor are used when it offers them, by our own tools and by other agents. */
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { connectClient, startServer, type TestClient } from './place.ts'

const SCRIPTED = `"${process.execPath}" "${join(import.meta.dirname, '../acp-agent/agent.ts')}"`
const ALL = { fs: { readTextFile: true, writeTextFile: true }, terminal: true }

type Params = {
  readonly path: string
  readonly content: string
  readonly command: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly terminalId: string
}

/** Buffers that are not saved yet, and terminals that run what they are given. */
function editorOf(asked: string[]): TestClient['answers'] {
  const buffers = new Map<string, string>()
  const terminals = new Map<string, Promise<{ output: string; exitCode: number }>>()
  const noted =
    (method: string, answer: (params: Params) => unknown) =>
    (params: Params): unknown => {
      asked.push(method)
      return answer(params)
    }
  const run = ({ command, args, cwd }: Params) =>
    new Promise<{ output: string; exitCode: number }>((resolve) => {
      execFile(command, args, { cwd }, (error, stdout) =>
        resolve({ output: stdout, exitCode: error === null ? 0 : Number(error.code) }),
      )
    })
  const answers = {
    'fs/read_text_file': async ({ path }: Params) => ({
      content: buffers.get(path) ?? `unsaved: ${await readFile(path, 'utf8')}`,
    }),
    'fs/write_text_file': async ({ path, content }: Params) => {
      buffers.set(path, content)
      await writeFile(path, content)
      return {}
    },
    'terminal/create': (params: Params) => {
      const terminalId = `terminal-${terminals.size}`
      terminals.set(terminalId, run(params))
      return { terminalId }
    },
    'terminal/wait_for_exit': async ({ terminalId }: Params) => ({
      exitCode: (await terminals.get(terminalId))?.exitCode ?? null,
      signal: null,
    }),
    'terminal/output': async ({ terminalId }: Params) => ({
      output: (await terminals.get(terminalId))?.output ?? '',
      truncated: false,
    }),
    'terminal/release': () => ({}),
  }
  return Object.fromEntries(
    Object.entries(answers).map(([method, answer]) => [method, noted(method, answer)]),
  )
}

async function open(args: readonly string[], capabilities: object) {
  const home = await mkdtemp(join(tmpdir(), 'reprise-acp-'))
  const server = startServer(home, ['--allow-all', ...args])
  const client = await connectClient(server.stdout!, server.stdin!, capabilities)
  const asked: string[] = []
  const killed = Promise.withResolvers<string>()
  client.answers = {
    ...editorOf(asked),
    'terminal/kill': () => {
      asked.push('terminal/kill')
      killed.resolve('terminal/kill')
      return {}
    },
  }
  const { sessionId } = await client.request<{ sessionId: string }>('session/new', {
    cwd: home,
    mcpServers: [],
  })
  return {
    home,
    client,
    asked,
    sessionId,
    killed: killed.promise,
    ask: (text: string) =>
      client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] }),
    said: () => client.wire.map((update) => JSON.stringify(update)).join('\n'),
    async [Symbol.asyncDispose]() {
      client.leave()
      if (server.exitCode === null) await new Promise((ended) => server.once('exit', ended))
      await rm(home, { recursive: true, force: true })
      assert.deepEqual(client.faults, [])
    },
  }
}

it('our own tools read buffers, write through the editor and run in its terminals', async () => {
  await using place = await open([], ALL)
  const { home, client, asked, ask, said } = place
  await writeFile(join(home, 'a.txt'), 'one\n')
  await ask('read a.txt')
  assert.match(said(), /unsaved: one/)
  await ask('run echo in the editor')
  assert.match(said(), /in the editor/)
  assert.ok(
    client.wire.some(({ content }) => JSON.stringify(content ?? '').includes('"terminal-0"')),
    'the terminal is shown in its call',
  )
  assert.deepEqual(asked, [
    'fs/read_text_file',
    'terminal/create',
    'terminal/wait_for_exit',
    'terminal/output',
    'terminal/release',
  ])
})

it('another agent gets them through us', async () => {
  await using place = await open(['--agent', SCRIPTED], ALL)
  const { home, asked, ask, said } = place
  const file = join(home, 'a.txt')
  await writeFile(file, 'one\n')
  await ask(`<<read ${file}>>`)
  assert.match(said(), /unsaved: one/)
  await ask(`<<write ${file}|two>>`)
  assert.equal(await readFile(file, 'utf8'), 'two')
  await ask('<<terminal echo there>>')
  assert.match(said(), /there/)
  assert.deepEqual(
    asked.filter((method) => method !== 'fs/read_text_file'),
    [
      'fs/write_text_file',
      'terminal/create',
      'terminal/wait_for_exit',
      'terminal/output',
      'terminal/release',
    ],
  )
})

it('an editor that offers nothing is asked for nothing', async () => {
  await using place = await open([], {})
  const { home, asked, ask, said } = place
  await writeFile(join(home, 'a.txt'), 'one\n')
  await ask('read a.txt')
  await ask('run echo by ourselves')
  assert.match(said(), /by ourselves/)
  assert.deepEqual(asked, [])
})

it('a command that is cancelled is killed in the editor, also when it does not tell of its end', async () => {
  await using place = await open([], ALL)
  const { client, ask, asked } = place
  const waits = Promise.withResolvers<void>()
  client.answers = {
    ...client.answers,
    'terminal/create': () => ({ terminalId: 'silent' }),
    'terminal/wait_for_exit': () => {
      waits.resolve()
      return new Promise(() => {})
    },
    'terminal/output': () => ({ output: '', truncated: false }),
  }
  const answer = ask('run sleep 1000')
  await waits.promise
  client.notify('session/cancel', { sessionId: place.sessionId })
  assert.equal(((await answer) as { stopReason: string }).stopReason, 'cancelled')
  assert.equal(await place.killed, 'terminal/kill')
  assert.ok(asked.includes('terminal/kill'))
})
