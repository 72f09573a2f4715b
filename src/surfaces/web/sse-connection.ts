/**
 * The connection to one client of a stream of server-sent events. What comes within a few milliseconds goes out
 * together. A client that does not read is dropped before what waits for it grows, and comes back with the id of the
 * last event that it has.
 */
import type { ServerResponse } from 'node:http'
import { deferred } from '../../lib/deferred.ts'
import { RETRY } from './frames.ts'

export type SseLimits = {
  /** Bytes that may wait for a client. */
  readonly mostWaiting: number
  /** Bytes that may wait for all clients of a server together; beyond, those that are behind are dropped earlier. */
  readonly mostWaitingInAll: number
  readonly heartbeatMs: number
  /** How long a client that is being caught up may not read at all. */
  readonly stallMs: number
}

export const SSE_LIMITS: SseLimits = {
  mostWaiting: 4 * 1024 * 1024,
  mostWaitingInAll: 64 * 1024 * 1024,
  heartbeatMs: 5000,
  stallMs: 30_000,
}

const FLUSH_MS = 10
/** Who reads has less than this waiting, except for a moment. */
const BEHIND_BYTES = 128 * 1024

export interface SseConnection extends Disposable {
  /** Fires when the client is gone, for whatever reason. */
  readonly signal: AbortSignal
  /** At once or a little later; never waits. */
  put(bytes: Buffer): void
  /** Resolves when there is room again, or the client is gone. */
  room(): Promise<void>
  end(): void
}

/** Of one server: how much waits for each of its clients. */
type Waiting = Set<() => number>

/** Opens the connections of one server. */
export function sseOpener(
  limits: SseLimits,
): (response: ServerResponse, heartbeat: Buffer) => SseConnection {
  const all: Waiting = new Set()
  return (response, heartbeat) => openSse(response, limits, all, heartbeat)
}

function openSse(
  response: ServerResponse,
  limits: SseLimits,
  all: Waiting,
  beat: Buffer,
): SseConnection {
  const gone = new AbortController()
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'x-accel-buffering': 'no',
  })
  response.write(RETRY)
  // A connection of HTTP/2 belongs to all its streams, and holds nothing back by itself.
  if (response.req.httpVersionMajor < 2) response.socket?.setNoDelay(true)
  // Each session of a joint stream waits for room by itself.
  response.setMaxListeners(0)
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let timer: NodeJS.Timeout | undefined
  let lastFlush = 0
  const heartbeat = setInterval(() => connection.put(beat), limits.heartbeatMs)

  function flush(): void {
    timer = undefined
    lastFlush = performance.now()
    if (waitingBytes === 0 || gone.signal.aborted) return
    const [only] = waiting
    response.write(waiting.length === 1 && only ? only : Buffer.concat(waiting, waitingBytes))
    waiting = []
    waitingBytes = 0
  }

  const behind = () => response.writableLength + waitingBytes
  all.add(behind)

  /** Looked at before something is added: one large event is no slow reader. */
  function isTooSlow(): boolean {
    const own = behind()
    if (own <= BEHIND_BYTES) return false
    return (
      own > limits.mostWaiting ||
      [...all].reduce((sum, waits) => sum + waits(), 0) > limits.mostWaitingInAll
    )
  }

  function leave(): void {
    all.delete(behind)
    clearInterval(heartbeat)
    clearTimeout(timer)
    waiting = []
    waitingBytes = 0
    gone.abort()
  }
  response.once('close', leave)
  response.once('error', leave)

  const connection: SseConnection = {
    signal: gone.signal,
    put(bytes) {
      if (gone.signal.aborted) return
      if (isTooSlow()) {
        response.destroy()
        leave()
        return
      }
      waiting.push(bytes)
      waitingBytes += bytes.length
      timer ??= setTimeout(flush, Math.max(0, FLUSH_MS - (performance.now() - lastFlush)))
    },
    async room() {
      clearTimeout(timer)
      flush()
      if (!response.writableNeedDrain || gone.signal.aborted) return
      const { promise, resolve } = deferred<void>()
      const stalled = setTimeout(() => response.destroy(), limits.stallMs)
      response.once('drain', resolve)
      gone.signal.addEventListener('abort', () => resolve(), { once: true })
      await promise
      clearTimeout(stalled)
      response.off('drain', resolve)
    },
    end() {
      clearTimeout(timer)
      flush()
      leave()
      response.end()
    },
    [Symbol.dispose]: leave,
  }
  return connection
}
