/**
 * The thread that reads beside the one that writes. Watched from its first moment, so that it may fail whenever it
 * likes, and ended with the work.
 */
import type { Worker } from 'node:worker_threads'
import type { Measures } from './reads.ts'

export type Packed = Measures & { readonly packed: Uint8Array; readonly isLast: boolean }

export type Thread = {
  readonly arrived: Packed[]
  hasEnded(): boolean
  post(message: unknown): void
  /** When something has arrived, or the thread has ended. */
  news(): Promise<void>
}

export interface SecondThread {
  /** The same each time; undefined where there can be none. */
  start(): Thread | undefined
  [Symbol.asyncDispose](): Promise<void>
}

export function secondThread(startWorker: (() => Worker | undefined) | undefined): SecondThread {
  let worker: Worker | undefined
  let thread: Thread | undefined
  return {
    start() {
      if (thread === undefined) {
        worker = startWorker?.()
        thread = worker && watched(worker)
      }
      return thread
    },
    async [Symbol.asyncDispose]() {
      await worker?.terminate()
    },
  }
}

function watched(worker: Worker): Thread {
  const arrived: Packed[] = []
  let hasEnded = false
  let wake = () => {}
  worker.on('message', (packed: Packed) => (arrived.push(packed), wake()))
  worker.on('error', () => ((hasEnded = true), wake()))
  worker.on('exit', () => ((hasEnded = true), wake()))
  return {
    arrived,
    hasEnded: () => hasEnded,
    post: (message) => worker.postMessage(message, []),
    async news() {
      if (arrived.length === 0 && !hasEnded) await new Promise<void>((resolve) => (wake = resolve))
    },
  }
}
