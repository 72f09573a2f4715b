/**
 * One task, from the claim to its result. While it runs the worker says again and again that it has it; when another
 * worker has it by then, this one stops and writes nothing more.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Engine } from '../../engine/engine.ts'
import { EngineError } from '../../engine/errors.ts'
import type { Session } from '../../engine/session.ts'
import { isSessionId } from '../../format/ids.ts'
import { MOST_TEXT, type TaskResult } from '../../format/task.ts'
import { BadPath } from '../../lib/check-path.ts'
import { defined } from '../../lib/defined.ts'
import { errorText } from '../../lib/error-text.ts'
import type { Allowed } from '../git/address.ts'
import type { Server } from '../control-client.ts'
import { isPassing, RemoteError } from '../remote-error.ts'
import type { ClaimedTask, TaskEnd } from '../task-client.ts'
import { allSent } from './all-sent.ts'
import { checkOut, removeCheckout, type Checkout } from './checkout.ts'
import { changesIn, outcomeOf } from './outcome.ts'
import { takeSession } from './take-session.ts'

export type TaskParts = {
  readonly engine: Engine
  readonly server: Server
  readonly worker: string
  readonly projects: string
  readonly allowed: Allowed
  readonly push: boolean
  readonly redactText: (text: string) => string
  /** Fires when the worker stops: the task is left for another one. */
  readonly signal: AbortSignal
  /** How long a session without a message of its own waits for one. */
  readonly idleMs?: number
}

const IDLE_MS = 30 * 60_000
const LOOK_MS = 500

export async function runTask(parts: TaskParts, claimed: ClaimedTask): Promise<void> {
  const { server, worker, signal } = parts
  const { id } = claimed.task
  const over = new AbortController()
  const stopped = AbortSignal.any([signal, over.signal])
  const held: { checkout?: Checkout; session?: Session; told?: string; isCancelled?: boolean } = {}

  async function keep(): Promise<void> {
    while (!stopped.aborted) {
      await sleep(claimed.leaseMs / 3, undefined, { signal: stopped })
      const progress = await progressOf(parts, held)
      const { isYours, isCancelled } = await server.tasks.keep(id, worker, progress)
      if (isYours && !isCancelled) continue
      held.isCancelled = isCancelled
      await held.session?.cancel({ queue: 'clear' })
      over.abort()
    }
  }
  // A server that is away is asked again; the lease tells it who has the task.
  const keeping = (async () => {
    while (!stopped.aborted) await keep().catch(() => {}) // the lease decides who has it
  })()

  try {
    const end = await work(parts, claimed, held, stopped)
    over.abort()
    await keeping
    if (signal.aborted) return
    const said: TaskEnd = held.isCancelled === true ? { worker, state: 'cancelled' } : end
    await endSurely(parts, id, said)
  } finally {
    over.abort()
    await held.session?.close()
  }
}

async function work(
  parts: TaskParts,
  claimed: ClaimedTask,
  held: { checkout?: Checkout; session?: Session },
  signal: AbortSignal,
): Promise<TaskEnd> {
  const { engine, server, worker, projects, allowed, push, redactText } = parts
  const { task, wish, result } = claimed
  const { session: id } = task
  if (!isSessionId(id))
    return { worker, state: 'failed', reason: `No session can be called ${JSON.stringify(id)}.` }
  try {
    const checkout = await checkOut({ id: task.id, projects, allowed, wish, result, signal })
    held.checkout = checkout
    const { session, message } = await takeSession({
      engine,
      server,
      id,
      task: task.id,
      attempts: task.attempts,
      wish,
      cwd: checkout.cwd,
      ...(task.attempts > 1 && !checkout.isFound && { filesOf: { upTo: result?.upTo } }),
    })
    held.session = session
    if (message !== undefined) {
      const { ended } = await session.send(message, { whenBusy: 'enqueue' })
      const { status, error } = await ended
      if (signal.aborted) return { worker, state: 'cancelled' }
      if (status === 'failed')
        return { worker, state: 'failed', reason: error ?? 'The turn failed.' }
    }
    await atRest(session, wish.prompt === undefined ? (parts.idleMs ?? IDLE_MS) : 0, signal)
    if (signal.aborted) return { worker, state: 'cancelled' }
    const told = await outcomeOf({ id: task.id, checkout, session, redactText, push })
    await allSent(engine, session.id, signal)
    await removeCheckout(projects, task.id, checkout.repository)
    return { worker, state: 'done', ...told }
  } catch (cause) {
    if (signal.aborted) return { worker, state: 'cancelled' }
    if (!(cause instanceof EngineError || cause instanceof BadPath)) throw cause
    return { worker, state: 'failed', reason: errorText(cause).slice(0, 2000) }
  }
}

/** Nothing runs or waits, for so long. */
async function atRest(session: Session, forMs: number, signal: AbortSignal): Promise<void> {
  let since = Date.now()
  while (!signal.aborted) {
    const { isRunning = false, queued = 0, isQueueHeld = false } = session.now ?? {}
    if (isRunning || (queued > 0 && !isQueueHeld)) since = Date.now()
    else if (Date.now() - since >= forMs) return
    await sleep(LOOK_MS, undefined, { signal }).catch(() => {}) // its end is looked at above
  }
}

/** What is changed so far, where it is other than what was told. */
async function progressOf(
  { redactText }: TaskParts,
  held: { checkout?: Checkout; session?: Session; told?: string },
): Promise<TaskResult | undefined> {
  const { checkout, session } = held
  if (checkout === undefined || session === undefined) return undefined
  const { events } = await session.events({ direction: 'backward', limit: 1 })
  const { tree, text, base } = await changesIn(checkout, redactText)
  if (tree === held.told || text.length > MOST_TEXT) return undefined
  held.told = tree
  const upTo = events[0]?.id
  return { diff: text, base, ...defined({ upTo }) }
}

/** The result is told until the server has it, or the worker stops. */
async function endSurely({ server, signal }: TaskParts, id: string, end: TaskEnd): Promise<void> {
  for (let wait = 500; !signal.aborted; wait = Math.min(wait * 2, 30_000)) {
    try {
      await server.tasks.end(id, end)
      return
    } catch (cause) {
      if (cause instanceof RemoteError && !isPassing(cause)) throw cause
      // Nobody heard it: it is told again.
      await sleep(wait, undefined, { signal }).catch(() => {}) // its end is looked at above
    }
  }
}
