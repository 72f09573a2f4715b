/**
 * Requests to a model that a client makes in our place (the SDK's `requestHandler`): it is given address, headers and
 * body, and sends back the answer as it comes. A client that goes fails what it had begun.
 */
import { Buffer } from 'node:buffer'
import type { SessionId } from '../../format/ids.ts'
import { deferred } from '../../lib/deferred.ts'
import type { Peer } from '../../lib/json-rpc/peer.ts'

type Fetch = typeof globalThis.fetch
type Headers = Readonly<Record<string, readonly string[] | undefined>>

export interface ClientRequests {
  fetchFor(sessionId: SessionId): Fetch
  /** False when nobody waits for it any more. */
  started(requestId: string, answer: { status: number; headers: Headers }): boolean
  came(requestId: string, piece: Piece): boolean
}

type Piece = {
  readonly data: string
  readonly binary: boolean
  readonly end: boolean
  readonly error?: string
}

type Exchange = {
  readonly response: PromiseWithResolvers<Response>
  body: ReadableStreamDefaultController<Uint8Array> | undefined
}

/** Large bodies go in pieces, so that none is a frame by itself. */
const PIECE_CHARS = 256 * 1024
const BODILESS: ReadonlySet<number> = new Set([101, 204, 205, 304])

export function createClientRequests(peer: Peer): ClientRequests {
  const open = new Map<string, Exchange>()

  function fail(requestId: string, error: Error): void {
    const exchange = open.get(requestId)
    open.delete(requestId)
    exchange?.response.reject(error)
    exchange?.body?.error(error)
  }
  void peer.ended.then(() => {
    for (const requestId of open.keys())
      fail(requestId, new TypeError('The client that makes requests to the model has gone.'))
  })

  async function send(requestId: string, sessionId: SessionId, request: Request): Promise<void> {
    const headers = Object.fromEntries([...request.headers].map(([name, value]) => [name, [value]]))
    const { method, url } = request
    const start = { requestId, sessionId, method, url, headers, transport: 'http' }
    await peer.request('llmInference.httpRequestStart', start)
    const body = await request.text()
    for (let at = 0; ; at += PIECE_CHARS) {
      const end = at + PIECE_CHARS >= body.length
      const data = body.slice(at, at + PIECE_CHARS)
      await peer.request('llmInference.httpRequestChunk', { requestId, data, binary: false, end })
      if (end) return
    }
  }

  return {
    fetchFor: (sessionId) => (input, init) => {
      const request = new Request(input, init)
      const { signal } = request
      signal.throwIfAborted()
      const requestId = crypto.randomUUID()
      const exchange: Exchange = { response: deferred<Response>(), body: undefined }
      open.set(requestId, exchange)
      const cancel = () => {
        if (!open.has(requestId)) return
        fail(requestId, signal.reason as Error)
        const cancelled = { requestId, data: '', cancel: true, cancelReason: 'aborted' }
        // It has gone, then: there is nothing left to cancel.
        peer.request('llmInference.httpRequestChunk', cancelled).catch(() => {})
      }
      signal.addEventListener('abort', cancel, { once: true })
      send(requestId, sessionId, request).catch((error: unknown) =>
        fail(requestId, new TypeError('The client did not take the request.', { cause: error })),
      )
      return exchange.response.promise
    },
    started(requestId, { status, headers }) {
      const exchange = open.get(requestId)
      if (exchange === undefined || exchange.body !== undefined) return false
      const body = new ReadableStream<Uint8Array>({
        start: (controller) => void (exchange.body = controller),
        cancel: () => void open.delete(requestId),
      })
      const isBodiless = BODILESS.has(status)
      const all = Object.entries(headers).flatMap(([name, values = []]) =>
        values.map((value): [string, string] => [name, value]),
      )
      exchange.response.resolve(new Response(isBodiless ? null : body, { status, headers: all }))
      return true
    },
    came(requestId, { data, binary, end, error }) {
      const exchange = open.get(requestId)
      if (exchange?.body === undefined) return false
      if (error !== undefined) {
        fail(requestId, new TypeError(error))
        return true
      }
      if (data !== '') exchange.body.enqueue(Buffer.from(data, binary ? 'base64' : 'utf8'))
      if (!end) return true
      open.delete(requestId)
      exchange.body.close()
      return true
    },
  }
}
