/**
 * Reads sessions that are new to the store on a second thread, while this one writes what was read before and, when
 * there is nothing to write, reads too: both take the next session from one counter. A thread that fails costs
 * nothing but time: what it did not read is left to others.
 */
import { once } from 'node:events'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { MessagePort, Worker } from 'node:worker_threads'
import type { SessionFs } from '../fs/session-fs.ts'
import type { CatchUpOptions } from './catch-up.ts'
import { readFirst } from './reads.ts'
import type { Read, Unread } from './reads.ts'

/** About so many characters go over at once, and so many are under way before the first have been written. */
const PORTION_WEIGHT = 128 * 1024
const AHEAD_WEIGHT = 16 * 1024 * 1024
const SMALL_BYTES = 256 * 1024
/** Between two looks at what has arrived. */
const READ_AT_ONCE = 4

type Order = {
  /** For the second thread alone: whoever writes must not be kept from it. */
  readonly large: readonly Unread[]
  readonly small: readonly Unread[]
  readonly counter: Int32Array
}
type ToThread = Order | 'written'
type FromThread = { readonly reads: readonly Read[]; readonly isLast: boolean }

/** Ends early, without a word, when the thread does. */
export async function* readWithThread(
  worker: Worker,
  fs: SessionFs,
  sessions: readonly Unread[],
  options: CatchUpOptions,
): AsyncGenerator<Read, void, void> {
  const order: Order = {
    large: sessions.filter(({ logSize }) => logSize > SMALL_BYTES),
    small: sessions.filter(({ logSize }) => logSize <= SMALL_BYTES),
    counter: new Int32Array(new SharedArrayBuffer(4)),
  }
  const own = taken(order)
  const arrived: FromThread[] = []
  let hasEnded = false
  let read = 0
  let wake = () => {}
  worker.on('message', (portion: FromThread) => (arrived.push(portion), wake()))
  worker.on('error', () => ((hasEnded = true), wake()))
  worker.on('exit', () => ((hasEnded = true), wake()))
  worker.postMessage(order satisfies ToThread, [])
  try {
    for (;;) {
      const portion = arrived.shift()
      if (portion !== undefined) {
        yield* portion.reads
        if (portion.isLast) return
        worker.postMessage('written' satisfies ToThread, [])
        continue
      }
      if (hasEnded) return
      const { value: session } = own.next()
      if (session !== undefined) {
        yield* readFirst(fs, [session], options)
        if (++read % READ_AT_ONCE === 0) await nextRound()
      } else if (arrived.length === 0) {
        await new Promise<void>((resolve) => (wake = resolve))
      }
    }
  } finally {
    await worker.terminate()
  }
}

/** The second thread: waits for its order, reads, and stays a little ahead of whoever writes. */
export async function serveReads(
  port: MessagePort,
  fs: SessionFs,
  options: { readonly redact?: (text: string) => string },
): Promise<void> {
  const [order] = (await once(port, 'message')) as [Order]
  const ahead = { weight: 0, portions: [] as number[] }
  let wake = () => {}
  port.on('message', () => {
    ahead.weight -= ahead.portions.shift() ?? 0
    wake()
  })
  let reads: Read[] = []
  let weight = 0
  function send(isLast: boolean): void {
    port.postMessage({ reads, isLast } satisfies FromThread)
    ahead.portions.push(weight)
    ahead.weight += weight
    reads = []
    weight = 0
  }
  for await (const read of readFirst(fs, ordered(order), options)) {
    reads.push(read)
    weight += read.weight
    if (weight < PORTION_WEIGHT) continue
    send(false)
    while (ahead.weight >= AHEAD_WEIGHT) await new Promise<void>((resolve) => (wake = resolve))
  }
  send(true)
  port.close()
}

function* ordered(order: Order): Generator<Unread, void, void> {
  yield* order.large
  yield* taken(order)
}

/** Those that no other thread has taken. */
function* taken({ small, counter }: Order): Generator<Unread, void, void> {
  for (;;) {
    const session = small[Atomics.add(counter, 0, 1)]
    if (session === undefined) return
    yield session
  }
}
