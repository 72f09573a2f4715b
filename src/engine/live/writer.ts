/**
 * One writer at a time. A session asks for the lease before it writes, catches up with what others wrote,
 * and gives the lease back when it is idle and another process asks. What was acknowledged is never lost by either step.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { clearTemporary } from '../../fs/clear-temporary.ts'
import { JUST_NOW_MS } from '../../log/durable-file.ts'
import { EventsNotOnDisk, LeaseLost, LogMoved } from '../../log/errors.ts'
import { foreignHolders } from '../../log/inuse-lock.ts'
import { LeaseBusy, acquireLease } from '../../log/lease.ts'
import type { Lease } from '../../log/lease-hold.ts'
import { openLog } from '../../log/open.ts'
import type { Recovered } from '../../project/restore-intent.ts'
import { alignCheckpoints } from '../history/align.ts'
import { settleFiles } from '../history/session-files.ts'
import type { EngineContext } from '../engine-context.ts'
import { defined } from '../../lib/defined.ts'
import { errorText } from '../../lib/error-text.ts'
import { EngineError } from '../errors.ts'
import { keepSnapshot } from './folded-log.ts'
import { stateOf, type LiveSession, type Writer } from './live-session.ts'
import { leaseTable, step, type LeaseInput } from './machine.ts'
import { recover } from './recover.ts'
import { announce } from '../catalogue/dirty-markers.ts'
import { closeInbox } from '../transport/serve-inbox.ts'
import { translateError } from '../translate-error.ts'

export type WriterOptions = {
  /** How long a busy holder is waited for. An idle one yields at once. */
  readonly waitMs?: number
  readonly signal?: AbortSignal
}

const DEFAULT_WAIT_MS = 3_000

/**
 * Runs an action with the right to write. A process that asks for the lease meanwhile gets it afterwards; one that took
 * it while this process stood still keeps it, and the action ends without another word in the log.
 */
export async function withWriter<T>(
  engine: EngineContext,
  session: LiveSession,
  options: WriterOptions,
  action: (writer: Writer) => Promise<T>,
): Promise<T> {
  const { writing } = session
  writing.users += 1
  try {
    return await action(await obtainWriter(engine, session, options))
  } catch (cause) {
    if (isOvertaken(cause)) await lose(engine, session, writing.users > 1)
    else if (cause instanceof EventsNotOnDisk) await give(engine, session, 'overtaken')
    throw isOvertaken(cause) && writing.isLost ? overtaken(session) : translateError(cause)
  } finally {
    writing.users -= 1
    if (writing.users === 0) writing.isLost = false
    if (writing.users === 0) await give(engine, session, 'end')
  }
}

/** Gives the lease back once nothing relies on it. This process goes on as an observer and may ask again. */
export const yieldWriter = (engine: EngineContext, session: LiveSession): Promise<void> =>
  give(engine, session, 'let-go')

async function obtainWriter(
  engine: EngineContext,
  session: LiveSession,
  options: WriterOptions,
): Promise<Writer> {
  const { writing } = session
  for (;;) {
    if (writing.isLost) throw overtaken(session)
    const { to, effect } = step(leaseTable, writing.state, 'begin')
    writing.state = to
    if (effect === 'acquire') return changing(session, becomeWriter(engine, session, options))
    if (effect === 'wait')
      // What went wrong with giving it back was told to the one who gave it back.
      await (to === 'yielding' ? writing.changing?.catch(() => {}) : writing.changing)
    const { writer } = writing
    if (writer === undefined) continue
    if (effect === 'wait' || (await writer.lease.holds(JUST_NOW_MS))) return writer
    await lose(engine, session, writing.users > 1)
  }
}

/** Tells the table of a change, and carries out what it says. */
async function give(
  engine: EngineContext,
  session: LiveSession,
  input: Exclude<LeaseInput, 'begin' | 'granted' | 'refused' | 'yielded'>,
): Promise<void> {
  const { writing } = session
  const { to, effect } = step(leaseTable, writing.state, input)
  writing.state = to
  if (effect === 'drop') await layDown(session)
  if (effect === 'wait') await writing.changing
  if (effect === 'yield') await changing(session, handBack(engine, session))
}

async function changing<T>(session: LiveSession, change: Promise<T>): Promise<T> {
  const { writing } = session
  writing.changing = change
  try {
    return await change
  } finally {
    if (writing.changing === change) writing.changing = undefined
  }
}

async function becomeWriter(
  engine: EngineContext,
  session: LiveSession,
  options: WriterOptions,
): Promise<Writer> {
  const { writing } = session
  let lease: Lease | undefined
  try {
    lease = await askForLease(engine, session, options)
    const writer = await openWriter(engine, session, lease)
    writing.state = step(leaseTable, writing.state, 'granted').to
    return writer
  } catch (cause) {
    writing.writer = undefined
    writing.state = step(leaseTable, writing.state, 'refused').to
    await lease?.release()
    throw cause
  }
}

