/**
 * Who waits for a stream to grow. One tail a node, whatever the number of readers: it is told of what this node
 * commits and of what others tell, and besides looks at the heads of all streams that are waited for, in one statement.
 * So nothing depends on being told.
 */
import type { Database } from '../database/port.ts'

export type TailOptions = {
  /** How often heads are looked at while a reader waits. */
  readonly everyMs: number
  readonly onTrouble: (cause: unknown) => void
}

export interface Tail extends Disposable {
  /** Resolves when the stream may have changed since it was in this shape, or the signal fires. Look first, then wait. */
  changed(stream: Seen, signal: AbortSignal): Promise<void>
  grown(streams: readonly string[]): void
  readonly waiting: number
}

/** What a reader knows of a stream. */
export type Seen = {
  readonly id: string
  readonly head: number
  readonly closed: number
  readonly gone: number
}

type Waiter = { readonly seen: Seen; readonly wake: () => void }

export async function openTail(db: Database, { everyMs, onTrouble }: TailOptions): Promise<Tail> {
  const waiters = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined
  async function look(): Promise<void> {
    timer = undefined
    const ids = [...new Set([...waiters].map(({ seen }) => seen.id))]
    try {
      for (let at = 0; at < ids.length; at += 1000) {
        const some = ids.slice(at, at + 1000)
        const rows = await db.query
          .selectFrom('streams')
          .select(['id', 'head', 'closed', 'gone'])
          .where('id', 'in', some)
          .execute()
        const now = new Map(rows.map((row) => [row.id, row]))
        const within = new Set(some)
        for (const { seen, wake } of waiters) {
          if (within.has(seen.id) && !isSame(seen, now.get(seen.id))) wake()
        }
      }
    } catch (cause) {
      onTrouble(cause)
    }
    soon()
  }

  function soon(): void {
    if (waiters.size > 0) timer ??= setTimeout(() => void look(), everyMs)
  }

  const tail: Tail = {
    changed(seen, signal) {
      return new Promise((resolve) => {
        const waiter: Waiter = {
          seen,
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
    },
    grown(streams) {
      const named = new Set(streams)
      for (const { seen, wake } of waiters) if (named.has(seen.id)) wake()
    },
    get waiting() {
      return waiters.size
    },
    [Symbol.dispose]() {
      clearTimeout(timer)
      for (const { wake } of waiters) wake()
    },
  }
  await db.onWake((streams) => tail.grown(streams))
  return tail
}

const isSame = (one: Seen, other: Seen | undefined): boolean =>
  other !== undefined &&
  one.head === other.head &&
  one.closed === other.closed &&
  one.gone === other.gone
