/** The real server in a process of its own: what it prints, what it keeps, and that it may die at any moment. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import type * as web from '../../src/surfaces/web/api.ts'
import { PROGRAM } from '../support/program.ts'
import { api, connect, guestOf, idsOf, isReady, raw, until } from './web.ts'

/** Ended with the test, also with one that fails. */
type Running = AsyncDisposable & {
  readonly child: ChildProcess
  readonly link: URL
  readonly port: number
  /** The next line that it prints. */
  readonly line: () => Promise<string>
}

async function start(
  home: string,
  { cwd }: { readonly cwd: string },
  ...args: readonly string[]
): Promise<Running> {
  const child = spawn(
    PROGRAM,
    ['web', '--home', home, '--agent', 'offline', '--no-open', ...args],
    {
      cwd,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, XDG_CACHE_HOME: join(home, 'cache') },
    },
  )
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const line = async () => String((await lines.next()).value)
  const link = new URL(await line())
  const running: Running = {
    child,
    link,
    port: Number(link.port),
    line,
    [Symbol.asyncDispose]: async () => void (child.exitCode ?? (await end(running, 'SIGKILL'))),
  }
  return running
}

async function end({ child }: Running, signal: NodeJS.Signals): Promise<number | null> {
  const closed = once(child, 'exit')
  child.kill(signal)
  const [code] = (await closed) as [number | null]
  return code
}

