/** Listens: on loopback, or elsewhere with TLS and a word that says so. */
import { getRequestListener } from '@hono/node-server'
import { randomBytes } from 'node:crypto'
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { isLoopback, LOOPBACK } from '../../lib/listen-http.ts'
import { listenHttp2, type AnyRequest, type AnyResponse } from '../../lib/listen-http2.ts'
import { createApp, setHeaders } from './app.ts'
import { answerOf, statuses, toFailure } from './failure.ts'
import { askedOf, createGuard, type Guard, type GuestLink } from './guard.ts'
import type { GuestKey } from './guest.ts'
import { createJointStreams } from './joint-stream.ts'
import type { ReadAsset } from './page-files.ts'
import type { Web } from './route.ts'
import { createRunningWork } from './running-work.ts'
import type { SseLimits } from './sse-connection.ts'

export type WebOptions = Pick<
  Web,
  'version' | 'home' | 'cwd' | 'redact' | 'readStyle' | 'store' | 'agents'
> & {
  readonly engine: Engine
  readonly readAsset: ReadAsset
  /** 256 bits, as text; who has it may do everything. */
  readonly token: string
  /** What links of guests are sealed with. */
  readonly guestKey: GuestKey
  /** Milliseconds since 1970, for when links end. Default: the clock of the machine. */
  readonly now?: () => number
  /** 0 takes any that is free. */
  readonly port: number
  /** An address. Default: 127.0.0.1. */
  readonly host?: string
  /** Names besides the address that the server goes by, for anything but loopback. */
  readonly names?: readonly string[]
  readonly tls?: { readonly cert: string; readonly key: string }
  /** Anything but loopback is meant. */
  readonly allowRemote?: boolean
  readonly onFault?: (error: unknown) => void
  readonly limits?: Partial<SseLimits>
}

export interface WebServer extends AsyncDisposable {
  readonly port: number
  readonly url: string
  /** Logs one browser in, once; those made before it stay good. */
  link(): string
  /** For as many as have it, until it expires; `hours` from now. */
  guestLink(id: SessionId, hours: number): Promise<GuestLink>
}

export async function startWeb(options: WebOptions): Promise<WebServer> {
  const { host = '127.0.0.1', names = [], tls, engine } = options
  if (!isLoopback(host)) refuseOpenDoor(options)
  const listening = await listenHttp2({
    port: options.port,
    host,
    tls,
    requestTimeout: 60_000,
    inUse: (message, cause) => new EngineError('in_use', message, { cause }),
  })
  const { scheme, port } = listening
  const own = isLoopback(host) ? LOOPBACK : [...names, host]
  const guard: Guard = createGuard({
    token: options.token,
    scheme,
    names: own,
    port,
    newCode: () => randomBytes(32).toString('base64url'),
    guestKey: options.guestKey,
    now: options.now ?? Date.now,
  })
  const { version, home, cwd, redact, readStyle, store, agents } = options
  const { readAsset, onFault, limits } = options
  const app = createApp({
    web: {
      engine,
      work: createRunningWork(engine),
      streams: createJointStreams(engine, onFault),
      version,
      home,
      cwd,
      redact,
      readStyle,
      link: () => guard.link(),
      guestLink: (id, hours) => guard.guestLink(id, hours),
      ...defined({ store, agents }),
    },
    guard,
    readAsset,
    ...defined({ onFault, limits }),
  })
  const answer = getRequestListener(app.fetch, { overrideGlobalObjects: false })
  // Before anything makes a URL of it: a name that is not ours is not even read.
  listening.onRequest((request, response) => {
    if (isForUs(guard, request, response)) void answer(request, response)
  })
  return {
    port,
    url: `${scheme}://${own[0]}:${port}`,
    link: () => guard.link(),
    guestLink: (id, hours) => guard.guestLink(id, hours),
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}

function isForUs(guard: Guard, request: AnyRequest, response: AnyResponse): boolean {
  try {
    guard.checkPlace(askedOf(request))
    return true
  } catch (error) {
    const failure = toFailure(error)
    setHeaders((name, value) => void response.setHeader(name, value))
    response.setHeader('content-type', 'application/json')
    if (request.httpVersionMajor < 2) response.setHeader('connection', 'close')
    response.statusCode = statuses[failure.code]
    response.end(JSON.stringify(answerOf(failure)))
    return false
  }
}

function refuseOpenDoor({ host, tls, allowRemote, names = [] }: WebOptions): void {
  const lacks = [
    ...(allowRemote === true ? [] : ['--allow-remote']),
    ...(tls === undefined ? ['--tls-cert and --tls-key'] : []),
    ...(isAnyAddress(host) && names.length === 0 ? ['--name, which it is reached by'] : []),
  ]
  if (lacks.length === 0) return
  throw new EngineError(
    'invalid',
    `${host} can be reached from other machines. That needs ${lacks.join(', and ')}. Nothing was started.`,
  )
}

const isAnyAddress = (host: string | undefined): boolean =>
  host === '0.0.0.0' || host === '::' || host === '[::]'