async function openWriter(
  engine: EngineContext,
  session: LiveSession,
  lease: Lease,
): Promise<Writer> {
  await session.watcher.refresh()
  const { size } = stateOf(session)
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
          message: `The session's log cannot be written (${errorText(error)}). Nothing shown is lost; trying again in ${retryInMs} ms.`,
        },
      }),
    onRecovered: () => {},
  })
  // openLog mended the tail, or a program without a lease wrote: know exactly what is on disk.
  if (log.size !== size) await session.watcher.refresh()
  const writer = { lease, log }
  session.writing.writer = writer
  const settled = await settleFiles(engine, session).catch((error: unknown) => ({
    unsettled: [errorText(error)],
    told: [],
  }))
  tellSettled(session, settled)
  await recover(engine, session)
  if (lease.takenOver === 'dead') await clearTemporary(engine.fs, session.dir)
  await alignCheckpoints(engine, session)
  return writer
}

/** A turn may go on; the next rewind or redo tries again, and is refused until it is settled. */
function tellSettled(session: LiveSession, { unsettled, told }: Recovered): void {
  const words = [
    ...told,
    ...unsettled.map((each) => `An interrupted undo or redo of files is not settled: ${each}`),
  ]
  for (const message of words) {
    session.feed.tell({ type: 'session.error', data: { errorType: 'file_restore', message } })
  }
}

/** After everything queued is durable. */
async function handBack(engine: EngineContext, session: LiveSession): Promise<void> {
  const { writing } = session
  const { writer } = writing
  try {
    await closeInbox(session)
    await writer?.log.close()
    await keepSnapshot(engine.fs, session.dir, session.folded, { always: false })
  } finally {
    writing.writer = undefined
    await writer?.lease.release()
    writing.state = step(leaseTable, writing.state, 'yielded').to
    if (session.feed.watched) session.watcher.start()
  }
}

const isOvertaken = (cause: unknown) => cause instanceof LeaseLost || cause instanceof LogMoved

async function layDown(session: LiveSession): Promise<void> {
  const { writer } = session.writing
  session.writing.writer = undefined
  await closeInbox(session)
  await writer?.log.close().catch(() => {}) // fenced: nothing of ours may reach the log any more
  await writer?.lease.release()
}

/**
 * Another process has the session. What runs here under the lease that is lost is stopped, and those who follow are
 * told; they go on as observers of the other one. An action that was only about to begin asks for the lease anew.
 */
async function lose(
  engine: EngineContext,
  session: LiveSession,
  isReliedOn: boolean,
): Promise<void> {
  const { writing, work, feed, watcher } = session
  if (writing.writer !== undefined && isReliedOn) {
    writing.isLost = true
    if (work.running !== undefined) {
      work.running.abort.abort()
      const { message } = overtaken(session)
      feed.tell({ type: 'session.error', data: { errorType: 'overtaken', message } })
    }
  }
  await give(engine, session, 'overtaken')
  if (feed.watched) watcher.start()
}

const overtaken = ({ id }: LiveSession): EngineError =>
  new EngineError(
    'in_use',
    `Another process took session ${id} over while this one stood still. What ran here has ended, and nothing more of it ` +
      'is recorded; what was recorded before is intact. Look at what was done there, then send again.',
    { details: { sessionId: id } },
  )

/** How often it is looked whether another program has let go of the session. */
const LOOK_AGAIN_MS = 250

async function askForLease(
  engine: EngineContext,
  session: LiveSession,
  { waitMs, signal }: WriterOptions,
): Promise<Lease> {
  const deadlineMs = performance.now() + (waitMs ?? 0)
  const lease = await acquireLease(engine.fs, session.dir, {
    label: engine.clientName,
    waitMs: waitMs ?? DEFAULT_WAIT_MS,
    ...defined({ signal }),
    // What could not be written while the lease is given back stays unacknowledged, and its sender was told.
    onRequest: () => void give(engine, session, 'asked').catch(() => {}),
    onLost: () => void lose(engine, session, session.writing.users > 0).catch(() => {}), // those who wait are told
  }).catch((cause: unknown) => {
    throw cause instanceof LeaseBusy ? inUse(session, cause) : cause
  })
  const [pid] = await foreignHolders(engine.fs, session.dir)
  if (pid === undefined) return announced(engine, session, lease)
  await lease.release()
  const leftMs = deadlineMs - performance.now()
  if (leftMs > 0) {
    // Another program tells nobody when it lets go.
    await delay(Math.min(leftMs, LOOK_AGAIN_MS), undefined, defined({ signal }))
    return askForLease(engine, session, {
      waitMs: Math.max(0, leftMs - LOOK_AGAIN_MS),
      ...defined({ signal }),
    })
  }
  throw new EngineError(
    'in_use',
    `Session ${session.id} is open in another program (pid ${pid}) that cannot hand it over. ` +
      `Nothing was changed. Close it there, or fork the session.`,
    { details: { sessionId: session.id, pid } },
  )
}

/** A list of sessions looks at this one until the lease is given back. */
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
      `Nothing was changed. Wait for its turn to end, watch it, or fork it.`,
    { cause, details: { sessionId: session.id, holder: cause.holder } },
  )
}
