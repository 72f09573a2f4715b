/** The real server in a process of its own: what it prints, what it keeps, and that it may die at any moment. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type * as web from '../../src/surfaces/web/api.ts'
import { api, connect, isReady, raw, until } from './web.ts'
import type { Frame } from './web.ts'

const entry = new URL('../../src/', import.meta.url)

type Running = { readonly child: ChildProcess; readonly link: URL; readonly port: number }

async function start(home: string, ...args: readonly string[]): Promise<Running> {
  const code = `
    import { serveWeb } from '${new URL('serve-web.ts', entry).href}'
    const { env, stdout, stderr } = process
    process.exit(await serveWeb({ argv: process.argv.slice(1), env, version: 'test', stdout, stderr }))`
  const child = spawn(
    process.execPath,
    [
      '--input-type=module',
      '-e',
      code,
      '--',
      '--home',
      home,
      '--agent',
      'offline',
      '--no-open',
      ...args,
    ],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, XDG_CACHE_HOME: join(home, 'cache') },
    },
  )
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const link = new URL(line.toString().trim())
  return { child, link, port: Number(link.port) }
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
    const first = await start(home, '--port', '0')
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
    const idsOf = (frames: readonly Frame[]) =>
      frames.flatMap(({ event, id }) => (event === 'event' && id !== undefined ? [id] : []))

    const watching = await connect(first.port, `${path}/stream`, headers)
    const seen = await until(watching.frames, isReady)
    const rest = until(watching.frames, () => false)
    await send(first.port, 'one')
    const cut = send(first.port, 'two').catch(() => undefined)
    await end(first, 'SIGKILL')
    await cut
    seen.push(...(await rest))

    const second = await start(home, '--port', String(first.port))
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
