/**
 * One session says a thousand things, each durable, and fifty clients on sockets are told of each. The clients are in
 * a process of their own, so that the processor time is that of the server alone.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync } from 'node:fs'
import { connect, createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import type { Agent } from '../../src/engine/agent.ts'
import { createEngine } from '../../src/engine/engine.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { contentLength } from '../../src/lib/json-rpc/content-length.ts'
import { defaultLimits } from '../../src/surfaces/rpc/limits.ts'
import { serve } from '../../src/surfaces/rpc/serve.ts'
import { createServer } from '../../src/surfaces/rpc/server.ts'
import type { Sample } from '../measure.ts'
import { timedAsync } from '../timed.ts'

const EVENTS = 1000
const CLIENTS = 50
const MESSAGE = '"type":"assistant.message"'
const JOINED = '"id":1,'

type Meeting = { readonly path: string; readonly sessionId: string }

export async function broadcast({ home }: { home: string }): Promise<Sample> {
  mkdirSync(home, { recursive: true })
  const meeting = { path: join(home, `door-${process.pid}`), sessionId: crypto.randomUUID() }
  const server = talkingServer(home)
  const door = createNetServer((socket) => serve(server, { input: socket, output: socket }))
  await new Promise<void>((resolve) => door.listen(meeting.path, resolve))
  const listeners = startListeners(meeting)
  await once(listeners, 'message')
  const before = process.cpuUsage()
  const { ms } = await timedAsync(async () => {
    const speaker = connect(meeting.path)
    const params = { sessionId: meeting.sessionId, prompt: 'Talk.' }
    speaker.write(contentLength.encode({ jsonrpc: '2.0', id: 1, method: 'session.send', params }))
    await once(listeners, 'message')
  })
  const { user, system } = process.cpuUsage(before)
  listeners.kill()
  setImmediate(() => process.exit(0)) // sockets would keep the probe
  return { ms, cpuMs: (user + system) / 1000 }
}

function talkingServer(home: string) {
  const fs = openDisk(home)
  const agent: Agent = {
    name: 'talking',
    async *run() {
      for (let at = 0; at < EVENTS; at++) {
        const data = { messageId: String(at), content: `Message ${at} of a turn.` }
        yield { draft: { type: 'assistant.message' as const, data } }
      }
    },
  }
  const engine = createEngine({ fs, cwd: home, agent, answersQuestions: true })
  return createServer({
    version: '0.0.0',
    catalogue: createEngine({ cwd: home, fs }),
    cwd: home,
    openHost: () => Promise.resolve({ engine, hooks: async () => [], policyWith: (ask) => ask }),
    openClientHost: () => Promise.reject(new Error('not here')),
    agentFor: () => Promise.resolve(agent),
    settings: { read: async () => ({}), change: async () => {}, forget: () => {} },
    namedPlugins: { builtin: [], additional: [] },
    guidance: {},
    models: () => Promise.resolve([]),
    builtinTools: () => Promise.resolve([]),
    tellsEndpoints: false,
    secrets: new Set(),
    startExtension: () => Promise.reject(new Error('No extensions here.')),
    prepare: async () => undefined,
    log: () => {},
    limits: defaultLimits,
    permissionMode: 'manual',
  })
}

/** The same program with another probe. It says once that all have joined, and once that all were told of everything. */
function startListeners(meeting: Meeting): ChildProcess {
  const [program = '', module = ''] = process.argv.slice(1)
  const args = [program, module, 'listenAll', JSON.stringify(meeting)]
  return spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
}

export async function listenAll({ path, sessionId }: Meeting): Promise<Sample> {
  const all = Promise.withResolvers<void>()
  let left = EVENTS * CLIENTS
  for (let at = 0; at < CLIENTS; at++) {
    const socket = connect(path)
    const reader = contentLength.openReader(1 << 30)
    const joined = Promise.withResolvers<void>()
    socket.on('data', (chunk: Buffer) => {
      for (const body of reader.push(chunk)) {
        if (body.includes(MESSAGE)) left -= 1
        else if (body.includes(JOINED)) joined.resolve()
      }
      if (left === 0) all.resolve()
    })
    const method = at === 0 ? 'session.create' : 'session.resume'
    socket.write(contentLength.encode({ jsonrpc: '2.0', id: 1, method, params: { sessionId } }))
    await joined.promise
  }
  process.send?.('joined')
  await all.promise
  process.send?.('told')
  return {}
}
