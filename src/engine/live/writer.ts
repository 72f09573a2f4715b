/**
 * One writer at a time. A session asks for the lease before it writes, catches up with what others wrote,
 * and gives the lease back when it is idle and somebody asks. What was acknowledged is never lost by either step.
 */
import { JUST_NOW_MS } from '../../log/durable-file.ts'
import { LeaseLost, LogMoved } from '../../log/errors.ts'
import { foreignHolders } from '../../log/inuse-lock.ts'
import { LeaseBusy, acquireLease } from '../../log/lease.ts'
import type { Lease } from '../../log/lease.ts'
import { openLog } from '../../log/open.ts'
import { alignCheckpoints } from '../time/align.ts'
import type { EngineContext } from '../context.ts'
import { EngineError } from '../errors.ts'
import { keepSnapshot } from './knowledge.ts'
import type { LiveSession, Writer } from './live-session.ts'
import { stateOf } from './live-session.ts'
import { announce } from '../home/touched.ts'
import { translateError } from '../translate-error.ts'

export type WriterOptions = {
  /** How long a busy holder is waited for. An idle one yields at once. */
  readonly waitMs?: number
  readonly signal?: AbortSignal
}

const DEFAULT_WAIT_MS = 3_000

/** Runs an action with the right to write. Whoever asks for the lease meanwhile gets it afterwards. */
export async function withWriter<T>(
  engine: EngineContext,
  session: LiveSession,
  options: WriterOptions,
  action: (writer: Writer) => Promise<T>,
): Promise<T> {
  session.using += 1
  try {
    session.becoming ??= becomeWriter(engine, session, options).finally(() => {
      session.becoming = undefined
    })
    return await action(await session.becoming)
  } catch (cause) {
    const { writer } = session
    if (writer !== undefined && isOvertaken(cause)) await layDown(session, writer)
    throw translateError(cause)
  } finally {
    session.using -= 1
    if (session.using === 0 && session.asked) await yieldWriter(engine, session)
  }
}

async function becomeWriter(
  engine: EngineContext,
  session: LiveSession,
  options: WriterOptions,
): Promise<Writer> {
  const current = session.writer
  if (current !== undefined) {
    if (await current.lease.holds(JUST_NOW_MS)) return current
    await layDown(session, current)
  }
  const lease = await askForLease(engine, session, options)
  try {
    await session.observer.refresh()
    const state = stateOf(session)
    const log = await openLog(engine.fs, session.dir, {
      fence: lease,
      durability: engine.durability,
      clock: engine.clock,
      newId: engine.newId,
      replaceInode: lease.takenOver === 'live',
      onTrouble: ({ error, retryInMs }) =>
        session.feed.tell({
          type: 'session.error',
          data: {
            errorType: 'persistence',
            message: `The session's log cannot be written (${error.message}). Nothing shown is lost; trying again in ${retryInMs} ms.`,
          },
        }),
      onRecovered: () => {},
    })
    if (log.size !== state.size) {
      // openLog mended the tail, or somebody without a lease wrote: know exactly what is on disk.
      await session.observer.refresh()
    }
    session.writer = { lease, log }
    await alignCheckpoints(engine, session)
    return session.writer
  } catch (cause) {
    await lease.release()
    throw cause
  }
}

/** Gives the lease back after everything queued is durable. This process goes on as an observer and may ask again. */
export async function yieldWriter(engine: EngineContext, session: LiveSession): Promise<void> {
  const { writer } = session
  if (writer === undefined) return
  session.asked = false
  try {
    await writer.log.close()
    await keepSnapshot(engine.fs, session.dir, session.knowledge, { always: false })
  } finally {
    session.writer = undefined
    await writer.lease.release()
    if (session.feed.watched) session.observer.start()
  }
}

const isOvertaken = (cause: unknown) => cause instanceof LeaseLost || cause instanceof LogMoved

async function layDown(session: LiveSession, writer: Writer): Promise<void> {
  session.writer = undefined
  await writer.log.close().catch(() => {}) // fenced: nothing of ours may reach the log any more
  await writer.lease.release()
}

async function askForLease(
  engine: EngineContext,
  session: LiveSession,
  { waitMs = DEFAULT_WAIT_MS, signal }: WriterOptions,
): Promise<Lease> {
  const lease = await acquireLease(engine.fs, session.dir, {
    label: engine.clientName,
    waitMs,
    ...(signal && { signal }),
    onRequest: () => {
      session.asked = true
      if (session.using === 0) void yieldWriter(engine, session).catch(() => {})
    },
  }).catch((cause: unknown) => {
    throw cause instanceof LeaseBusy ? inUse(session, cause) : cause
  })
  const [pid] = await foreignHolders(engine.fs, session.dir)
  if (pid === undefined) return announced(engine, session, lease)
  await lease.release()
  throw new EngineError(
    'in_use',
    `Session ${session.id} is open in another program (pid ${pid}) that cannot hand it over. ` +
      `Nothing was changed. Close it there, or fork the session.`,
    { details: { sessionId: session.id, pid } },
  )
}

/** Whoever lists sessions looks at this one until the lease is given back. */
async function announced({ fs }: EngineContext, { id }: LiveSession, lease: Lease): Promise<Lease> {
  const isOver = await announce(fs, id)
  const release = async (): Promise<void> => {
    await lease.release()
    await isOver()
  }
  return { ...lease, release, [Symbol.asyncDispose]: release }
}

function inUse(session: LiveSession, cause: LeaseBusy): EngineError {
  const { pid, host, since, label } = cause.holder
  return new EngineError(
    'in_use',
    `Session ${session.id} is busy in another process (${label}, pid ${pid} on ${host}, since ${since}). ` +
      `Nothing was changed. Wait for its turn to end (--wait), watch it (sessions events --follow), or fork it.`,
    { cause, details: { sessionId: session.id, holder: cause.holder } },
  )
}
