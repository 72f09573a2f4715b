/**
 * A server for HTTP whose clients hold streams: over TLS it speaks HTTP/2, on which any number of them share one
 * connection, and HTTP/1.1 with clients that know no other. Browsers speak HTTP/2 over TLS alone.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2'
import type { Socket } from 'node:net'
import { HTTP_LIMITS, listenOn, type ListenOptions, type ListeningHttp } from './listen-http.ts'

export type AnyRequest = IncomingMessage | Http2ServerRequest
export type AnyResponse = ServerResponse | Http2ServerResponse

type Listening = Omit<ListeningHttp, 'server'> & {
  onRequest(listener: (request: AnyRequest, response: AnyResponse) => void): void
}

/** A connection over which nothing comes or goes for so long is closed; streams have a heartbeat. */
const IDLE_MS = 120_000
/** More than a page asks for at once, with a stream for each of its tabs. */
const MOST_STREAMS = 250

export async function listenHttp2(options: ListenOptions): Promise<Listening> {
  const { tls, requestTimeout } = options
  const times = { ...HTTP_LIMITS, requestTimeout }
  if (tls === undefined) {
    const { server, ...rest } = await listenOn(createServer(times), options)
    return { ...rest, onRequest: (listener) => void server.on('request', listener) }
  }
  const server = createSecureServer({
    ...times,
    ...tls,
    allowHTTP1: true,
    settings: { maxConcurrentStreams: MOST_STREAMS, maxHeaderListSize: HTTP_LIMITS.maxHeaderSize },
  })
  Object.assign(server, times)
  server.on('session', (session) => session.setTimeout(IDLE_MS, () => session.destroy()))
  server.on('request', (request) => void endSlow(request, requestTimeout))
  const listening = await listenOn(withAllClosed(server), options)
  return { ...listening, onRequest: (listener) => void server.on('request', listener) }
}

/** Of HTTP/1.1 the server itself keeps the time. */
function endSlow(request: Http2ServerRequest, ms: number): void {
  if (request.httpVersionMajor < 2 || request.stream.endAfterHeaders) return
  const timer = setTimeout(() => request.stream.close(), ms)
  request.once('end', () => clearTimeout(timer)).once('close', () => clearTimeout(timer))
}

/** As the servers of HTTP/1.1 are, it is closed at once, with all that are connected. */
function withAllClosed(server: Http2SecureServer) {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
  })
  return Object.assign(server, {
    closeAllConnections: () => sockets.forEach((socket) => socket.destroy()),
  })
}
