/** A web server on a home of its own, and a client that reads its streams frame by frame. */
import assert from 'node:assert/strict'
import { request, type ClientRequest, type IncomingMessage } from 'node:http'
import type { Engine } from '../../src/engine/engine.ts'
import { readPageStyle } from '../../src/surfaces/web/page-folder.ts'
import { answers } from '../../src/surfaces/web/answers.ts'
import { routes } from '../../src/surfaces/web/routes.ts'
import { startWeb, type WebOptions, type WebServer } from '../../src/surfaces/web/server.ts'
import { openHome, type Home, type Script } from '../support/engine.ts'

export const TOKEN = 'a-token-of-a-test-that-is-long-enough-for-it-000'

export const GUEST_KEY = Buffer.alloc(32, 'a guest key of a test')

export type TestServer = AsyncDisposable & {
  readonly home: Home
  readonly engine: Engine
  readonly server: WebServer
}

export async function openServer(
  options: Partial<WebOptions> & { script?: Script; policy?: () => 'ask'; answers?: boolean } = {},
): Promise<TestServer> {
  const { script, policy, answers, ...rest } = options
  const home = await openHome()
  const engine = home.engine({
    ...(script && { script }),
    ...(policy && { policy }),
    answersQuestions: answers ?? false,
  })
  const server = await serve(engine, home.path, rest)
  return {
    home,
    engine,
    server,
    async [Symbol.asyncDispose]() {
      await server[Symbol.asyncDispose]()
      await home[Symbol.asyncDispose]()
    },
  }
}

export const serve = (
  engine: Engine,
  home: string,
  options: Partial<WebOptions> = {},
): Promise<WebServer> =>
  startWeb({
    engine,
    version: 'test',
    home,
    cwd: home,
    port: 0,
    token: TOKEN,
    guestKey: { read: async () => GUEST_KEY, make: async () => GUEST_KEY },
    redact: async (value) => value,
    readStyle: readPageStyle,
    readAsset: async (path) => (path === 'index.html' ? Buffer.from('<!doctype html>') : undefined),
    ...options,
  })

export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>

export type Got = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

export type Ask = {
  readonly method?: string
  readonly headers?: Headers
  readonly body?: string
  readonly setHost?: boolean
}

/** Fetch would not let a test choose its Host, its Origin or an odd path. */
export function raw(port: number, path: string, ask: Ask = {}): Promise<Got> {
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        host: '127.0.0.1',
        port,
        path,
        method: ask.method ?? 'GET',
        headers: given(ask.headers ?? {}),
        agent: false,
        setHost: ask.setHost ?? true,
      },
      (response) => {
        const chunks: Buffer[] = []
        const done = () => {
          const text = Buffer.concat(chunks).toString()
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
        }
        response.on('data', (chunk: Buffer) => {
          chunks.push(chunk)
          // A stream has no end: that it began is the answer.
          if (response.headers['content-type']?.startsWith('text/event-stream')) {
            done()
            sent.destroy()
          }
        })
        response.on('end', done)
        response.on('error', () => {})
      },
    )
    sent.on('error', reject)
    sent.end(ask.body)
  })
}

const given = (headers: Headers) =>
  Object.fromEntries(
    Object.entries(headers).filter(
      (pair): pair is [string, string | string[]] => pair[1] !== undefined,
    ),
  )

export const bearer = { authorization: `Bearer ${TOKEN}` }

