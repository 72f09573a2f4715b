/**
 * Gathers appends: those that arrive while a commit is under way share the next one. With a thousand sessions one sync
 * carries hundreds of them; with one it waits for nobody.
 */
import type { Database } from '../database/port.ts'
import { deferred, type Deferred } from '../../lib/deferred.ts'
import { appendAll, type Append, type Appended } from './append.ts'

/** Appends a transaction. */
const MOST = 500
/** Bytes a transaction; one larger append goes alone. */
const MOST_BYTES = 8 * 1024 * 1024

type Waiting = {
  readonly append: Append
  readonly bytes: number
  readonly done: Deferred<Appended>
}

type GroupOptions = {
  readonly now: () => number
  /** Streams that have grown, after the commit. */
  readonly onGrown: (streams: readonly string[]) => void
  readonly onCommit?: (figures: {
    readonly appends: number
    readonly written: number
    readonly ms: number
  }) => void
}

export function groupAppends(db: Database, { now, onGrown, onCommit }: GroupOptions) {
  const waiting: Waiting[] = []
  let running: Promise<void> | undefined

  async function run(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, sizeOfNext(waiting))
      const began = performance.now()
      try {
        const results = await appendAll(
          db,
          batch.map(({ append }) => append),
          now(),
        )
        const grown = results.flatMap(({ verdict, stream }) =>
          verdict.kind === 'append' && stream !== undefined ? stream.id : [],
        )
        if (grown.length > 0) onGrown([...new Set(grown)])
        results.forEach((result, at) => batch[at]?.done.resolve(result))
        const written = results.reduce((sum, result) => sum + result.written, 0)
        onCommit?.({ appends: batch.length, written, ms: performance.now() - began })
      } catch (cause) {
        await oneByOne(batch, cause)
      }
    }
    running = undefined
  }

  /** One that cannot be written must not take its neighbours along. */
  async function oneByOne(batch: readonly Waiting[], cause: unknown): Promise<void> {
    if (batch.length === 1) return void batch[0]?.done.reject(cause)
    for (const { append, done } of batch) {
      await appendAll(db, [append], now()).then(([result]) => {
        if (result === undefined) return
        if (result.verdict.kind === 'append' && result.stream) onGrown([result.stream.id])
        done.resolve(result)
      }, done.reject)
    }
  }

  return {
    append(append: Append): Promise<Appended> {
      const done = deferred<Appended>()
      const bytes = append.records.reduce((sum, record) => sum + record.bytes.length, 0)
      waiting.push({ append, bytes, done })
      running ??= Promise.resolve().then(run)
      return done.promise
    },
    /** Resolves when nothing waits any more. */
    settled: async () => void (await running),
  }
}

export type AppendGroup = ReturnType<typeof groupAppends>

function sizeOfNext(waiting: readonly Waiting[]): number {
  let bytes = 0
  const end = waiting.findIndex((each, at) => {
    bytes += each.bytes
    return at > 0 && (at >= MOST || bytes > MOST_BYTES)
  })
  return end < 0 ? waiting.length : end
}