test('a killed server comes back under its port, and cookies and cursors hold', async () => {
  const home = mkdtempSync(join(tmpdir(), 'reprise-web-'))
  try {
    const first = await start(home, { cwd: home }, '--port', '0')
    const file = join(home, '.reprise/web-token')
    assert.equal(statSync(file).mode & 0o777, 0o600)
    const token = readFileSync(file, 'utf8').trim()
    assert.match(token, /^[\w-]{43}$/)
    assert.ok(!first.link.href.includes(token))
    const login = await raw(first.port, '/api/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: first.link.hash.slice('#code='.length) }),
    })
    const cookie = login.headers['set-cookie']?.[0]?.split(';')[0]
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await api<web.CreatedAnswer>(first.port, '/api/sessions', {}, headers)
    const path = `/api/sessions/${body.sessionId}`
    const send = (port: number, prompt: string) =>
      api(port, `${path}/send`, { prompt, wait: true }, headers)

    const watching = await connect(first.port, `${path}/stream`, headers)
    const seen = await until(watching.frames, isReady)
    const rest = until(watching.frames, () => false)
    await send(first.port, 'one')
    const cut = send(first.port, 'two').catch(() => undefined)
    await end(first, 'SIGKILL')
    await cut
    seen.push(...(await rest))

    const second = await start(home, { cwd: home }, '--port', String(first.port))
    await send(second.port, 'three')
    const again = await connect(second.port, `${path}/stream`, {
      authorization: undefined,
      cookie,
      'last-event-id': idsOf(seen).at(-1),
    })
    seen.push(...(await until(again.frames, isReady)))
    again.close()
    const whole = await api<web.EventsAnswer>(
      second.port,
      `${path}/events?limit=1000`,
      undefined,
      headers,
    )
    assert.deepEqual(
      idsOf(seen),
      whole.body.events.map(({ id }) => id),
    )
    assert.equal((await api(second.port, '/api/search?q=offline', undefined, headers)).status, 200)
    assert.equal((await raw(second.port, '/')).headers['content-type'], 'text/html; charset=utf-8')
    assert.equal(await end(second, 'SIGTERM'), 0)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

test('a session works in the project of its log, wherever the server was started', async () => {
  const home = mkdtempSync(join(tmpdir(), 'reprise-web-'))
  const folders = ['project', 'elsewhere'].map((name) => join(home, name))
  const [project = '', elsewhere = ''] = folders
  try {
    for (const folder of folders) mkdirSync(folder)
    execFileSync('git', ['init', '--quiet', '--initial-branch', 'trunk', project])
    const env = { ...process.env, XDG_CACHE_HOME: join(home, 'cache') }
    const begin = ['-p', 'run pwd', '--allow-all', '--agent', 'offline', '--home', home]
    execFileSync(PROGRAM, begin, { cwd: project, env, stdio: 'ignore' })
    await using running = await start(home, { cwd: elsewhere }, '--port', '0')
    const token = readFileSync(join(home, '.reprise/web-token'), 'utf8').trim()
    const headers = { authorization: `Bearer ${token}` }
    const ask = <T>(path: string, body?: object) => api<T>(running.port, path, body, headers)
    const { sessions } = (await ask<web.SessionsAnswer>('/api/sessions')).body
    const id = sessions[0]?.id ?? ''
    const file = join(home, 'session-state', id, 'workspace.yaml')
    const places = () => readFileSync(file, 'utf8').match(/^(?:cwd|git_root|branch): .*$/gm)
    const before = places()
    assert.deepEqual(before, [`cwd: ${project}`, `git_root: ${project}`, 'branch: trunk'])

    const stream = await connect(running.port, `/api/sessions/${id}/stream`, headers)
    await until(stream.frames, isReady)
    const sent = ask(`/api/sessions/${id}/send`, { prompt: 'run pwd', wait: true })
    const typed = (type: string) => (frame: { readonly data: unknown }) =>
      (frame.data as { type?: string }).type === type
    const seen = await until(stream.frames, typed('permission.requested'))
    const asked = seen.at(-1)?.data as { data: { requestId: string } } | undefined
    const requestId = asked?.data.requestId
    await ask(`/api/sessions/${id}/answer`, { requestId, decision: 'allow' })
    await sent
    seen.push(...(await until(stream.frames, typed('assistant.turn_end'))))
    stream.close()
    const resumed = seen.find(typed('session.resume'))?.data as { data: { context: object } }
    assert.deepEqual(resumed.data.context, { cwd: project, gitRoot: project, branch: 'trunk' })
    const ran = JSON.stringify(seen.find(typed('tool.execution_complete'))?.data)
    assert.ok(ran.includes(project) && !ran.includes(elsewhere), ran)
    assert.deepEqual(places(), before)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

test("a link for guests is printed behind the owner's, outlives the server, and is ended at will", async () => {
  const home = mkdtempSync(join(tmpdir(), 'reprise-web-'))
  try {
    const first = await start(home, { cwd: home }, '--port', '0')
    const file = join(home, '.reprise/web-guest-key')
    assert.equal(existsSync(file), false)
    const token = readFileSync(join(home, '.reprise/web-token'), 'utf8').trim()
    const headers = { authorization: `Bearer ${token}` }
    const { body } = await api<web.CreatedAnswer>(first.port, '/api/sessions', {}, headers)
    const path = `/api/sessions/${body.sessionId}`
    const secret = `ghp_${'x7Kq2LmZ9vTn4RbW1c'}${'Yd8HsJ5gFp3QeA6uXi'}`
    await api(first.port, `${path}/send`, { prompt: `use ${secret}`, wait: true }, headers)
    await end(first, 'SIGTERM')

    const second = await start(home, { cwd: home }, '--port', '0', '--guest', '@latest')
    const [, until = '', link = ''] =
      /^Guest link \(one session, read-only, until (\S+)\): (\S+)$/.exec(await second.line()) ?? []
    assert.ok(Date.parse(until) > Date.now())
    assert.equal(statSync(file).mode & 0o777, 0o600)
    assert.equal(readFileSync(file).length, 32)
    const guest = await guestOf(second, link)
    const seen = (await raw(second.port, `${path}/transcript`, { headers: guest })).text
    assert.match(seen, /use \[REDACTED:/)
    assert.ok(!seen.includes(secret))
    await end(second, 'SIGTERM')

    // A browser has the cookie under the port that it got it from.
    const [, value = ''] = guest.cookie.split('=')
    const read = ({ port }: Running) =>
      raw(port, path, { headers: { cookie: `reprise_guest_${port}=${value}` } })
    const third = await start(home, { cwd: home }, '--port', '0')
    assert.equal((await read(third)).status, 200)
    await end(third, 'SIGTERM')

    const last = await start(
      home,
      { cwd: home },
      '--port',
      '0',
      '--end-guests',
      '--guest',
      body.sessionId,
    )
    assert.equal((await read(last)).status, 401)
    await assert.rejects(guestOf(last, link))
    const [, fresh = ''] = /: (http\S+)$/.exec(await last.line()) ?? []
    assert.equal((await raw(last.port, path, { headers: await guestOf(last, fresh) })).status, 200)
    assert.equal(statSync(file).mode & 0o777, 0o600)
    await end(last, 'SIGTERM')
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})

test('a fresh link of the running server is printed for another browser', async () => {
  const home = mkdtempSync(join(tmpdir(), 'reprise-web-'))
  const env = { ...process.env, XDG_CACHE_HOME: join(home, 'cache') }
  const freshLink = () =>
    spawnSync(PROGRAM, ['web', '--link', '--home', home], { encoding: 'utf8', env })
  try {
    const none = freshLink()
    assert.notEqual(none.status, 0)
    assert.match(none.stderr, /No web server of this home runs/)
    const running = await start(home, { cwd: home }, '--port', '0')
    await using _running = running
    const { stdout, status } = freshLink()
    assert.equal(status, 0)
    const login = (link: URL) =>
      raw(running.port, '/api/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ code: link.hash.slice('#code='.length) }),
      })
    // Two phones and the browser that was opened first: no link takes another's place, each is good once.
    const links = [running.link, new URL(stdout.trim()), new URL(freshLink().stdout.trim())]
    for (const link of links) assert.equal((await login(link)).status, 200)
    for (const link of links) {
      const refused = await login(link)
      assert.equal(refused.status, 401)
      assert.match(refused.text, /reprise web --link/)
    }
    assert.equal(await end(running, 'SIGTERM'), 0)
    assert.match(freshLink().stderr, /No web server of this home runs/)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
})