export async function api<T = Record<string, unknown>>(
  port: number,
  path: string,
  body?: unknown,
  headers: Headers = bearer,
): Promise<{ status: number; body: T }> {
  const { status, text } = await raw(port, path, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { ...headers, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const answer: unknown = JSON.parse(text)
  if (status < 300) checkAnswer(body === undefined ? 'GET' : 'POST', path, answer)
  return { status, body: answer as T }
}

/** Whatever a test asks for, the answer is as the document says. */
function checkAnswer(method: string, path: string, answer: unknown): void {
  const [place = ''] = path.split('?')
  const route = routes.find(
    (each) =>
      each.method === method && new RegExp(`^${each.path.replace(/:\w+/g, '[^/]+')}$`).test(place),
  )
  if (route === undefined || route.answer === 'bytes' || route.answer === 'picture') return
  const result = answers[route.answer].safeParse(answer)
  assert.ok(result.success, `${method} ${path}: ${result.error?.message}`)
}

/** The cookie of somebody who opens a link for guests, as a header. */
export async function guestOf(
  { port }: Pick<WebServer, 'port'>,
  link: string,
): Promise<{ cookie: string }> {
  const { status, headers, text } = await raw(port, '/api/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code: guestCode(link) }),
  })
  assert.equal(status, 200, text)
  return { cookie: headers['set-cookie']?.[0]?.split(';')[0] ?? '' }
}

export const guestCode = (link: string): string => new URL(link).hash.slice('#guest='.length)

export type Frame = { readonly event: string; readonly id?: string; readonly data: unknown }

export interface Client {
  readonly status: number
  readonly frames: AsyncGenerator<Frame, void, undefined>
  readonly response: IncomingMessage
  readonly sent: ClientRequest
  close(): void
}

export function connect(port: number, path: string, headers: Headers = {}): Promise<Client> {
  return new Promise((resolve, reject) => {
    const sent = request(
      { host: '127.0.0.1', port, path, headers: given({ ...bearer, ...headers }), agent: false },
      (response) => {
        response.on('error', () => {})
        resolve({
          status: response.statusCode ?? 0,
          response,
          sent,
          frames: framesOf(response),
          close: () => sent.destroy(),
        })
      },
    )
    sent.on('error', reject)
    sent.end()
  })
}

async function* framesOf(response: IncomingMessage): AsyncGenerator<Frame, void, undefined> {
  let text = ''
  response.setEncoding('utf8')
  try {
    for await (const chunk of response) {
      text += chunk as string
      for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
        const frame = parse(text.slice(0, end))
        text = text.slice(end + 2)
        if (frame !== undefined) yield frame
      }
    }
  } catch {
    // The connection was cut; what came whole was given.
  }
}

/** Comments and the time to wait are no frames. */
function parse(text: string): Frame | undefined {
  const fields = new Map(
    text.split('\n').flatMap((line) => {
      const at = line.indexOf(':')
      return at > 0 ? [[line.slice(0, at), line.slice(at + 1).trimStart()] as const] : []
    }),
  )
  const event = fields.get('event')
  if (event === undefined) return undefined
  const id = fields.get('id')
  return { event, ...(id !== undefined && { id }), data: JSON.parse(fields.get('data') ?? 'null') }
}

export async function until(
  frames: AsyncGenerator<Frame, void, undefined>,
  isLast: (frame: Frame) => boolean,
): Promise<Frame[]> {
  const seen: Frame[] = []
  for (;;) {
    const { value, done } = await frames.next()
    if (done === true || value === undefined) return seen
    seen.push(value)
    if (isLast(value)) return seen
  }
}

export const isReady = ({ event }: Frame): boolean => event === 'ready'

/** The events among them. What a browser comes back with is the id of the event itself. */
export const idsOf = (frames: readonly Frame[]): string[] =>
  frames
    .filter(({ event }) => event === 'event')
    .map(({ id, data }) => {
      assert.equal(id, (data as { readonly id: string }).id)
      return id ?? ''
    })

/** Of so many events, or of fewer when there are no more now. The log must not be told to have changed. */
export async function idsOfSome({ frames, close }: Client, count: number): Promise<string[]> {
  let left = count
  const seen = await until(
    frames,
    (frame) => isReady(frame) || (frame.event === 'event' && left-- <= 0),
  )
  close()
  assert.ok(!seen.some(({ event }) => event === 'reset'))
  return idsOf(seen)
}
