/** A worker: takes tasks from Mission Control while it has room, and runs each in a work tree of its own. */
import { setTimeout as sleep } from 'node:timers/promises'
import { errorText } from '../../lib/error-text.ts'
import type { ClaimedTask } from '../task-client.ts'
import { runTask, type TaskParts } from './run-task.ts'

type WorkerParts = Omit<TaskParts, 'worker'> & {
  readonly pool: string
  readonly slots: number
  /** As it is told to people. */
  readonly agent: string
  readonly policy: string
  readonly tell: (line: string) => void
}

const WAIT_SECONDS = 20
const RETRY_MS = 2000

/** Until the signal fires; tasks that run then are left for others. */
export async function work(parts: WorkerParts): Promise<void> {
  const { server, pool, slots, agent, policy, signal, tell } = parts
  const worker = crypto.randomUUID()
  const running = new Set<Promise<void>>()
  const left = new Set<string>()
  while (!signal.aborted) {
    const told = { worker, pool, agent, policy, slots, busy: running.size }
    try {
      if (running.size >= slots) await Promise.race([...running, stop(signal)])
      else {
        const claimed = await server.tasks.claim(told, { wait: WAIT_SECONDS, signal })
        if (claimed !== undefined) begin(claimed)
      }
    } catch (cause) {
      if (signal.aborted) break
      tell(`Mission Control could not be asked; it is tried again. (${errorText(cause)})`)
      await sleep(RETRY_MS, undefined, { signal }).catch(() => {}) // stopping ends the wait
    }
  }
  await Promise.allSettled(running)
  await server.tasks.leave(worker)

  function begin(claimed: ClaimedTask): void {
    const { id, attempts } = claimed.task
    // An older server may have made such: no address leads to them, so nobody could keep or end them.
    if (/^\.+$/.test(id)) {
      if (!left.has(id))
        tell(`Task ${JSON.stringify(id)} cannot be spoken of with this server. It was left.`)
      left.add(id)
      return
    }
    tell(`Task ${id} begins${attempts > 1 ? `, for the ${attempts}. time` : ''}.`)
    const run = runTask({ ...parts, worker }, claimed)
      .then(() => tell(`Task ${id} is over here.`))
      .catch((cause: unknown) => tell(`Task ${id} broke off. (${errorText(cause)})`))
      .finally(() => running.delete(run))
    running.add(run)
  }
}

const stop = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
