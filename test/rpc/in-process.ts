/** A server in this process, with a scripted agent, and clients that speak to it in plain JSON-RPC. */
import { connect as connectTo, createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { PermissionPolicy } from '../../src/engine/agent.ts'
import { createEngine } from '../../src/engine/engine.ts'
import type { Hook } from '../../src/engine/hook.ts'
import { openClientSession } from '../../src/fs/client-session.ts'
import { openDisk } from '../../src/fs/disk.ts'
import { sessionDir } from '../../src/format/paths.ts'
import { contentLength } from '../../src/lib/json-rpc/content-length.ts'
import { defaultLimits, type Limits } from '../../src/surfaces/rpc/limits.ts'
import type { AgentWish, OpenedHost, ServerParts } from '../../src/surfaces/rpc/parts.ts'
import { serve } from '../../src/surfaces/rpc/serve.ts'
import { createServer, type Server } from '../../src/surfaces/rpc/server.ts'
import { withRemote } from '../../src/wiring/follow-remote.ts'
import { openHome, scripted, type Home, type Script } from '../support/engine.ts'

export interface Served extends AsyncDisposable {
  readonly home: Home
  readonly server: Server
  readonly wishes: AgentWish[]
  readonly logged: string[]
  /** Connected and trusted, unless the server has a token. */
  connect(): RawClient
}

export type ServedOptions = {
  readonly script?: Script
  readonly limits?: Partial<Limits>
  readonly idleTimeoutMs?: number
  readonly token?: string
  readonly hooks?: readonly Hook[]
}

export async function startServer(options: ServedOptions = {}): Promise<Served> {
  const home = await openHome()
  const wishes: AgentWish[] = []
  const logged: string[] = []
  const fs = openDisk(home.path)
  const hooks = options.hooks ?? []
  const policyWith = (ask: PermissionPolicy): PermissionPolicy => ask
  const open = (own = fs): Promise<OpenedHost> =>
    Promise.resolve({
      // As the server of the program has it.
      engine: withRemote(
        createEngine({
          fs: own,
          cwd: home.path,
          hooks,
          agent: scripted(options.script),
          answersQuestions: true,
          policy: () => ({ kind: 'deny', by: 'nobody' }),
        }),
        {},
      ),
      hooks: async () => hooks,
      policyWith,
    })
  const parts: ServerParts = {
    version: 'test',
    catalogue: createEngine({ cwd: home.path, fs }),
    cwd: home.path,
    builtinTools: async () => [],
    tellsEndpoints: false,
    secrets: new Set(),
    openHost: () => open(),
    openClientHost: (id, { conventions, sessionStatePath, capabilities }, call) =>
      open(
        openClientSession(call, sessionDir(id), { conventions, sessionStatePath, capabilities }),
      ),
    agentFor(wish) {
      wishes.push(wish)
      return Promise.resolve(scripted(options.script))
    },
    settings: { read: async () => ({}), change: async () => {}, forget: () => {} },
    namedPlugins: { builtin: [], additional: [] },
    guidance: {},
    models: () => Promise.resolve([{ id: 'test-model', contextWindow: 1000 }]),
    startExtension: () => Promise.reject(new Error('No extensions here.')),
    prepare: async () => undefined,
    log: (level, message) => logged.push(`${level}: ${message}`),
    limits: { ...defaultLimits, ...options.limits },
    permissionMode: 'manual',
    ...(options.idleTimeoutMs !== undefined && { idleTimeoutMs: options.idleTimeoutMs }),
  }
  const server = createServer(parts)
  const { token } = options
  const door = createNetServer((socket) =>
    serve(server, { input: socket, output: socket, ...(token !== undefined && { token }) }),
  )
  const path = join(home.path, 'door')
  await new Promise<void>((resolve) => door.listen(path, resolve))
  return {
    home,
    server,
    wishes,
    logged,
    connect: () => rawClient(connectTo(path)),
    async [Symbol.asyncDispose]() {
      await server.stop()
      door.close()
      for (const { peer } of server.clients) peer.close('The test is over.')
      await home[Symbol.asyncDispose]()
    },
  }
}

export type WireFailure = {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}
export type Told = { readonly method: string; readonly params: Readonly<Record<string, never>> }
export type WireEvent = {
  readonly type: string
  readonly id: string
  readonly data: Readonly<Record<string, never>>
  readonly ephemeral?: true
  readonly parentId: string | null
}

export class Refused extends Error {
  readonly failure: WireFailure
  constructor(failure: WireFailure) {
    super(failure.message)
    this.failure = failure
  }
}

export interface RawClient {
  readonly stream: Duplex
  /** Everything that was told, in its order. */
  readonly told: Told[]
  readonly ended: Promise<unknown>
  call<T = Readonly<Record<string, unknown>>>(method: string, params?: object): Promise<T>
  /** The code with which a call is refused. */
  refusal(method: string, params?: object): Promise<WireFailure>
  /** What the client answers to a request of the server. */
  answer(method: string, handler: (params: never) => unknown): void
  /** The nth event of this type of a session; those that came before count. */
  event(sessionId: string, type: string, nth?: number): Promise<WireEvent>
  events(sessionId: string): readonly WireEvent[]
  send(message: unknown): void
  /** Answers that belong to no call, as to a message without a usable id. */
  readonly strays: unknown[]
}

export function rawClient(stream: Duplex): RawClient {
  const reader = contentLength.openReader(1 << 30)
  const waiting = new Map<number, PromiseWithResolvers<never>>()
  const handlers = new Map<string, (params: never) => unknown>()
  const told: Told[] = []
  const strays: unknown[] = []
  const watchers = new Set<() => void>()
  let count = 0
  const send = (message: unknown) =>
    void (stream.destroyed || stream.write(contentLength.encode(message)))

  async function serveBack(id: unknown, method: string, params: never): Promise<void> {
    try {
      const handler = handlers.get(method)
      if (handler === undefined) throw new Error(`no handler for ${method}`)
      send({ jsonrpc: '2.0', id, result: (await handler(params)) ?? null })
    } catch (error) {
      send({ jsonrpc: '2.0', id, error: { code: -32603, message: String(error) } })
    }
  }
  function take(message: Readonly<Record<string, unknown>>): void {
    const { id, method, params, result, error } = message
    if (typeof method === 'string') {
      if (id !== undefined) return void serveBack(id, method, params as never)
      told.push({ method, params: params as never })
      for (const look of watchers) look()
      return
    }
    const call = waiting.get(id as number)
    if (call === undefined) return void strays.push(message)
    waiting.delete(id as number)
    if (error === undefined) call.resolve(result as never)
    else call.reject(new Refused(error as WireFailure))
  }
  stream.on('data', (chunk: Buffer) => {
    for (const body of reader.push(chunk)) take(JSON.parse(body) as never)
  })
  stream.on('error', () => {})
  const ended = new Promise((resolve) => stream.once('close', resolve)).then(() => {
    for (const { reject } of waiting.values()) reject(new Error('the connection ended'))
  })
  const client: RawClient = {
    stream,
    told,
    strays,
    ended,
    send,
    call(method, params = {}) {
      const id = ++count
      const call = Promise.withResolvers<never>()
      waiting.set(id, call)
      send({ jsonrpc: '2.0', id, method, params })
      return call.promise
    },
    async refusal(method, params) {
      try {
        await client.call(method, params)
      } catch (error) {
        if (error instanceof Refused) return error.failure
        throw error
      }
      throw new Error(`${method} was not refused`)
    },
    answer: (method, handler) => void handlers.set(method, handler),
    events: (sessionId) =>
      told.flatMap(({ method, params }) =>
        method === 'session.event' && params['sessionId'] === sessionId
          ? [params['event'] as unknown as WireEvent]
          : [],
      ),
    event: (sessionId, type, nth = 1) =>
      new Promise((resolve) => {
        const look = () => {
          const found = client.events(sessionId).filter((event) => event.type === type)[nth - 1]
          if (found === undefined) return
          watchers.delete(look)
          resolve(found)
        }
        watchers.add(look)
        look()
      }),
  }
  return client
}

/** A session of this client, by its id. */
export async function createdBy(client: RawClient, config: object = {}): Promise<string> {
  const { sessionId } = await client.call<{ sessionId: string }>('session.create', config)
  return sessionId
}

/** Sends a message and waits for the end of its turn. */
export const said = (client: RawClient, sessionId: string, prompt: string): Promise<unknown> =>
  client.call('session.send', { sessionId, prompt, wait: true })
