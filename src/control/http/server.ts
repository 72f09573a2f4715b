/** Listens: on loopback; elsewhere with TLS, or behind a proxy that is named and has it. */
import { getRequestListener } from '@hono/node-server'
import { createServer as createHttp } from 'node:http'
import type { Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo } from 'node:net'
import { ControlError, statuses } from '../control-error.ts'
import type { Control } from '../control.ts'
import { deferred } from '../../lib/deferred.ts'
import { createApp, HEADERS } from './app.ts'
import { checkPlace, placeOf } from './guard.ts'

export type ServeOptions = {
  readonly control: Control
  /** 0 takes any that is free. */
  readonly port: number
  /** Default: 127.0.0.1. */
  readonly host?: string
  readonly tls?: { readonly cert: string; readonly key: string }
  /** The address by which others reach it: of a proxy in front that has TLS, or with TLS of its own. */
  readonly url?: string
  readonly onFault: (error: unknown) => void
}

export interface ControlServer extends AsyncDisposable {
  readonly port: number
  readonly url: string
}

const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

export async function serveControl(options: ServeOptions): Promise<ControlServer> {
  const { control, host = '127.0.0.1', tls, url, onFault } = options
  const isLoopback = LOOPBACK.includes(host) || host === '::1'
  if (!isLoopback) refuseOpenDoor(options)
  const server: Server = tls === undefined ? createHttp(TIMES) : createHttps({ ...TIMES, ...tls })
  const port = await listen(server, options.port, host.replace(/^\[|\]$/g, ''))
  const scheme = tls === undefined ? 'http' : 'https'
  const local = isLoopback ? LOOPBACK.map((name) => `${scheme}://${name}:${port}`) : []
  const place = placeOf([...(url === undefined ? [] : [url]), ...local])
  const answer = getRequestListener(createApp(control, onFault).fetch, {
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
    void answer(request, response)
  })
  return {
    port,
    url: place.origins[0] ?? '',
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
    },
  }
}

const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 120_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
  requireHostHeader: false,
}

function refuseOpenDoor({ host, tls, url }: ServeOptions): void {
  const isSafe = url !== undefined && url.startsWith('https://')
  if (isSafe || (tls !== undefined && url !== undefined)) return
  throw new ControlError(
    'invalid',
    `${host} can be reached from other machines. That needs --url https://…, the address by which they reach it, and TLS: --tls-cert and --tls-key, or a proxy in front that has it. Nothing was started.`,
  )
}

function listen(server: Server, port: number, host: string): Promise<number> {
  const { promise, resolve, reject } = deferred<number>()
  server.once('error', (cause: NodeJS.ErrnoException) =>
    reject(
      cause.code === 'EADDRINUSE'
        ? new ControlError(
            'in_use',
            `Port ${port} is in use. Nothing was started. Give another with --port.`,
            { cause },
          )
        : cause,
    ),
  )
  server.listen(port, host, () => resolve((server.address() as AddressInfo).port))
  return promise
}
