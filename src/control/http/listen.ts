/** Listens: on loopback; elsewhere with TLS, or behind a proxy that is named and has it. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { getRequestListener, type HttpBindings } from '@hono/node-server'
import { ControlError, statuses } from '../control-error.ts'
import type { Control } from '../control.ts'
import { isLoopback, listenHttp, LOOPBACK } from '../../lib/listen-http.ts'
import type { Oidc } from '../people/oidc.ts'
import { createApp, HEADERS } from './app.ts'
import { frontOf, type Ask } from './clusters.ts'
import { checkPlace, placeOf } from './guard.ts'

type ServeOptions = {
  /** One for each database; a tenant is in one of them. */
  readonly controls: readonly [Control, ...Control[]]
  /** 0 takes any that is free. */
  readonly port: number
  /** Default: 127.0.0.1. */
  readonly host?: string
  readonly tls?: { readonly cert: string; readonly key: string }
  /** The address by which others reach it: of a proxy in front that has TLS, or with TLS of its own. */
  readonly url?: string
  /** How people come in who prove elsewhere who they are. */
  readonly oidc?: Oidc | undefined
  readonly onFault: (error: unknown) => void
  readonly page?: (inside: Inside) => ControlPage
}

/** The page, which is put together elsewhere: here it is only asked before the routes are. */
export interface ControlPage extends AsyncDisposable {
  /** Whether a browser that shows the page asks, or one that wants it. */
  wants(request: IncomingMessage): boolean
  answer(request: IncomingMessage, response: ServerResponse): Promise<unknown>
}

/** What a page may use of its server: the routes, asked for a client at an address, whose tries count. */
export type Inside = {
  readonly url: string
  readonly fetchFor: (address: string) => typeof fetch
  /** Where a browser signs in by itself; undefined: by a link alone. */
  readonly signIn: string | undefined
}

export interface ControlServer extends AsyncDisposable {
  readonly port: number
  readonly url: string
}

export async function serveControl(options: ServeOptions): Promise<ControlServer> {
  const { controls, host = '127.0.0.1', tls, url, onFault, page: openPage } = options
  refuseOpenDoor(options)
  const listening = await listenHttp({
    port: options.port,
    host,
    tls,
    requestTimeout: 120_000,
    inUse: (message, cause) => new ControlError('in_use', message, { cause }),
  })
  const { server, scheme, port } = listening
  const local = isLoopback(host) ? LOOPBACK.map((name) => `${scheme}://${name}:${port}`) : []
  const place = placeOf([...(url === undefined ? [] : [url]), ...local])
  const ask = await frontOf(controls, (control) =>
    createApp(control, { url: place.origins[0] ?? '', oidc: options.oidc, onFault }),
  )
  const underWay = new Set<Promise<unknown>>()
  const fetch: Ask = (...asked) => {
    const answered = ask(...asked)
    underWay.add(answered)
    return answered.finally(() => underWay.delete(answered))
  }
  const own = place.origins[0] ?? ''
  const page = openPage?.({
    url: own,
    signIn: options.oidc && `${own}/login`,
    fetchFor: (remoteAddress) => {
      // A request that comes from this process has no socket of its own.
      const from = { incoming: { socket: { remoteAddress } } } as unknown as HttpBindings
      return async (...asked) => fetch(new Request(...asked), from)
    },
  })
  // It listens by HTTP/1.1 alone.
  const answer = getRequestListener((request, from) => fetch(request, from as HttpBindings), {
    overrideGlobalObjects: false,
  })
  // Before anything makes a URL of it: a name that is not ours is not even read.
  server.on('request', (request, response) => {
    try {
      checkPlace(place, request)
    } catch (error) {
      const { code, message } =
        error instanceof ControlError ? error : new ControlError('invalid', 'Not understood.')
      response.writeHead(statuses[code], {
        ...HEADERS,
        'content-type': 'application/json',
        connection: 'close',
      })
      response.end(JSON.stringify({ error: { code, message } }))
      return
    }
    if (page?.wants(request)) void page.answer(request, response).catch(onFault)
    else void answer(request, response)
  })
  return {
    port,
    url: own,
    async [Symbol.asyncDispose]() {
      await page?.[Symbol.asyncDispose]()
      await listening[Symbol.asyncDispose]()
      // The database is closed next: no request asks it any more then.
      const patience = sleep(PATIENCE_MS, undefined, { ref: false })
      await Promise.race([Promise.allSettled(underWay), patience])
    },
  }
}

const PATIENCE_MS = 2000

type Door = Pick<ServeOptions, 'host' | 'tls' | 'url'>

/** To be asked before anything is made, too: others reach a server by an address that is one, and by TLS. */
export function refuseOpenDoor({ host = '127.0.0.1', tls, url }: Door): void {
  if (url !== undefined && !(/^https?:/.test(url) && URL.canParse(url)))
    throw new ControlError('invalid', `--url wants https://…, not "${url}". Nothing was started.`)
  if (isLoopback(host)) return
  const isSafe = url !== undefined && url.startsWith('https://')
  if (isSafe || (tls !== undefined && url !== undefined)) return
  throw new ControlError(
    'invalid',
    `${host} can be reached from other machines. That needs --url https://…, the address by which they reach it, and TLS: --tls-cert and --tls-key, or a proxy in front that has it. Nothing was started.`,
  )
}
