/**
 * Requests in, answers out. The server has looked at where a request comes from; here, in this order: who is it, is
 * it well formed; only then is anything done. Every answer carries the same headers, and every failure has the same shape.
 */
import type { HttpBindings } from '@hono/node-server'
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response'
import { Hono, type Context } from 'hono'
import { matchedRoutes } from 'hono/route'
import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { once } from 'node:events'
import type { ServerResponse } from 'node:http'
import type { z } from 'zod'
import { answerOf, statuses, toFailure, WebFailure } from './failure.ts'
import { BEAT, encodeForOwner, encodeFrame, HEARTBEAT, isSafeId } from './frames.ts'
import { askedOf, type Guard } from './guard.ts'
import { checkOpen, checkOwn, endWithLink, failureForGuest } from './guest-door.ts'
import { encodeForGuests } from './guest-frames.ts'
import { redactForGuest } from './guest-places.ts'
import type { Guest } from './guest.ts'
import { openApi } from './openapi.ts'
import { LoginBody, SessionParams, StreamQuery } from './requests.ts'
import { Attachment, hasBody, Shown, type Route, type Web } from './route.ts'
import { loginRoute, routes } from './routes.ts'
import { servePage, type ReadAsset } from './page-files.ts'
import { streamSession } from './session-stream.ts'
import { SSE_LIMITS, sseOpener, type SseLimits } from './sse-connection.ts'

type AppOptions = {
  readonly web: Web
  readonly guard: Guard
  /** The bytes of a file of the page; undefined when there is none. */
  readonly readAsset: ReadAsset
  /** Told of what the client is not. */
  readonly onFault?: (error: unknown) => void
  readonly limits?: Partial<SseLimits>
}

/** `guest`: who asks is not the owner. */
type Env = { Bindings: HttpBindings; Variables: { guest?: Guest } }
type App = Hono<Env>
type WebContext = Context<Env>

export function createApp({ web, guard, readAsset, onFault, limits }: AppOptions): App {
  const app: App = new Hono({ strict: true })
  const forGuest = redactForGuest(web)
  /** Every JSON that leaves: what a guest is given has passed the redactor, whatever it is. */
  const answer = async (c: WebContext, value: object, status: number) =>
    c.json(
      c.get('guest') === undefined ? value : await forGuest(value),
      status as ContentfulStatusCode,
    )
  const fail = (c: WebContext, error: unknown) => {
    const failure = toFailure(error)
    if (failure.code === 'internal') onFault?.(error)
    setHeaders(c.header.bind(c))
    const told = c.get('guest') === undefined ? failure : failureForGuest(failure, error)
    return answer(c, answerOf(told), statuses[failure.code])
  }
  app.onError((error, c) => fail(c, error))
  app.notFound((c) => fail(c, new WebFailure('not_found', 'There is nothing here.')))

  app.use(async (c, next) => {
    const isOpen = c.req.path === loginRoute.path || !isApi(c.req.path)
    if (!isOpen) {
      const asker = await guard.checkToken(askedOf(c.env.incoming))
      if (asker !== 'owner') {
        c.set('guest', asker)
        checkOpen(matchedRoutes(c))
      }
    }
    if (!METHODS.has(c.req.method))
      throw new WebFailure('method_not_allowed', `Only ${[...METHODS].join(', ')} are known here.`)
    if (hasBody(c.req.method)) checkJson(c)
    setHeaders(c.header.bind(c))
    return next()
  })

  app.post(loginRoute.path, async (c) => {
    const { code } = checked(LoginBody, await bodyOf(c, loginRoute), 'body')
    const { cookie, guest } = await guard.login(code)
    c.header('set-cookie', cookie)
    const asked = { params: {}, query: {}, body: { code }, guest }
    return answer(c, (await loginRoute.run(web, asked)) as object, loginRoute.status)
  })
  app.get('/api/openapi.json', (c) => answer(c, openApi(new URL(c.req.url).origin), 200))
  for (const route of routes) {
    if (route.isStream) continue
    app.on(route.method, route.path, async (c) => {
      const guest = c.get('guest')
      const params = checked(route.params, c.req.param(), 'path')
      checkOwn(guest, params)
      const result = await route.run(web, {
        params,
        query: checked(route.query, queryOf(c), 'query'),
        body: hasBody(route.method) ? checked(route.body, await bodyOf(c, route), 'body') : {},
        guest,
      })
      if (result instanceof Attachment) return attach(c, result)
      if (result instanceof Shown) return show(c, result)
      return answer(c, result as object, route.status)
    })
  }

  const sseLimits = { ...SSE_LIMITS, ...limits }
  const openSse = sseOpener(sseLimits)
  const connect = ({ env: { outgoing } }: WebContext, heartbeat: Buffer = HEARTBEAT) => {
    setHeaders((name, value) => void outgoing.setHeader(name, value))
    return openSse(outgoing as ServerResponse, heartbeat)
  }
  const forGuests = encodeForGuests(forGuest)
  app.get('/api/stream', async (c) => {
    using connection = connect(c, BEAT)
    using _changes = await web.work.watch((data) =>
      connection.put(encodeFrame({ event: 'changed', data })),
    )
    const streamId = web.streams.open(connection)
    connection.put(encodeFrame({ event: 'ready', data: { streamId } }))
    if (!connection.signal.aborted) await once(connection.signal, 'abort')
    return RESPONSE_ALREADY_SENT
  })
  app.get('/api/sessions/:id/stream', async (c) => {
    const guest = c.get('guest')
    const { id } = checked(SessionParams, c.req.param(), 'path')
    checkOwn(guest, { id })
    const { after } = checked(StreamQuery, queryOf(c), 'query')
    const last = c.req.header('last-event-id')
    const cursor =
      last === undefined || !isSafeId(last)
        ? after
        : checked(StreamQuery, { after: last }, 'query').after
    // A session that does not exist or cannot be read is told so in place of a stream.
    await (await web.engine.open(id)).state()
    using connection = connect(c)
    const asked = askedOf(c.env.incoming)
    if (guest !== undefined)
      endWithLink(() => guard.leftMs(asked), connection, { everyMs: sseLimits.heartbeatMs })
    const encode = guest === undefined ? encodeForOwner : forGuests
    try {
      await streamSession(web.engine, { id, after: cursor }, connection, encode)
    } catch (error) {
      // The answer has begun, so it can only end; the client comes back and is told then.
      onFault?.(error)
      connection.end()
    }
    return RESPONSE_ALREADY_SENT
  })
  app.all('/api/*', (c) => fail(c, new WebFailure('not_found', 'There is no such route.')))
  app.get('*', (c) => servePage(c.req.path, readAsset))
  return app
}

