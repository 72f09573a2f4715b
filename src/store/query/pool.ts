/** Workers that stand ready, because to start one takes longer than most queries. */
import type { Job, Outcome } from './job.ts'
import { QueryError } from './query.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

export interface Pool {
  run(job: Job, signal?: AbortSignal): Promise<Outcome & { readonly elapsedMs: number }>
  /** Starts a worker for the next query. */
  warm(memoryMb: number): void
  end(): void
}

type Waiting = { readonly memoryMb: number; readonly worker: Promise<WorkerProcess | undefined> }

/** A waiting worker may have been ended from outside. */
const MOST_TRIES = 3

/** As many queries as are asked run at once; `idle` workers wait for the next. */
export function createPool({ idle }: { readonly idle: number }): Pool {
  const waiting: Waiting[] = []
  let hasEnded = false

  const take = async (memoryMb: number): Promise<WorkerProcess> => {
    for (;;) {
      const at = waiting.findIndex((other) => other.memoryMb === memoryMb)
      const [found] = at < 0 ? [] : waiting.splice(at, 1)
      if (found === undefined) return await startWorker(memoryMb)
      const worker = await found.worker
      if (worker?.isAlive) return worker
    }
  }

  const keep = (worker: WorkerProcess) => {
    if (hasEnded || waiting.length >= idle) worker.end()
    else waiting.push({ memoryMb: worker.memoryMb, worker: Promise.resolve(worker) })
  }

  const warm = (memoryMb: number) => {
    if (hasEnded || waiting.length >= idle) return
    // A start that fails shows with the next query, which starts a worker itself.
    waiting.push({ memoryMb, worker: startWorker(memoryMb).catch(() => undefined) })
  }

  return {
    async run(job, signal) {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        signal?.throwIfAborted()
        const worker = await take(job.memoryMb)
        const startedAt = performance.now()
        try {
          const answer = await worker.run(job, signal)
          if (answer === undefined) continue
          if (answer.isWorn) worker.end()
          else keep(worker)
          return { ...answer.outcome, elapsedMs: performance.now() - startedAt }
        } catch (error) {
          // The worker had to be ended.
          warm(job.memoryMb)
          throw error
        }
      }
      throw new QueryError(
        'unavailable',
        'SQL cannot be run: its processes end by themselves. Nothing was changed.',
      )
    },
    warm,
    end() {
      hasEnded = true
      for (const { worker } of waiting.splice(0)) void worker.then((started) => started?.end())
    },
  }
}
