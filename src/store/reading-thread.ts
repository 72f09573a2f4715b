/**
 * Reads sessions that are new to the store on a second thread, while this one writes what was read before and, when
 * there is nothing to write, reads too: both take the next session from one counter. A thread that fails costs
 * nothing but time: what it did not read is left to others.
 */
import { once } from 'node:events'
import { setImmediate as nextRound } from 'node:timers/promises'
import { deserialize, serialize } from 'node:v8'
import type { MessagePort } from 'node:worker_threads'
import type { SessionFs } from '../fs/session-fs.ts'
import type { CatchUpOptions } from './catch-up.ts'
import { portionOf, readFirst, type Portion, type Read, type Unread } from './reads.ts'
import type { Packed, Thread } from './second-thread.ts'

/** About so many characters go over at once, and so many are under way before the first have been written. */
const PORTION_WEIGHT = 128 * 1024
const AHEAD_WEIGHT = 16 * 1024 * 1024
const SMALL_BYTES = 256 * 1024
/** Between two looks at what has arrived. */
const READ_AT_ONCE = 4

type Order = {
  /** For the second thread alone: the thread that writes must not be kept from its work. */
  readonly large: readonly Unread[]
  readonly small: readonly Unread[]
  readonly counter: Int32Array
}
type ToThread = Order | 'written'

/** Ends early, without a word, when the thread does. */
export async function* readWithThread(
  thread: Thread,
  fs: SessionFs,
  sessions: readonly Unread[],
  options: CatchUpOptions,
): AsyncGenerator<Portion, void, void> {
  const order: Order = {
    large: sessions.filter(({ logSize }) => logSize > SMALL_BYTES),
    small: sessions.filter(({ logSize }) => logSize <= SMALL_BYTES),
    counter: new Int32Array(new SharedArrayBuffer(4)),
  }
  const own = taken(order)
  let read = 0
  thread.post(order satisfies ToThread)
  for (;;) {
    const packed = thread.arrived.shift()
    if (packed !== undefined) {
      yield { ...packed, reads: () => deserialize(packed.packed) as Read[] }
      if (packed.isLast) return
      thread.post('written' satisfies ToThread)
      continue
    }
    if (thread.hasEnded()) return
    const { value: session } = own.next()
    if (session === undefined) {
      await thread.news()
      continue
    }
    for await (const one of readFirst(fs, [session], options)) yield portionOf(one)
    if (++read % READ_AT_ONCE === 0) await nextRound()
  }
}

/** The second thread: waits for its order, reads, and stays a little ahead of the thread that writes. */
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
  let logBytes = 0
  function send(isLast: boolean): void {
    const packed = serialize(reads)
    port.postMessage({ packed, weight, logBytes, isLast } satisfies Packed, [packed.buffer])
    ahead.portions.push(weight)
    ahead.weight += weight
    reads = []
    weight = 0
    logBytes = 0
  }
  for await (const read of readFirst(fs, ordered(order), options)) {
    reads.push(read)
    weight += read.weight
    logBytes += read.logBytes
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
