/** Clients that hold a stream open and never read: the page goes on for everybody else, in bounded memory. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect as connectTo, type Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { makePlace } from '../e2e/cli.ts'
import { PROGRAM } from '../support/program.ts'
import { api, raw } from './web.ts'

const CLIENTS = 200
/** What is said in all, and at once; each client is told all of it. */
const SAID = 6_000_000
const WORDS = 'all of it '.repeat(20_000)
/** More than everything that is printed, and far less than what is printed times all clients. */
const MOST_GROWTH = 256 * 1024 * 1024

const isLinux = process.platform === 'linux'

test(
  '200 clients that do not read do not stop the page, and cost little memory',
  { skip: isLinux ? false : 'memory of another process is read from /proc', timeout: 240_000 },
  async () => {
    using place = makePlace()
    await place.run(['config', 'set', 'permissions.allow', '["shell(*)"]'])
    const id = await place.session('hello')
    const child = spawn(PROGRAM, ['web', '--no-open', '--port', '0', '--home', place.home], {
      cwd: place.project,
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, REPRISE_AGENT: 'offline', HOME: place.home },
    })
    const sockets: Socket[] = []
    try {
      const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
      const port = Number(new URL(line).port)
      const token = readFileSync(join(place.home, '.reprise/web-token'), 'utf8').trim()
      const headers = { authorization: `Bearer ${token}` }
      const path = `/api/sessions/${id}`
      const work = async (prompt: string) => {
        assert.equal((await raw(port, '/')).status, 200)
        assert.equal((await api(port, '/api/sessions', undefined, headers)).status, 200)
        const sent = await api(port, `${path}/send`, { prompt, wait: true }, headers)
        assert.equal(sent.status, 202)
      }
      await work('run echo first')
      const before = memoryOf(child.pid)
      for (let nth = 0; nth < CLIENTS; nth += 1)
        sockets.push(await deafClient(port, `${path}/stream`, token))
      for (let said = 0; said < SAID; said += WORDS.length) await work(`echo ${WORDS}`)
      const growth = memoryOf(child.pid) - before
      assert.ok(growth < MOST_GROWTH, `${Math.round(growth / 1e6)} MB more`)
      await work('run echo last')
    } finally {
      for (const socket of sockets) socket.destroy()
      child.kill('SIGKILL')
      await once(child, 'exit')
    }
  },
)

/** Resolves when the server has begun to answer; not a byte more is read. */
async function deafClient(port: number, path: string, token: string): Promise<Socket> {
  const socket = connectTo(port, '127.0.0.1')
  socket.on('error', () => {}) // the server may drop it, which is right
  socket.write(
    `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
  )
  await once(socket, 'readable')
  return socket
}

const memoryOf = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
