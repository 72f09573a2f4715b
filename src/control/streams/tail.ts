/**
 * Who waits for a stream to grow, or for a session to move. One tail a node, whatever the number of readers: it is told
 * of what this node commits and of what others tell, and besides looks at all that is waited for, in one statement of
 * each kind. So nothing depends on being told.
 */
import type { Database } from '../database/port.ts'
import type { Row } from '../database/tables.ts'

type TailOptions = {
  /** How often is looked while a reader waits. */
  readonly everyMs: number
  readonly onTrouble: (cause: unknown) => void
}

export interface Tail extends Disposable {
  /** Resolves when the stream may have changed since it was in this shape, or the signal fires. Look first, then wait. */
  changed(stream: Seen, signal: AbortSignal): Promise<void>
  /** The same for a session: its presence, its commands, who may see it. */
  moved(session: SeenSession, signal: AbortSignal): Promise<void>
  /** By ids of streams and keys of sessions. */
  grown(keys: readonly string[]): void
  readonly waiting: number
}

/** What a reader knows of a stream. */
type Seen = Pick<Row<'streams'>, 'id' | 'head' | 'closed' | 'gone'>
type SeenSession = Pick<Row<'sessions'>, 'tenant' | 'id' | 'rev'>

/** As other nodes are told of a session. */
export const sessionKey = ({ tenant, id }: Pick<SeenSession, 'tenant' | 'id'>): string =>
  `session:${tenant}:${id}`

type Waiter = { readonly key: string; readonly shape: string; readonly wake: () => void }
type Looked = Waiter & { readonly session?: SeenSession }

const AT_ONCE = 1000

export async function openTail(db: Database, { everyMs, onTrouble }: TailOptions): Promise<Tail> {
  const waiters = new Set<Looked>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    timer = undefined
    const before = [...waiters]
    try {
      const shapes = new Map<string, string>()
      const streams = before.filter(({ session }) => session === undefined)
      await lookAtStreams(db, [...new Set(streams.map(({ key }) => key))], shapes)
      await lookAtSessions(
        db,
        before.flatMap(({ session }) => session ?? []),
        shapes,
      )
      for (const { key, shape, wake } of before) if (shapes.get(key) !== shape) wake()
    } catch (cause) {
      onTrouble(cause)
    }
    soon()
  }

  function soon(): void {
    if (waiters.size > 0) timer ??= setTimeout(() => void look(), everyMs)
  }

  const wait = (waiting: Omit<Looked, 'wake'>, signal: AbortSignal): Promise<void> =>
    new Promise((resolve) => {
      const waiter: Looked = {
        ...waiting,
        wake() {
          waiters.delete(waiter)
          signal.removeEventListener('abort', waiter.wake)
          resolve()
        },
      }
      if (signal.aborted) return resolve()
      waiters.add(waiter)
      signal.addEventListener('abort', waiter.wake, { once: true })
      // What was committed between the look and the wait is found by looking again.
      soon()
      return undefined
    })

  const tail: Tail = {
    changed: (seen, signal) => wait({ key: seen.id, shape: shapeOf(seen) }, signal),
    moved: (seen, signal) =>
      wait({ key: sessionKey(seen), shape: String(seen.rev), session: seen }, signal),
    grown(keys) {
      const named = new Set(keys)
      for (const { key, wake } of waiters) if (named.has(key)) wake()
    },
    get waiting() {
      return waiters.size
    },
    [Symbol.dispose]() {
      clearTimeout(timer)
      for (const { wake } of waiters) wake()
    },
  }
  await db.onWake((keys) => tail.grown(keys))
  return tail
}

const shapeOf = ({ head, closed, gone }: Seen): string => `${head} ${closed} ${gone}`

async function lookAtStreams(
  db: Database,
  ids: readonly string[],
  shapes: Map<string, string>,
): Promise<void> {
  for (let at = 0; at < ids.length; at += AT_ONCE) {
    const rows = await db.query
      .selectFrom('streams')
      .select(['id', 'head', 'closed', 'gone'])
      .where('id', 'in', ids.slice(at, at + AT_ONCE))
      .execute()
    for (const row of rows) shapes.set(row.id, shapeOf(row))
  }
}

async function lookAtSessions(
  db: Database,
  sessions: readonly SeenSession[],
  shapes: Map<string, string>,
): Promise<void> {
  for (const [tenant, own] of Map.groupBy(sessions, (each) => each.tenant)) {
    const ids = [...new Set(own.map(({ id }) => id))]
    for (let at = 0; at < ids.length; at += AT_ONCE) {
      const rows = await db.query
        .selectFrom('sessions')
        .select(['tenant', 'id', 'rev'])
        .where('tenant', '=', tenant)
        .where('id', 'in', ids.slice(at, at + AT_ONCE))
        .execute()
      for (const row of rows) shapes.set(sessionKey(row), String(row.rev))
    }
  }
}
