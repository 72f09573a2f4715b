/** The protocol's own SDK as a client of our server, in this process or in another; every message is checked on its way. */
import { spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough, Readable, Transform, Writable } from 'node:stream'
import { after } from 'node:test'
import { client as secondClient } from '@agentclientprotocol/sdk/experimental/v2/unstable'
import { client as firstClient, ndJsonStream } from '@agentclientprotocol/sdk/unstable'
import type { Engine } from '../../src/engine/engine.ts'
import { createAsks, type Asks } from '../../src/surfaces/acp/asks.ts'
import { createAcpServer, type AcpServer } from '../../src/surfaces/acp/serve.ts'
import { createSwitchboard } from '../../src/surfaces/acp/switchboard.ts'
import { openHome, type Home } from '../support/engine.ts'
import { PROGRAM } from '../support/program.ts'
import { messageFaults, type Version } from './schema.ts'

export type Told = Readonly<Record<string, unknown>> & { readonly sessionUpdate: string }
type Answer = (params: never) => unknown

export interface TestClient {
  request<T = Record<string, unknown>>(method: string, params?: unknown): Promise<T>
  notify(method: string, params: unknown): void
  /** Updates of all sessions, as they came. */
  readonly updates: Told[]
  /** Updates as they stood on the wire: the SDK keeps back kinds that it does not know. */
  readonly wire: Told[]
  /** Everything that came, in order: 'update', 'answer to …', 'asked …'. */
  readonly order: string[]
  /** Messages that do not fit the schema. */
  readonly faults: string[]
  /** How the client answers what it is asked. */
  answers: Record<string, Answer>
  /** The parameters of notifications of this name. */
  told(method: string): unknown[]
  toldOnce(method: string): Promise<void>
  /** Resolves when an update fits. */
  until(fits: (update: Told) => boolean): Promise<Told>
  leave(): void
}

export const ALLOW = { outcome: { outcome: 'selected', optionId: 'allow' } }

export async function connectClient(
  fromServer: Readable,
  toServer: Writable,
  capabilities: object = {},
  meta: object = {},
  version: Version = 1,
): Promise<TestClient> {
  const asked = new Map<unknown, string>()
  const [updates, order, faults]: [Told[], string[], string[]] = [[], [], []]
  const wire: Told[] = []
  const waiting = new Set<{ fits: (update: Told) => boolean; resolve: (update: Told) => void }>()

  const outgoing = lines((message) => {
    if (message['method'] !== undefined) asked.set(message['id'], String(message['method']))
  })
  const incoming = lines((message) => {
    const method = message['method'] === undefined ? asked.get(message['id']) : undefined
    const { update } = (message['params'] ?? {}) as { update?: Told }
    if (message['method'] === 'session/update' && update !== undefined) wire.push(update)
    order.push(
      message['method'] === 'session/update'
        ? 'update'
        : method === undefined
          ? `asked ${String(message['method'])}`
          : `answer to ${method}`,
    )
    for (const fault of messageFaults(message, method, version))
      faults.push(`${fault}: ${JSON.stringify(message)}`)
  })
  outgoing.pipe(toServer)
  fromServer.pipe(incoming)
  toServer.on('error', () => {})

  const others: { readonly method: string; readonly params: unknown }[] = []
  const bells: (() => void)[] = []
  const told = (method: string) =>
    others.filter((each) => each.method === method).map(({ params }) => params)
  const self: { answers: Record<string, Answer> } = { answers: {} }
  // Of these two only what is the same in both is used.
  const newClient = version === 1 ? firstClient : (secondClient as unknown as typeof firstClient)
  const connection = newClient({ name: 'test' })
    .onNotification('*', ({ method, params }) => {
      if (method !== 'session/update') {
        others.push({ method, params })
        return bells.splice(0).forEach((ring) => ring())
      }
      const { update } = params as { update: Told }
      updates.push(update)
      for (const each of waiting) {
        if (!each.fits(update)) continue
        waiting.delete(each)
        each.resolve(update)
      }
    })
    .onRequest('*', async ({ method, params }) => {
      const answer = self.answers[method]
      if (answer === undefined) throw new Error(`Nobody answers ${method}.`)
      return answer(params as never)
    })
    .connect(
      ndJsonStream(
        Writable.toWeb(outgoing) as WritableStream<Uint8Array>,
        Readable.toWeb(incoming) as unknown as ReadableStream<Uint8Array>,
      ),
    )
  const { agent } = connection as unknown as {
    agent: {
      request(method: string, params?: unknown): Promise<unknown>
      notify(method: string, params: unknown): Promise<void>
    }
  }
  const request = <T>(method: string, params: unknown = {}) =>
    agent.request(method, params) as Promise<T>
  const about = { protocolVersion: version, _meta: meta }
  await request(
    'initialize',
    version === 1
      ? { ...about, clientCapabilities: capabilities }
      : { ...about, capabilities, info: { name: 'test', version: '1' } },
  )
  return {
    request,
    notify: (method, params) => void agent.notify(method, params),
    updates,
    wire,
    order,
    faults,
    get answers() {
      return self.answers
    },
    set answers(given) {
      self.answers = given
    },
    told,
    async toldOnce(method) {
      while (told(method).length === 0) await new Promise<void>((resolve) => bells.push(resolve))
    },
    until: (fits) => {
      const found = updates.find(fits)
      if (found !== undefined) return Promise.resolve(found)
      return new Promise((resolve) => waiting.add({ fits, resolve }))
    },
    leave: () => void toServer.end(),
  }
}

