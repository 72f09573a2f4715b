/**
 * Keeps the store beside the sessions that change in this process. It is told that something happened and
 * reads what in the log itself, so nothing told twice, late or not at all can make a difference. It never
 * throws, never waits for a lock, and tries again by itself. A long log is taken in small pieces with rests between
 * them: whatever else this process does goes on meanwhile.
 */
import type { DatabaseSync } from 'node:sqlite'
import { setTimeout as pause } from 'node:timers/promises'
import type { SessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { createBreather, type Breathe } from '../lib/yield-loop.ts'
import { errorText } from '../lib/error-text.ts'
import { serially } from '../lib/coalesce.ts'
import { StoreUnavailable, type Connection } from './connection.ts'
import { mergeDeleted } from './merge.ts'
import { BUSY_TIMEOUT_MS } from './database-file.ts'
import { troubleOf } from './open-store.ts'
import { forget } from './store-position.ts'
import { logPath, sessionDir } from '../format/paths.ts'
import { sqlOf } from './sql.ts'
import { inTransaction } from './transaction.ts'

export interface Follower {
  /** Whatever it was: the log says what. */
  changed(id: SessionId): void
  /**
   * Resolves when everything told so far is in the store, or cannot be for now. While others keep the store to
   * themselves it tries for a moment: a process that ends now would leave the rest to the next start. It hurries, unless
   * what comes after it is work in the background as well: then it goes on `gently`.
   */
  settled(options?: { readonly gently?: boolean }): Promise<void>
  close(): void
}

type FollowerOptions = {
  readonly connection: Connection
  readonly fs: SessionFs
  readonly redact?: (text: string) => string
  /** Told when a session cannot be indexed for a reason that is not the database's. */
  readonly onTrouble?: (message: string) => void
  /** How long changes are gathered. A turn writes many events; one look at the log is enough for all. */
  readonly gatherMs?: number
  /** The first pause after a failure; each next one is twice as long. Another writer is no failure. */
  readonly retryMs?: number
  /** How long `settled` tries to get past others. */
  readonly patienceMs?: number
}

const LONGEST_PAUSE_MS = 60_000
/** Between two attempts of `settled`. */
const RETRY_MS = 30

/** Many that wait for each other must not all come at the same time. */
const jittered = (ms: number): number => ms * (0.5 + Math.random())

export function createFollower(options: FollowerOptions): Follower {
  const { gatherMs = 250, retryMs = 1000, patienceMs = 2000 } = options
  const waiting = new Set<SessionId>()
  let timer: NodeJS.Timeout | undefined
  let pauseMs = retryMs
  let isBusy = false
  let isClosed = false
  /** So many wait until it is done. */
  let awaited = 0

  function later(ms: number): void {
    if (isClosed) return
    timer ??= setTimeout(() => {
      timer = undefined
      void work()
    }, ms).unref()
  }

  const work = serially(async () => {
    const due = Array.from(waiting)
    waiting.clear()
    isBusy = false
    const breathe = createBreather(() => awaited > 0)
    for (const id of due) {
      // Who met another writer once would meet it again.
      const outcome = isBusy
        ? 'busy'
        : await index(options, id, breathe).catch((cause) => tell(id, cause))
      if (outcome !== 'done') waiting.add(id)
      if (outcome === 'busy') isBusy = true
    }
    if (!isBusy) await mergeBehind(options.connection)
    if (waiting.size > 0) later(isBusy ? jittered(gatherMs) : pauseMs)
    pauseMs = waiting.size === 0 || isBusy ? retryMs : Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
  })

  const told = new Set<string>()
  function tell(id: SessionId, cause: unknown): Outcome {
    const reason = errorText(cause)
    if (!told.has(reason)) options.onTrouble?.(`Session ${id} could not be indexed: ${reason}`)
    told.add(reason)
    return 'failed'
  }

  return {
    changed(id) {
      waiting.add(id)
      later(gatherMs)
    },
    async settled({ gently = false } = {}) {
      const until = performance.now() + patienceMs
      const weight = gently ? 0 : 1
      awaited += weight
      using _waiting = { [Symbol.dispose]: () => (awaited -= weight) }
      for (;;) {
        clearTimeout(timer)
        timer = undefined
        await work()
        if (!isBusy || performance.now() >= until) return
        await pause(jittered(RETRY_MS))
      }
    },
    close() {
      isClosed = true
      clearTimeout(timer)
    },
  }
}

/** All but `done` has to be tried again; after `busy`, that may be soon. */
type Outcome = 'done' | 'busy' | 'failed'

/** A few hundredths of a second, when a slow machine writes it. */
const STEP_WEIGHT = 128 * 1024

async function index(options: FollowerOptions, id: SessionId, breathe: Breathe): Promise<Outcome> {
  const { connection, fs } = options
  // Reading a log needs every schema; a search starts without them.
  const [{ stepsFor }, { applyChanges }] = await Promise.all([
    import('./catch-up.ts'),
    import('./apply.ts'),
  ])
  try {
    return await connection.use(async (db) => {
      const sql = sqlOf(db)
      if ((await fs.stat(logPath(sessionDir(id)))) === undefined) {
        return atOnce(db, () => (forget(sql, id), 'done'))
      }
      let steps = 0
      const gently = { ...options, stepWeight: STEP_WEIGHT, breathe }
      for await (const { changes, facts } of stepsFor(fs, sql, id, gently)) {
        if (!atOnce(db, () => applyChanges(sql, changes, facts))) return 'busy'
        steps += 1
      }
      if (steps === 0) atOnce(db, () => forget(sql, id))
      return 'done'
    })
  } catch (cause) {
    const trouble = troubleOf(cause instanceof StoreUnavailable ? cause.cause : cause)
    if (trouble === 'busy') return 'busy'
    if (cause instanceof StoreUnavailable || trouble !== 'other') return 'failed'
    throw cause
  }
}

/** What an undo took out leaves the index too. Where it cannot be now, the next write goes on with it. */
async function mergeBehind(connection: Connection): Promise<void> {
  try {
    await connection.use((db) =>
      withoutWaiting(db, () => mergeDeleted(db, AbortSignal.timeout(LONGEST_MERGE_MS))),
    )
  } catch (cause) {
    if (!(cause instanceof StoreUnavailable) && troubleOf(cause) === 'other') throw cause
  }
}

/** A process that ends now does not wait longer for it. */
const LONGEST_MERGE_MS = 2000

/** SQLite waits for a lock by stopping the whole process: here it does not wait at all. */
function atOnce<T>(db: DatabaseSync, work: () => T): T {
  db.exec('PRAGMA busy_timeout = 0')
  try {
    return inTransaction(db, work)
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  }
}

async function withoutWaiting(db: DatabaseSync, work: () => Promise<unknown>): Promise<void> {
  db.exec('PRAGMA busy_timeout = 0')
  try {
    await work()
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_TIMEOUT_MS}`)
  }
}
