/**
 * Undo means the same on every surface: one history is made, taken back, brought back, and taken back without its
 * files, through each of them, and the same files are found afterwards.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { approveAll } from '@github/copilot-sdk'
import { openEngine } from '../../src/index.ts'
import { connectClient, startServer } from '../acp/place.ts'
import { makeRpcPlace } from '../rpc/place.ts'
import { PROGRAM } from '../support/program.ts'
import { api } from '../web/web.ts'
import { makePlace } from './cli.ts'
import { idle, openDesk, skip } from './tmux.ts'

/** How one surface does what all of them can. */
type Surface = {
  readonly project: string
  /** The session's own folder; it may be there only after the first message. */
  folder(): string
  say(prompt: string): Promise<unknown>
  undo(): Promise<unknown>
  undoKeepingFiles(): Promise<unknown>
  redo(): Promise<unknown>
}

const BEFORE = { 'edited.txt': 'old\n', 'gone.txt': 'gone\n' }
const FIRST = { ...BEFORE, 'first.txt': 'first\n', 'plan.md': 'plan A\n', 'files/a.md': 'one\n' }
const { 'gone.txt': _gone, ...rest } = FIRST
const SECOND = {
  ...rest,
  'edited.txt': 'new\n',
  'made.txt': 'made\n',
  'plan.md': 'plan B\n',
  'files/a.md': 'two\n',
  'files/late.md': 'late\n',
  'research/found.md': 'found\n',
}

async function isTheSame(surface: Surface): Promise<void> {
  for (const [name, text] of Object.entries(BEFORE))
    writeFileSync(join(surface.project, name), text)
  await surface.say('write first.txt: first\nplan: plan A')
  await surface.say(`run cd '${surface.folder()}' && echo one > files/a.md`)
  assert.deepEqual(filesOf(surface), FIRST, 'the first turns')
  await surface.say(
    [
      'write made.txt: made',
      'edit edited.txt: old >>> new',
      'run rm gone.txt',
      'plan: plan B',
      `run cd '${surface.folder()}' && echo two > files/a.md && echo late > files/late.md && echo found > research/found.md`,
    ].join('\n'),
  )
  assert.deepEqual(filesOf(surface), SECOND, 'the last turn')
  await surface.undo()
  assert.deepEqual(filesOf(surface), FIRST, 'undo')
  await surface.redo()
  assert.deepEqual(filesOf(surface), SECOND, 'redo')
  await surface.undoKeepingFiles()
  assert.deepEqual(filesOf(surface), SECOND, 'undo without files')
  await surface.redo()
  assert.deepEqual(filesOf(surface), SECOND, 'redo of an undo without files')
  assert.equal(prompts(surface.folder()), 3)
  await surface.undo()
  assert.deepEqual(filesOf(surface), FIRST, 'undo again')
  assert.equal(prompts(surface.folder()), 2)
}

/** Of the project and of the session itself. */
const filesOf = ({ project, folder }: Surface): Record<string, string> => ({
  ...textsIn(project, readdirSync(project)),
  ...textsIn(folder(), ['plan.md', 'files', 'research']),
})

function textsIn(folder: string, names: readonly string[]): Record<string, string> {
  const texts: Record<string, string> = {}
  for (const name of names) {
    const path = join(folder, name)
    if (!existsSync(path)) continue
    if (!statSync(path).isDirectory()) texts[name] = readFileSync(path, 'utf8')
    else {
      const inside = readdirSync(path).map((each) => `${name}/${each}`)
      Object.assign(texts, textsIn(folder, inside))
    }
  }
  return texts
}

const prompts = (folder: string): number =>
  readFileSync(join(folder, 'events.jsonl'), 'utf8').match(/^\{"type":"user\.message"/gm)?.length ??
  0

const own = (home: string, id: string) => join(home, 'session-state', id)

test('on the command line', async () => {
  using place = makePlace()
  const id = crypto.randomUUID()
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await place.run(args)
    assert.equal(code, 0, stderr)
    return stdout
  }
  const surface: Surface = {
    project: place.project,
    folder: () => own(place.home, id),
    say: (prompt) => run('--resume', id, '--allow-all', '-p', prompt),
    undo: () => run('sessions', 'undo', id),
    undoKeepingFiles: async () =>
      assert.match(
        await run('sessions', 'undo', id, '--keep-files'),
        /Files were left as they are/,
      ),
    redo: () => run('sessions', 'redo', id),
  }
  await isTheSame(surface)

  await run('sessions', 'redo', id)
  const preview = await run('sessions', 'rewind', id, '--turn', '3', '--preview')
  assert.match(preview, /gone\.txt deleted .* would be restored/)
  assert.match(preview, /plan\.md of the session modified .* would be restored/)
  writeFileSync(join(place.project, 'edited.txt'), 'mine\n')
  const told = await run('sessions', 'rewind', id, '--turn', '3', '--yes', '--files')
  assert.match(told, /made\.txt/)
  assert.match(told, /Left alone: edited\.txt \(changed since\)/)
  assert.deepEqual(filesOf(surface), { ...FIRST, 'edited.txt': 'mine\n' })
})