/** Lets bytes through and looks at every line. */
function lines(look: (message: Readonly<Record<string, unknown>>) => void): Transform {
  let rest = ''
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const parts = (rest + chunk.toString()).split('\n')
      rest = parts.pop()!
      for (const line of parts) look(JSON.parse(line) as Readonly<Record<string, unknown>>)
      done(null, chunk)
    },
  })
}

export type Place = AsyncDisposable & {
  readonly home: Home
  readonly engine: Engine
  readonly asks: Asks
  readonly server: AcpServer
  connect(capabilities?: object, version?: Version): Promise<TestClient>
}

export async function openPlace(
  options: Parameters<Home['engine']>[0] & { readonly allowAll?: boolean } = {},
): Promise<Place> {
  const home = await openHome()
  const { allowAll = false, ...rest } = options
  const asks = createAsks({ allowAll })
  const switchboard = createSwitchboard()
  const engine = home.engine({
    policy: asks.policy,
    answersQuestions: true,
    switchboard,
    ...rest,
  })
  const server = createAcpServer({ engine, asks, switchboard, version: '1.2.3', cwd: '/' })
  const clients: TestClient[] = []
  const served: Promise<void>[] = []
  return {
    home,
    engine,
    asks,
    server,
    async connect(capabilities, version) {
      const [input, output] = [new PassThrough(), new PassThrough()]
      served.push(server.serve({ input, output }))
      const client = await connectClient(output, input, capabilities, {}, version)
      clients.push(client)
      return client
    },
    async [Symbol.asyncDispose]() {
      for (const client of clients) client.leave()
      await Promise.all(served)
      await home[Symbol.asyncDispose]()
    },
  }
}

const cache = mkdtempSync(join(tmpdir(), 'reprise-acp-cache-'))
process.on('exit', () => rmSync(cache, { recursive: true, force: true }))

/** `reprise acp` as a program. */
export function startServer(
  home: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): ChildProcess {
  const child = spawn(PROGRAM, ['acp', ...args], {
    cwd: home,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_CACHE_HOME: cache,
      REPRISE_HOME: join(home, 'sessions'),
      REPRISE_AGENT: 'offline',
      NODE_NO_WARNINGS: '1',
      ...env,
    },
  })
  // A test that fails leaves it behind.
  after(() => void child.kill('SIGKILL'))
  return child
}
