/** Requests of the other side: each begins in its order, so many at a time, and gets exactly one answer. */
import { RpcFailure, rpcCodes } from './failure.ts'

export type Id = string | number

interface Serving {
  admit(id: Id, serve: (cancelled: AbortSignal) => Promise<void>): void
  cancel(id: Id): void
  /** Those that wait never begin; those that run are told to end. */
  end(): void
}

const MOST_WAITING = 1000

/** `refuse` answers a request that is not taken. */
export function openServing(
  maxRequests: number,
  refuse: (id: Id, failure: RpcFailure) => void,
): Serving {
  const serving = new Map<Id, AbortController>()
  const waiting: (() => void)[] = []
  let running = 0

  async function run(id: Id, work: () => Promise<void>): Promise<void> {
    running += 1
    try {
      await work()
    } finally {
      serving.delete(id)
      running -= 1
      waiting.shift()?.()
    }
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
    end() {
      for (const controller of serving.values()) controller.abort()
      waiting.length = 0
    },
  }
}

const invalid = (message: string) => new RpcFailure(rpcCodes.invalidRequest, message)
const tooMany = (message: string) => new RpcFailure(rpcCodes.internal, message)
