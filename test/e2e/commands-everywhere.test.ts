/** The commands of the table mean the same on every surface: one list of them is typed into each, with one effect. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { approveAll } from '@github/copilot-sdk'
import { connectClient, startServer } from '../acp/place.ts'
import { makeRpcPlace } from '../rpc/place.ts'
import { PROGRAM } from '../support/program.ts'
import { api } from '../web/web.ts'
import { makePlace } from './cli.ts'
import { idle, openDesk, skip } from './tmux.ts'

type Surface = {
  readonly home: string
  id(): string
  say(prompt: string): Promise<unknown>
  /** What is shown to whoever typed it; `shows` is waited for where there is no other end. */
  types(text: string, shows: RegExp): Promise<string>
}

type Scenario = readonly [text: string, says: RegExp, after?: (now: Found, before: Found) => void]

/** What the log and the home say. */
type Found = { readonly prompts: number; readonly name: string; readonly sessions: number }

const same = (now: Found, before: Found) => assert.deepEqual(now, before)

const scenarios: readonly Scenario[] = [
  ['/session info', /contents\W+2 turns/, same],
  ['/rename Better name', /"Better name"/, ({ name }) => assert.equal(name, 'Better name')],
  ['/changes', /made\.txt\W+created/, same],
  ['/rewind', /second/, same],
  ['/undo', /Took back 1 turn/, ({ prompts }) => assert.equal(prompts, 1)],
  ['/redo', /1 turn came back/, ({ prompts }) => assert.equal(prompts, 2)],
  ['/context', /makes room/, same],
  ['/context 1', /Turn 1 of 2[^]*No model was asked/, same],
  ['/context 9', /There is no turn 9/, same],
  ['/plan', /There is no plan/, same],
  ['/queue', /Nothing waits/, same],
  ['/mode plan', /Mode: plan/, same],
  ['/chronicle standup 9999d', /Standup since/, same],
  ['/search second', /1 hit|second/, same],
  ['/resume other', /\/resume works in the terminal only/, same],
  ['/undp', /Did you mean \/undo\?/, same],
  ['/undo all', /\/undo wants turns: how many turns, 1 or more; not "all"/, same],
  ['/help undo', /--keep-files/, same],
  ['/fork side road', /"side road" is session/, ({ sessions }) => assert.equal(sessions, 2)],
]

async function meanTheSame(surface: Surface, skipped: readonly string[] = []): Promise<void> {
  await surface.say('write made.txt: made')
  await surface.say('write second.txt: second')
  for (const [text, says, after] of scenarios) {
    if (skipped.includes(text)) continue
    const before = found(surface)
    assert.match(await surface.types(text, says), says, text)
    after?.(found(surface), before)
  }
}

