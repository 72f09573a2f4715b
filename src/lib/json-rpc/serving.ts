/** Requests of the other side: each begins in its order, so many at a time, and gets exactly one answer. */
import { deferred } from '../deferred.ts'
import { RpcFailure, rpcCodes } from './failure.ts'

export type Id = string | number

interface Serving {
  admit(id: Id, serve: (cancelled: AbortSignal) => Promise<void>): void
  cancel(id: Id): void
  /** All are told to end; those that wait begin with that, and so do nothing. */
  end(): void
  /** Resolves when all have their answers; those that take longer than this, or than the connection, are told to end. */
  finish(ms: number, closed: Promise<unknown>): Promise<void>
}

const MOST_WAITING = 1000
/** How long what was told to end may take to say so. */
const ENDING_MS = 1000

/** `refuse` answers a request that is not taken. */
export function openServing(
  maxRequests: number,
  refuse: (id: Id, failure: RpcFailure) => void,
): Serving {
  const serving = new Map<Id, AbortController>()
  const waiting: (() => void)[] = []
  const atRest: (() => void)[] = []
  let running = 0

  async function run(id: Id, work: () => Promise<void>): Promise<void> {
    running += 1
    try {
      await work()
    } finally {
      serving.delete(id)
      running -= 1
      waiting.shift()?.()
      if (serving.size === 0) for (const resolve of atRest.splice(0)) resolve()
    }
  }

  async function idleWithin(ms: number, closed: Promise<unknown>): Promise<void> {
    if (serving.size === 0) return
    const { promise, resolve } = deferred<void>()
    atRest.push(resolve)
    const timer = setTimeout(resolve, ms)
    await Promise.race([promise, closed])
    clearTimeout(timer)
  }

  function end(): void {
    for (const controller of serving.values()) controller.abort()
  }

  return {
    admit(id, serve) {
      if (serving.has(id)) return refuse(id, invalid('This id is in use by another request.'))
      if (waiting.length >= MOST_WAITING)
        return refuse(id, tooMany(`${MOST_WAITING} requests are waiting already.`))
      const controller = new AbortController()
      serving.set(id, controller)
      const start = () => void run(id, () => serve(controller.signal))
      // Answers to what was asked here still come in meanwhile: a request may wait for just those.
      if (running < maxRequests) start()
      else waiting.push(start)
    },
    cancel: (id) => serving.get(id)?.abort(),
    end,
    async finish(ms, closed) {
      await idleWithin(ms, closed)
      end()
      await idleWithin(ENDING_MS, closed)
    },
  }
}

const invalid = (message: string) => new RpcFailure(rpcCodes.invalidRequest, message)
const tooMany = (message: string) => new RpcFailure(rpcCodes.internal, message)
