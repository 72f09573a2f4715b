/**
 * Requests in, answers out. The server has looked at where a request comes from; here, in this order: who is it, may
 * its token do this, is it well formed; only then is anything done. Every answer carries the same headers.
 */
import type { HttpBindings } from '@hono/node-server'
import { Hono, type Context } from 'hono'
import type { z } from 'zod'
import { parseJson } from '../../lib/limit-depth.ts'
import { checkClock } from '../clock.ts'
import type { Control } from '../control.ts'
import { ControlError, statuses, unavailable } from '../control-error.ts'
import { requireScope } from '../people/require-scope.ts'
import { noToken } from '../people/no-token.ts'
import type { Asker } from '../people/scopes.ts'
import { askerOf } from '../people/tokens.ts'
import { plainPage } from './static-pages.ts'
import { readBody } from './body.ts'
import type { Oidc } from '../people/oidc.ts'
import { loginPages } from './login-pages.ts'
import { openApi } from './openapi.ts'
import type { ApiRoute } from './route.ts'
import { routes } from './routes.ts'
import { MOST_BODY_BYTES } from './stream-request.ts'
import { getStream, headStream } from './stream-read.ts'
import { deleteStream, postStream, putStream } from './stream-write.ts'
import { PREFIX, streamPath } from './stream-access.ts'
import { createTries, type Tried } from './rate-limit.ts'

type Env = { Bindings: HttpBindings }
type Ctx = Context<Env>

type Outside = {
  /** The address by which others reach it. */
  readonly url: string
  readonly oidc?: Oidc | undefined
  readonly onFault: (error: unknown) => void
}

export function createApp(control: Control, { url, oidc, onFault }: Outside): Hono<Env> {
  const app = new Hono<Env>({ strict: true })
  const tried = createTries(control.now)
  app.use(async (c, next) => {
    await next()
    for (const [name, value] of Object.entries(HEADERS))
      if (!c.res.headers.has(name)) c.res.headers.set(name, value)
    control.figures.request(c.res.status)
  })
  app.onError((error) => answerTo(error, onFault))
  app.notFound((c) => {
    const page = c.req.method === 'GET' ? plainPage(c.req.path) : undefined
    return page === undefined ? notFound(onFault) : c.html(page)
  })

  app.get('/health', (c) => c.json({ status: 'ok', version: control.version }))
  app.get('/ready', async (c) => {
    await control.db.query.selectFrom('tenants').select('id').limit(1).execute()
    await checkClock(control.db, control.now)
    return c.json({ status: 'ready', engine: control.db.kind })
  })
  app.get('/metrics', async (c) => {
    requireScope(await who(control, c), 'admin')
    return c.text(control.figures.text({ waiting: control.tail.waiting }))
  })
  app.get('/api/openapi.json', (c) => c.json(openApi()))
  app.route('/login', loginPages(control, { url, oidc, tried }))
  for (const route of routes)
    app.on(route.method, route.path, (c) => runRoute(control, route, c, tried))
  app.all(`${PREFIX}*`, async (c) => {
    if (c.req.method === 'OPTIONS') return new Response(null, { status: 204, headers: PREFLIGHT })
    const asker = await who(control, c)
    return answerStream(control, asker, streamPath(c.req.path), c.req.raw)
  })
  return app
}

function answerStream(
  control: Control,
  asker: Asker,
  path: string,
  request: Request,
): Promise<Response> {
  switch (request.method) {
    case 'GET':
      return getStream(control, asker, path, request)
    case 'HEAD':
      return headStream(control, asker, path)
    case 'PUT':
      return putStream(control, asker, path, request)
    case 'POST':
      return postStream(control, asker, path, request)
    case 'DELETE':
      return deleteStream(control, asker, path)
    default:
      throw new ControlError('invalid', 'A stream knows GET, HEAD, PUT, POST and DELETE.')
  }
}

async function who(control: Control, c: Ctx): Promise<Asker> {
  const asker = await askerIn(control, c)
  refuseGuest(asker)
  return asker
}

