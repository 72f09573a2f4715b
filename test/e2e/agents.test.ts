/** The whole way with a real process and a model on the loopback: tools, kill -9 in the middle, and going on. */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { startModelServer, type Script } from '../model-server/server.ts'
import { makePlace } from './cli.ts'

const modelEnv = { REPRISE_AGENT: 'model', OPENAI_API_KEY: 'not-a-key' }

async function place(script: Script) {
  const here = makePlace()
  const server = await startModelServer(script)
  const env = modelEnv
  for (const [name, value] of [
    ['model.provider', 'openai-compatible'],
    ['model.baseUrl', server.baseUrl],
    ['model.name', 'mock'],
  ] as const) {
    assert.equal((await here.run(['config', 'set', name, value])).code, 0)
  }
  return {
    here,
    server,
    env,
    [Symbol.asyncDispose]: async () => (here[Symbol.dispose](), server[Symbol.asyncDispose]()),
  }
}

test('a turn with a tool, killed in the middle, goes on with --continue and a valid history', async () => {
  await using it = await place([
    { calls: [{ name: 'bash', arguments: { command: 'echo started > started.txt; sleep 60' } }] },
    { text: 'I see that the tool was interrupted.' },
  ])
  const { here, server, env } = it
  const child = here.start(['-p', 'run the long thing', '--allow-all', '--json'], { env })
  const acknowledged: string[] = []
  let buffered = ''
  child.stdout!.on('data', (chunk: Buffer) => {
    buffered += chunk.toString()
    const lines = buffered.split('\n')
    buffered = lines.pop() ?? ''
    for (const line of lines) acknowledged.push((JSON.parse(line) as { id: string }).id)
  })
  const started = join(here.project, 'started.txt')
  await until(() => existsSync(started), child)
  child.kill('SIGKILL')
  await once(child, 'close')
  const next = await here.run(['--continue', '-p', 'what happened?', '--allow-all'], { env })
  assert.equal(next.code, 0, next.stderr)
  assert.match(next.stdout, /interrupted/)
  const [session] = (await here.json<{ sessions: { id: string }[] }>(['sessions', 'list'])).sessions
  const { stdout } = await here.run(['sessions', 'events', session!.id, '--json'])
  const events = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string })
  const ids = events.map(({ id }) => id)
  assert.deepEqual(
    acknowledged.filter((id) => !ids.includes(id)),
    [],
    'something that was shown is gone',
  )
  const last = server.requests.at(-1)!.body as {
    messages: { role: string; tool_calls?: unknown[]; content?: string }[]
  }
  const call = last.messages.findIndex(({ tool_calls }) => tool_calls !== undefined)
  assert.equal(last.messages[call + 1]?.role, 'tool')
  assert.match(last.messages[call + 1]?.content ?? '', /interrupted/)
})

test('what a model did to files is taken back with --files and brought again', async () => {
  await using it = await place([
    { calls: [{ name: 'bash', arguments: { command: 'echo two > a.txt' } }] },
    { text: 'Done.' },
  ])
  const { here, env } = it
  const file = join(here.project, 'a.txt')
  writeFileSync(file, 'one\n')
  assert.equal((await here.run(['-p', 'change it', '--allow-all'], { env })).code, 0)
  assert.equal(readFileSync(file, 'utf8'), 'two\n')
  const blamed = await here.run(['blame', 'a.txt:1'])
  assert.match(blamed.stdout, /change it/)
  const whole = await here.run(['blame', 'a.txt'])
  assert.match(whole.stdout, /^[0-9a-f]{8} {2}change it {2}.*1 {2}two$/m)
  const undone = await here.run(['sessions', 'undo', '@latest', '--files'])
  assert.equal(undone.code, 0, undone.stderr)
  assert.equal(readFileSync(file, 'utf8'), 'one\n')
  await here.run(['sessions', 'redo', '@latest'])
  assert.equal(readFileSync(file, 'utf8'), 'two\n')
})

test('a rule of the configuration decides without asking, and a hook may deny', async () => {
  await using it = await place([
    { calls: [{ name: 'bash', arguments: { command: 'echo allowed > ok.txt' } }] },
    { calls: [{ name: 'bash', arguments: { command: 'touch forbidden.txt' } }] },
    { text: 'Done.' },
  ])
  const { here, env } = it
  await here.run([
    'config',
    'set',
    'hooks.preToolUse',
    JSON.stringify([{ command: 'grep -q forbidden && { echo "not that" >&2; exit 2; } || true' }]),
  ])
  await here.run(['config', 'set', 'permissions.allow', '["shell"]'])
  const { code, stderr } = await here.run(['-p', 'do both'], { env })
  assert.equal(code, 0, stderr)
  assert.equal(existsSync(join(here.project, 'ok.txt')), true)
  assert.equal(existsSync(join(here.project, 'forbidden.txt')), false)
})

test('without a key the failure says what to set', async () => {
  await using it = await place(() => ({ status: 401, message: 'no key' }) as never)
  const { code, stderr } = await it.here.run(['-p', 'hello'], {
    env: { ...it.env, OPENAI_API_KEY: '' },
  })
  assert.equal(code, 8)
  assert.match(stderr, /OPENAI_API_KEY|key/i)
})

test('a model may ask what was said before, and is given it as quoted history', async () => {
  await using it = await place([
    { text: 'The answer is marmalade.' },
    {
      calls: [
        {
          name: 'session_store_sql',
          arguments: { query: 'SELECT user_message, assistant_response FROM turns' },
        },
      ],
    },
    { text: 'Found it.' },
  ])
  const { here, server, env } = it
  await here.run(['-p', 'what is the answer?', '--allow-all'], { env })
  const { code, stderr } = await here.run(['-p', 'what did I ask before?', '--allow-all'], { env })
  assert.equal(code, 0, stderr)
  const { messages } = server.requests.at(-1)!.body as {
    messages: { role: string; content: string }[]
  }
  const result = messages.findLast(({ role }) => role === 'tool')?.content ?? ''
  assert.match(result, /untrusted_history/)
  assert.match(result, /marmalade/)
})

test('a new session is told what the board holds, and a resumed one is not told again', async () => {
  await using it = await place(() => ({ text: 'Noted.' }))
  const { here, server, env } = it
  const added = await here.run(['board', 'add', 'tests', 'Run them with make check.'])
  assert.equal(added.code, 0, added.stderr)
  await here.run(['-p', 'hello', '--allow-all'], { env })
  await here.run(['--continue', '-p', 'again', '--allow-all'], { env })
  const told = server.requests.map(({ raw }) => raw.split('make check').length - 1)
  assert.deepEqual(told, [1, 1])
})

/** Looks again until it is so, for as long as the program runs that is to bring it about. */
async function until(isSo: () => boolean, child: ChildProcess): Promise<void> {
  while (!isSo()) {
    if (child.exitCode !== null) throw new Error(`The program ended with code ${child.exitCode}.`)
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