const METHODS: ReadonlySet<string> = new Set<Route['method']>(['GET', 'POST', 'PATCH', 'DELETE'])

const isApi = (path: string): boolean => path === '/api' || path.startsWith('/api/')

/** For everything: no other page frames it, no type is guessed, nothing is kept, nobody learns where it was. */
export function setHeaders(set: (name: string, value: string) => void): void {
  set('content-security-policy', API_POLICY)
  set('x-content-type-options', 'nosniff')
  set('x-frame-options', 'DENY')
  set('referrer-policy', 'no-referrer')
  set('cross-origin-resource-policy', 'same-origin')
  set('cross-origin-opener-policy', 'same-origin')
  set('cache-control', 'no-store')
}

const API_POLICY = "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox"

function checkJson(c: WebContext): void {
  const type = (c.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase()
  if (type !== 'application/json')
    throw new WebFailure('unsupported_media_type', 'What is sent here is application/json.')
}

async function bodyOf(c: WebContext, { mostBytes }: Route): Promise<unknown> {
  const text = await textOf(c, mostBytes)
  try {
    return text === '' ? {} : JSON.parse(text)
  } catch {
    // What is wrong with it is known to who sent it.
    throw new WebFailure('invalid', 'The body is not JSON. Nothing was changed.')
  }
}

/** Bounded as it comes: a body that is sent in chunks does not say how long it will be. */
async function textOf(c: WebContext, mostBytes: number): Promise<string> {
  const tooLarge = () =>
    new WebFailure('too_large', `A request here has at most ${mostBytes} bytes.`)
  if (Number(c.req.header('content-length') ?? 0) > mostBytes) throw tooLarge()
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of c.req.raw.body ?? []) {
    size += chunk.length
    if (size > mostBytes) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** One value for a name: two would leave open which of them was checked. */
function queryOf(c: WebContext): Record<string, string> {
  return Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, values]) => {
      if (values.length > 1) throw new WebFailure('invalid', `"${name}" is there more than once.`)
      return [name, values[0] ?? '']
    }),
  )
}

function checked<T>(schema: z.ZodType<T>, value: unknown, where: string): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const problems = result.error.issues
    .slice(0, 10)
    .map(({ path, message }) => ({ path: path.map(String).join('.'), message }))
  const [first] = problems
  throw new WebFailure(
    where === 'path' ? 'not_found' : 'invalid',
    `The ${where} is not as it should be: ${[first?.path, first?.message].filter(Boolean).join(' ')}. Nothing was changed.`,
    { problems },
  )
}

/** What has this hash is this for ever. */
function show(c: WebContext, { mimeType, bytes }: Shown): Response {
  c.header('content-type', mimeType)
  c.header('cache-control', 'private, max-age=31536000, immutable')
  return c.body(new Uint8Array(bytes))
}

function attach(c: WebContext, { name, bytes }: Attachment): Response {
  const plain = encodeURIComponent(name.toWellFormed().slice(0, 200)).replace(/[!'()*]/g, '_')
  c.header('content-disposition', `attachment; filename*=UTF-8''${plain}`)
  c.header('content-type', 'application/octet-stream')
  return c.body(new Uint8Array(bytes))
}
