/** What was asked of the other side and is not answered yet. Every call ends: by its answer, by being taken back, or with the connection. */
import { deferred, type Deferred } from '../deferred.ts'
import { fieldsOf, type Fields } from '../fields.ts'
import { RpcFailure, rpcCodes } from './failure.ts'

interface Calls {
  /** `send` gets the id that the answer will bear, `takeBack` tells the other side that none is wanted any more. */
  ask(
    send: (id: number) => void,
    takeBack: (id: number) => void,
    signal?: AbortSignal,
  ): Promise<unknown>
  /** False when nobody asked. */
  settle(answer: Fields): boolean
  fail(reason: Error): void
  readonly isWaiting: boolean
}

export function openCalls(): Calls {
  const asked = new Map<number, Deferred<unknown>>()
  let lastId = 0
  return {
    async ask(send, takeBack, signal) {
      if (signal?.aborted === true) throw takenBack()
      lastId += 1
      const id = lastId
      const answer = deferred<unknown>()
      asked.set(id, answer)
      send(id)
      const giveUp = () => {
        if (!asked.delete(id)) return
        takeBack(id)
        answer.reject(takenBack())
      }
      signal?.addEventListener('abort', giveUp, { once: true })
      try {
        return await answer.promise
      } finally {
        signal?.removeEventListener('abort', giveUp)
      }
    },
    settle({ id, result, error }) {
      const answer = typeof id === 'number' ? asked.get(id) : undefined
      if (answer === undefined) return false
      asked.delete(id as number)
      if (error === undefined || error === null) answer.resolve(result)
      else answer.reject(refusalIn(error))
      return true
    },
    fail(reason) {
      for (const { reject } of asked.values()) reject(reason)
      asked.clear()
    },
    get isWaiting() {
      return asked.size > 0
    },
  }
}

const takenBack = () => new RpcFailure(rpcCodes.cancelled, 'The request was taken back.')

function refusalIn(error: unknown): RpcFailure {
  const { code, message, data } = fieldsOf(error)
  const said = typeof message === 'string' ? message : 'No reason was given.'
  return new RpcFailure(typeof code === 'number' ? code : rpcCodes.internal, said, data)
}
