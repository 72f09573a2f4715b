/** Commands that the agent and the user's extensions offer are in the table of every surface, beside ours. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { approveAll } from '@github/copilot-sdk'
import { connectClient, startServer } from '../acp/place.ts'
import { makeRpcPlace } from '../rpc/place.ts'
import { PROGRAM } from '../support/program.ts'
import { api } from '../web/web.ts'
import { makePlace } from './cli.ts'

const AGENT = `"${process.execPath}" "${join(import.meta.dirname, '../acp-agent/agent.ts')}" --can commands`
const WEAVE = 'Weave $ARGUMENTS with care'

/** An extension with a command, and one like it that nobody has enabled. */
function putExtensions(home: string): void {
  const put = (path: string, text: string) => {
    mkdirSync(dirname(join(home, path)), { recursive: true })
    writeFileSync(join(home, path), text)
  }
  put('.reprise/config.json', JSON.stringify({ extensions: { enabled: ['loom'] } }))
  for (const name of ['loom', 'asleep']) put(`.reprise/extensions/${name}/extension.json`, '{}')
  put('.reprise/extensions/loom/commands/weave.md', WEAVE)
  put('.reprise/extensions/asleep/commands/snore.md', 'Snore')
}

const offered = (commands: readonly { readonly name: string }[]): string[] =>
  commands.map(({ name }) => name).filter((name) => ['review', 'weave', 'snore'].includes(name))

test('in the web API, whether the agent has to come up or is there', async () => {
  using place = temporary()
  const { base, home } = place
  putExtensions(home)
  const server = spawn(
    PROGRAM,
    ['web', '--home', home, '--agent', AGENT, '--no-open', '--port', '0'],
    {
      cwd: base,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], HOME: base, XDG_CACHE_HOME: join(base, 'cache') },
    },
  )
  try {
    const [link] = (await once(createInterface(server.stdout), 'line')) as [string]
    const token = readFileSync(join(home, '.reprise/web-token'), 'utf8').trim()
    const headers = { authorization: `Bearer ${token}` }
    const ask = async <T>(path: string, given?: object) =>
      (await api<T>(Number(new URL(link).port), `/api${path}`, given, headers)).body
    const { sessionId } = await ask<{ sessionId: string }>('/sessions', {})
    const list = async (query = '') =>
      offered(
        (await ask<{ commands: { name: string }[] }>(`/sessions/${sessionId}/commands${query}`))
          .commands,
      )
    assert.deepEqual(await list(), ['weave'], 'no agent is started for it')
    assert.deepEqual(await list('?agent=true'), ['weave', 'review'])
    assert.deepEqual(await list('?agent=true'), ['weave', 'review'], 'it is told once by the agent')
    type Given = { message?: string }
    const typed = (text: string) => ask<Given>(`/sessions/${sessionId}/command`, { text })
    assert.equal((await typed('/review all')).message, '/review all')
    assert.match((await typed('/weave wool')).message ?? '', /Weave wool with care$/)
  } finally {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }
})

test('over JSON-RPC', async () => {
  await using place = makeRpcPlace()
  putExtensions(place.home)
  const session = await place.client().createSession({ onPermissionRequest: approveAll })
  const { commands } = await session.rpc.commands.list()
  assert.deepEqual(offered(commands), ['weave'])
  const done = await session.rpc.commands.invoke({ name: 'weave', input: 'wool' })
  assert.match(done.kind === 'agent-prompt' ? done.prompt : '', /Weave wool with care$/)
})

test('over ACP', async () => {
  using place = temporary()
  const { base } = place
  putExtensions(join(base, 'sessions'))
  const server = startServer(base, ['--allow-all'])
  const client = await connectClient(server.stdout!, server.stdin!)
  try {
    await client.request('session/new', { cwd: base, mcpServers: [] })
    const told = await client.until((each) => each.sessionUpdate === 'available_commands_update')
    assert.deepEqual(offered(told['availableCommands'] as { name: string }[]), ['weave'])
  } finally {
    const ended = once(server, 'exit')
    client.leave()
    await ended
  }
})

test('with -p', async () => {
  using place = makePlace()
  putExtensions(place.home)
  const id = crypto.randomUUID()
  const { code, stderr } = await place.run(['--resume', id, '--allow-all', '-p', '/weave wool'])
  assert.equal(code, 0, stderr)
  const log = readFileSync(join(place.home, 'session-state', id, 'events.jsonl'), 'utf8')
  assert.match(log, /Weave wool with care"/)
})

function temporary() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'reprise-offered-')))
  const remove = () => rmSync(base, { recursive: true, force: true })
  return { base, home: join(base, 'home'), [Symbol.dispose]: remove }
}
