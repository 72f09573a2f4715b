/**
 * The genuine Copilot CLI as a child: JSON-RPC over its stdio, offline, with the fake model as its provider and
 * a home of our choice. Ends with its scope; what it tells meanwhile is kept for the checks.
 */
import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import type { Installed } from './install.ts'
import { MODEL } from './model.ts'
import { createFrameReader, frame } from './frames.ts'

export type SessionEvent = {
  readonly type: string
  readonly id: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface Copilot extends AsyncDisposable {
  readonly pid: number
  /** Fails with the program's own words. */
  request<T>(method: string, params?: object): Promise<T>
  create(sessionId: string, cwd: string): Promise<void>
  resume(sessionId: string, cwd: string): Promise<void>
  /** Sends a prompt and waits until the session is idle; the events of this turn. */
  send(sessionId: string, prompt: string): Promise<readonly SessionEvent[]>
  /** The next event of a type in a session. */
  event(sessionId: string, type: string): Promise<SessionEvent>
  /** Ends it at once, as a crash would. */
  kill(): Promise<void>
}

type Rpc = {
  readonly id?: number
  readonly method?: string
  readonly params?: { readonly sessionId: string; readonly event: SessionEvent }
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

type Start = {
  readonly program: Installed
  readonly home: string
  readonly cwd: string
  readonly baseUrl: string
  readonly env?: Readonly<Record<string, string>>
}

const ANSWER_MS = 60_000

export async function startCopilot(start: Start): Promise<Copilot> {
  const { program, home, cwd, baseUrl, env = {} } = start
  const args = ['--headless', '--no-auto-update', '--no-auto-login', '--stdio']
  const child = spawn(program.copilot, args, {
    cwd,
    env: {
      PATH: process.env.PATH,
      HOME: home,
      XDG_CACHE_HOME: program.cache,
      COPILOT_HOME: home,
      COPILOT_OFFLINE: 'true',
      COPILOT_PROVIDER_BASE_URL: baseUrl,
      COPILOT_MODEL: MODEL,
      ...env,
    },
  })
  const killed = () => child.kill('SIGKILL')
  process.on('exit', killed)
  child.on('exit', () => process.off('exit', killed))
  const wire = connect(child)
  const config = (sessionId: string, workingDirectory: string) => ({
    sessionId,
    workingDirectory,
    model: MODEL,
    provider: { type: 'openai', baseUrl },
    streaming: true,
    envValueMode: 'direct',
    requestPermission: true,
  })
  await wire.request('connect', { supportedTaskKinds: ['agent', 'client', 'shell'] })
  return {
    pid: child.pid ?? 0,
    request: wire.request,
    create: async (id, at) => void (await wire.request('session.create', config(id, at))),
    resume: async (id, at) => void (await wire.request('session.resume', config(id, at))),
    async send(sessionId, prompt) {
      const turn = wire.turnOf(sessionId)
      await wire.request('session.send', { sessionId, prompt })
      return turn
    },
    event: wire.event,
    async kill() {
      const ended = once(child, 'exit')
      child.kill('SIGKILL')
      await ended
    },
    async [Symbol.asyncDispose]() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = once(child, 'exit')
      await wire.request('runtime.shutdown', {}).catch(() => {})
      child.stdin.end()
      const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
      await ended
      clearTimeout(late)
    },
  }
}

function connect(child: ChildProcessWithoutNullStreams) {
  const waiting = new Map<number, PromiseWithResolvers<unknown>>()
  const turns = new Map<
    string,
    PromiseWithResolvers<readonly SessionEvent[]> & { events: SessionEvent[] }
  >()
  const awaited: { sessionId: string; type: string; resolve: (event: SessionEvent) => void }[] = []
  let complaints = ''
  let last = 0
  child.stderr.on('data', (chunk: Buffer) => (complaints += chunk.toString('utf8')))
  child.stdin.on('error', () => {})
  child.on('exit', (code) => {
    const gone = new Error(`The Copilot CLI ended with ${code}. ${complaints}`)
    for (const { reject } of [...waiting.values(), ...turns.values()]) reject(gone)
  })

  const write = (message: object) => child.stdin.write(frame({ jsonrpc: '2.0', ...message }))

  const request = async <T>(method: string, params: object = {}): Promise<T> => {
    last += 1
    const id = last
    const answer = Promise.withResolvers<unknown>()
    const late = setTimeout(
      () => answer.reject(new Error(`No answer to ${method}. ${complaints}`)),
      ANSWER_MS,
    )
    waiting.set(id, answer)
    write({ id, method, params })
    try {
      return (await answer.promise) as T
    } finally {
      clearTimeout(late)
      waiting.delete(id)
    }
  }

  const turnOf = async (sessionId: string): Promise<readonly SessionEvent[]> => {
    const turn = {
      ...Promise.withResolvers<readonly SessionEvent[]>(),
      events: [] as SessionEvent[],
    }
    const late = setTimeout(
      () => turn.reject(new Error(`The turn in ${sessionId} never ended.`)),
      ANSWER_MS,
    )
    turns.set(sessionId, turn)
    try {
      return await turn.promise
    } finally {
      clearTimeout(late)
      turns.delete(sessionId)
    }
  }

  const event = (sessionId: string, type: string): Promise<SessionEvent> =>
    new Promise((resolve) => awaited.push({ sessionId, type, resolve }))

  const onEvent = (sessionId: string, event: SessionEvent) => {
    for (const each of awaited) {
      if (each.sessionId === sessionId && each.type === event.type) each.resolve(event)
    }
    if (event.type === 'permission.requested') void allow(sessionId, event)
    const turn = turns.get(sessionId)
    turn?.events.push(event)
    if (event.type === 'session.idle') turn?.resolve(turn.events)
    if (event.type === 'session.error') turn?.reject(new Error(String(event.data.message)))
  }

  const allow = (sessionId: string, { data }: SessionEvent) =>
    request('session.permissions.handlePendingPermissionRequest', {
      sessionId,
      requestId: data.requestId,
      result: { kind: 'approve-once' },
    }).catch(() => {})

  const onMessage = ({ id, method, params, result, error }: Rpc) => {
    if (method === 'session.event' && params !== undefined)
      return onEvent(params.sessionId, params.event)
    if (method !== undefined) {
      // It may ask its client for things that these checks do not offer.
      if (id !== undefined)
        write({ id, error: { code: -32601, message: `${method} is not offered` } })
      return
    }
    const answer = waiting.get(id ?? 0)
    if (error === undefined) answer?.resolve(result)
    else answer?.reject(new Error(error.message))
  }

  const read = createFrameReader((message) => onMessage(message as Rpc))
  child.stdout.on('data', read)
  return { request, turnOf, event }
}