test('in a fork, with what was changed before it', async () => {
  using place = makePlace()
  const [source, fork] = [crypto.randomUUID(), 'the fork']
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await place.run(args)
    assert.equal(code, 0, stderr)
    return stdout
  }
  const texts = () => textsIn(place.project, readdirSync(place.project))
  const say = (prompt: string) => run('--resume', source, '--allow-all', '-p', prompt)
  writeFileSync(join(place.project, 'gone.txt'), 'gone\n')
  await say('write a.txt: one')
  await say('run rm gone.txt && echo two > a.txt')
  await run('sessions', 'fork', source, '--name', fork)
  const told = await run('sessions', 'undo', fork)
  assert.match(told, /restored: a\.txt, gone\.txt/)
  assert.deepEqual(texts(), { 'a.txt': 'one\n', 'gone.txt': 'gone\n' })
  await run('sessions', 'redo', fork)
  assert.deepEqual(texts(), { 'a.txt': 'two\n' })
  await say('write a.txt: three')
  assert.match(await run('sessions', 'undo', fork, '2'), /Left alone: a\.txt \(changed since\)/)
  assert.deepEqual(texts(), { 'a.txt': 'three\n', 'gone.txt': 'gone\n' })
})

test('over JSON-RPC, by the commands undo and redo', async () => {
  await using place = makeRpcPlace()
  const session = await place.client().createSession({ onPermissionRequest: approveAll })
  const invoke = (name: string, input = '') => session.rpc.commands.invoke({ name, input })
  await isTheSame({
    project: place.project,
    folder: () => own(place.home, session.sessionId),
    say: (prompt) => session.sendAndWait({ prompt }),
    undo: () => invoke('undo'),
    undoKeepingFiles: () => invoke('undo', '--keep-files'),
    redo: () => invoke('redo'),
  })
})

test('over JSON-RPC, where history.rewind obeys its mode and history.truncate touches no file', async () => {
  await using place = makeRpcPlace()
  const session = await place.client().createSession({ onPermissionRequest: approveAll })
  const { history, commands } = session.rpc
  const last = async () => (await history.listRewindPoints()).points.at(-1)?.eventId ?? ''
  const rewind = async (mode: 'conversation' | 'conversation-and-files') => {
    const { outcome } = await history.rewind({ eventId: await last(), mode })
    assert.equal(outcome, 'success')
  }
  const surface = {
    project: place.project,
    folder: () => own(place.home, session.sessionId),
    say: (prompt: string) => session.sendAndWait({ prompt }),
    undo: () => rewind('conversation-and-files'),
    undoKeepingFiles: () => rewind('conversation'),
    redo: () => commands.invoke({ name: 'redo' }),
  }
  await isTheSame(surface)
  await surface.redo()
  await history.truncate({ eventId: await last() })
  assert.deepEqual(filesOf(surface), SECOND)
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
    await isTheSame({
      project,
      folder: () => own(join(base, 'sessions'), sessionId),
      say,
      undo: () => say('/undo'),
      undoKeepingFiles: () => say('/undo --keep-files'),
      redo: () => say('/redo'),
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
    const post = async <T>(path: string, given: object = {}) => {
      const headers = { authorization: `Bearer ${token}` }
      const { status, body } = await api<T>(port, `/api/sessions${path}`, given, headers)
      assert.ok(status < 300, JSON.stringify(body))
      return body
    }
    const { sessionId: id } = await post<{ sessionId: string }>('')
    await isTheSame({
      project,
      folder: () => own(home, id),
      say: (prompt) => post(`/${id}/send`, { prompt, wait: true }),
      undo: () => post(`/${id}/undo`),
      undoKeepingFiles: () => post(`/${id}/undo`, { mode: 'conversation' }),
      redo: () => post(`/${id}/redo`),
    })
  } finally {
    const ended = once(server, 'exit')
    server.kill('SIGTERM')
    await ended
  }
})

test('in the library', async () => {
  using place = temporary()
  const { home, project } = place
  const engine = await openEngine({ home, policy: () => ({ kind: 'allow', by: 'policy' }) })
  try {
    const session = await engine.create({ cwd: project })
    await isTheSame({
      project,
      folder: () => own(home, session.id),
      say: async (prompt) => (await session.send({ prompt })).ended,
      undo: () => session.undo(),
      undoKeepingFiles: () => session.undo({ mode: 'conversation' }),
      redo: () => session.redo(),
    })
  } finally {
    await engine.stop()
  }
})

test('in the terminal', { skip }, async () => {
  using desk = openDesk()
  const sessions = join(desk.home, 'session-state')
  const id = () => (existsSync(sessions) ? (readdirSync(sessions)[0] ?? '') : '')
  /** In a window of its own: what an earlier one said is not on the screen. */
  const order = async (text: string, answer: RegExp | (() => Promise<void>)) => {
    const window = desk.open(['--allow-all', ...(id() === '' ? [] : ['--resume', id()])])
    // High enough for all that is said.
    window.resize(120, 120)
    await window.shows(idle)
    window.paste(text)
    window.press('Enter')
    await (answer instanceof RegExp ? window.shows(answer) : answer())
    await window.shows(idle)
    window.close()
  }
  const ended = () => {
    const log = join(sessions, id(), 'events.jsonl')
    return existsSync(log) ? readFileSync(log, 'utf8').split('"assistant.turn_end"').length : 1
  }
  /** A turn may be over before the screen was drawn in between: the log tells its end. */
  const say = (prompt: string) => {
    const before = ended()
    return order(prompt, async () => {
      while (ended() === before) await delay(50)
    })
  }
  await isTheSame({
    project: desk.project,
    folder: () => join(sessions, id()),
    say,
    undo: () => order('/undo', /Files (?:restored|removed)/),
    undoKeepingFiles: () => order('/undo --keep-files', /Files were left as they are/),
    redo: () => order('/redo', /came back/),
  })
})

/** Folders of one test. */
function temporary() {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'reprise-undo-')))
  const [home, project] = [join(base, 'home'), join(base, 'project')]
  mkdirSync(project)
  const remove = () => rmSync(base, { recursive: true, force: true })
  return { base, home, project, [Symbol.dispose]: remove }
}