function found({ home, id }: Surface): Found {
  const folder = join(home, 'session-state', id())
  const log = readFileSync(join(folder, 'events.jsonl'), 'utf8')
  const about = readFileSync(join(folder, 'workspace.yaml'), 'utf8')
  return {
    prompts: log.match(/^\{"type":"user\.message"/gm)?.length ?? 0,
    name: /^name: (.*)$/m.exec(about)?.[1] ?? '',
    sessions: readdirSync(join(home, 'session-state')).length,
  }
}

test('with -p', async () => {
  using place = makePlace()
  const id = crypto.randomUUID()
  const run = (prompt: string) => place.run(['--resume', id, '--allow-all', '-p', prompt])
  await meanTheSame({
    home: place.home,
    id: () => id,
    say: run,
    async types(text) {
      const { stdout, stderr } = await run(text)
      return stdout + stderr
    },
  })
  const near = await place.json<{ session: { id: string } }>(['-p', '/session info'])
  assert.match(near.session.id, /^[0-9a-f-]{36}$/)
  const refused = await place.run(['-p', '/undo'])
  assert.equal(refused.code, 2)
  assert.match(refused.stderr, /--continue or --resume/)
  const looked = await place.run(['-p', '/import --dry-run'])
  assert.match(looked.stdout, /No other agent has left sessions on this machine/)
})

test('over JSON-RPC', async () => {
  await using place = makeRpcPlace()
  const session = await place.client().createSession({ onPermissionRequest: approveAll })
  await meanTheSame({
    home: place.home,
    id: () => session.sessionId,
    say: (prompt) => session.sendAndWait({ prompt }),
    async types(text) {
      const [, name = '', input = ''] = /^\/(\S+)\s*(.*)$/.exec(text) ?? []
      const done = await session.rpc.commands
        .invoke({ name, input })
        .catch((error: unknown) => ({ kind: 'text' as const, text: String(error) }))
      return done.kind === 'text' ? done.text : ''
    },
  })
  const { commands } = await session.rpc.commands.list()
  const listed = commands.find(({ name }) => name === 'session')
  assert.ok(listed?.input?.choices?.some(({ name }) => name === 'info'))
  await session.sendAndWait({ prompt: '/session info' })
  const messages = (await session.getEvents()).filter(({ type }) => type === 'user.message')
  assert.equal(messages.length, 3, 'what is sent as a message is one, as with the Copilot CLI')
})

test('over ACP', async () => {
  using place = temporary()
  const { base, project } = place
  const server = startServer(base, ['--allow-all'])
  const client = await connectClient(server.stdout!, server.stdin!)
  try {
    const { sessionId } = await client.request<{ sessionId: string }>('session/new', {
      cwd: project,
      mcpServers: [],
    })
    const say = (text: string) =>
      client.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
    await meanTheSame({
      home: join(base, 'sessions'),
      id: () => sessionId,
      say,
      async types(text) {
        client.updates.length = 0
        await say(text)
        const said = client.updates.filter((each) => each.sessionUpdate === 'agent_message_chunk')
        return said.map(({ content }) => (content as { text: string }).text).join('')
      },
    })
  } finally {
    const ended = once(server, 'exit')
    client.leave()
    await ended
  }
})

test('in the web API', async () => {
  using place = temporary()
  const { base, home, project } = place
  mkdirSync(join(home, '.reprise'), { recursive: true })
  writeFileSync(
    join(home, '.reprise/config.json'),
    JSON.stringify({ permissions: { allow: ['shell', 'write', 'read'] } }),
  )
  const server = spawn(
    PROGRAM,
    ['web', '--home', home, '--agent', 'offline', '--no-open', '--port', '0'],
    {
      cwd: project,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { PATH: process.env['PATH'], HOME: base, XDG_CACHE_HOME: join(base, 'cache') },
    },
  )
  try {
    const [link] = (await once(createInterface(server.stdout), 'line')) as [string]
    const port = Number(new URL(link).port)
    const token = readFileSync(join(home, '.reprise/web-token'), 'utf8').trim()
    const headers = { authorization: `Bearer ${token}` }
    const ask = <T>(path: string, given?: object) => api<T>(port, `/api${path}`, given, headers)
    const { sessionId } = (await ask<{ sessionId: string }>('/sessions', {})).body
    await meanTheSame({
      home,
      id: () => sessionId,
      say: (prompt) => ask(`/sessions/${sessionId}/send`, { prompt, wait: true }),
      async types(text) {
        type Answer = { said?: string; error?: { message: string } }
        const { body } = await ask<Answer>(`/sessions/${sessionId}/command`, { text })
        return body.said ?? body.error?.message ?? ''
      },
    })
    const { commands } = (
      await ask<{ commands: { name: string }[] }>(`/sessions/${sessionId}/commands`)
    ).body
    assert.ok(commands.some(({ name }) => name === 'changes'))
  } finally {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }
})

/** Here these choose from a list, or go elsewhere; test/tui has them. */
const CHOSEN = ['/rewind', '/search second', '/fork side road', '/resume other']

test('in the terminal', { skip }, async () => {
  using desk = openDesk()
  const sessions = join(desk.home, 'session-state')
  const id = () => readdirSync(sessions)[0] ?? ''
  let window = desk.open(['--allow-all'])
  const types = async (text: string, shows: RegExp) => {
    await window.shows(idle)
    window.paste(text)
    window.press('Enter')
    await window.shows(shows)
    return window.text()
  }
  await meanTheSame(
    {
      home: desk.home,
      id,
      async say(prompt) {
        // A quick turn is over before the next look: what it says stays.
        await types(prompt, new RegExp(`❯ ${prompt}[^]*(?:Wrote|esc cancels)`))
        await window.shows(idle)
      },
      async types(text, shows) {
        const last = window
        window = desk.open(['--allow-all', '--resume', id()])
        last.close()
        window.resize(120, 120)
        return types(text, shows)
      },
    },
    CHOSEN,
  )
  window.close()
  window = desk.open(['--allow-all'])
  await types('/import --dry-run', /Nothing is there of|No other agent has left/)
  window.close()
})

function temporary() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'reprise-commands-')))
  const [home, project] = [join(base, 'home'), join(base, 'project')]
  mkdirSync(project)
  const remove = () => rmSync(base, { recursive: true, force: true })
  return { base, home, project, [Symbol.dispose]: remove }
}
