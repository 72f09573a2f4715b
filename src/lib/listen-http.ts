/** A server for HTTP that listens: with TLS where it is given, and with limits for clients that are slow on purpose. */
import { createServer as createHttp, type Server } from 'node:http'
import { createServer as createHttps } from 'node:https'
import type { AddressInfo, Server as NetServer } from 'node:net'
import { deferred } from './deferred.ts'

/** By these names a server goes that only this machine reaches. */
export const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']

export const isLoopback = (host: string): boolean => LOOPBACK.includes(host) || host === '::1'

export type ListenOptions = {
  /** 0 takes any that is free. */
  readonly port: number
  readonly host: string
  readonly tls?: { readonly cert: string; readonly key: string } | undefined
  readonly requestTimeout: number
  /** What is thrown for a port that is in use, in words of the caller's kind. */
  readonly inUse: (message: string, cause: unknown) => Error
}

export interface ListeningHttp<S = Server> extends AsyncDisposable {
  readonly server: S
  readonly scheme: 'http' | 'https'
  readonly port: number
}

export const HTTP_LIMITS = {
  headersTimeout: 10_000,
  connectionsCheckingInterval: 5_000,
  maxHeaderSize: 16 * 1024,
  requireHostHeader: false,
}

export async function listenHttp(options: ListenOptions): Promise<ListeningHttp> {
  const { tls, requestTimeout } = options
  const times = { ...HTTP_LIMITS, requestTimeout }
  return listenOn(
    tls === undefined ? createHttp(times) : createHttps({ ...times, ...tls }),
    options,
  )
}

export async function listenOn<S extends NetServer & { closeAllConnections(): void }>(
  server: S,
  { port, host, tls, inUse }: ListenOptions,
): Promise<ListeningHttp<S>> {
  const { promise, resolve, reject } = deferred<void>()
  const taken = `Port ${port} is in use. Nothing was started. Give another with --port.`
  server.once('error', (cause: NodeJS.ErrnoException) =>
    reject(cause.code === 'EADDRINUSE' ? inUse(taken, cause) : cause),
  )
  server.listen(port, host.replace(/^\[|\]$/g, ''), resolve)
  await promise
  return {
    server,
    scheme: tls === undefined ? 'http' : 'https',
    port: (server.address() as AddressInfo).port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((done) => server.close(done))
      server.closeAllConnections()
      await closed
    },
  }
}