/** Everything is closed to guests but what says otherwise. */
function refuseGuest({ guestOf }: Asker): void {
  if (guestOf !== undefined) throw new ControlError('forbidden', 'This is not for guests.')
}

async function askerIn(control: Control, c: Ctx): Promise<Asker> {
  const bearer = /^Bearer ([\w.~+/=-]+)$/.exec(c.req.header('authorization') ?? '')?.[1]
  const asker =
    bearer === undefined ? undefined : await askerOf(control.db.query, bearer, control.now())
  if (asker !== undefined) return asker
  throw noToken()
}

async function runRoute(control: Control, route: ApiRoute, c: Ctx, tried: Tried) {
  const status = (route.status ?? 200) as 200
  const about = {
    params: c.req.param() as Record<string, string>,
    query: c.req.query(),
    headers: c.req.raw.headers,
    signal: AbortSignal.any([c.req.raw.signal, control.stopping]),
  }
  if (route.scopes === 'open') {
    const takeBack = tried(c.env.incoming.socket.remoteAddress ?? '')
    const body = await bodyOf(route, c)
    try {
      const answer = await route.run(control, { ...about, body, bytes: NO_BYTES })
      if (route.isProof === true) takeBack()
      return c.json(answer, status)
    } catch (error) {
      if (error instanceof ControlError && error.code === 'pending') takeBack()
      throw error
    }
  }
  const asker = await askerIn(control, c)
  if (route.isForGuests !== true) refuseGuest(asker)
  requireScope(asker, ...route.scopes)
  const body = await bodyOf(route, c)
  const { mostBytes } = route
  const bytes = mostBytes === undefined ? NO_BYTES : await readBody(c.req.raw, mostBytes)
  // What waits for an answer waits as long as its token holds.
  using held = control.access.of(asker)
  const signal = AbortSignal.any([about.signal, held.lost])
  const answer = await route.run(control, { ...about, signal, asker, body, bytes })
  if (held.lost.aborted) throw noToken()
  return answer instanceof Response ? answer : c.json(answer, status)
}

const NO_BYTES = Buffer.alloc(0)

async function bodyOf({ body }: ApiRoute, c: Ctx): Promise<unknown> {
  if (body === undefined) return {}
  const text = (await readBody(c.req.raw, MOST_BODY_BYTES)).toString()
  if (text === '') return checked(body, {})
  let value: unknown
  try {
    value = parseJson(text)
  } catch (cause) {
    throw new ControlError('invalid', 'The body is not JSON. Nothing was changed.', { cause })
  }
  return checked(body, value)
}

function checked<T>(schema: z.ZodType<T>, value: unknown): T {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const [first] = result.error.issues
  const where = first?.path.map(String).join('.') ?? ''
  throw new ControlError(
    'invalid',
    `The body is not as it should be: ${where} ${first?.message ?? ''}. Nothing was changed.`,
  )
}

const notFound = (onFault: (error: unknown) => void): Response =>
  answerTo(new ControlError('not_found', 'There is nothing here.'), onFault)

/** What is not known to be meant for the client stays here: its words may name files or hold secrets. */
function answerTo(error: unknown, onFault: (error: unknown) => void): Response {
  const { code, message } = error instanceof ControlError ? error : unavailable(error)
  if (code === 'unavailable') onFault(error)
  return Response.json({ error: { code, message } }, { status: statuses[code] })
}

/** For everything: no type is guessed, nothing is kept, nobody learns where it was, no other page frames it. */
export const HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; sandbox",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Without an allowed origin: a browser lets no other page read the answer. */
const PREFLIGHT = {
  'access-control-allow-methods': 'GET, HEAD, PUT, POST, DELETE',
  'access-control-allow-headers':
    'authorization, content-type, if-none-match, producer-id, producer-epoch, producer-seq, stream-seq, stream-closed, stream-ttl, stream-expires-at, stream-forked-from, stream-fork-offset, stream-fork-sub-offset',
}
