/**
 * The process that runs SQL, one statement after the other, and a thread in it that watches. A statement cannot be
 * interrupted from inside, so the thread ends the whole process when it takes more memory than it may, when its
 * parent is gone, or when the parent failed to end it in time.
 */
import { isMainThread, Worker, workerData } from 'node:worker_threads'
import { execute } from './execute.ts'
import type { Job, Reply } from './job.ts'

const LOOK_EVERY_MS = 5
const GRACE_MS = 1000
const MB = 1024 * 1024

/** Shared with the thread: the most memory, and the monotonic time to be done by. */
type Bounds = { memory: number; endMs: number }

if (isMainThread) await serve()
else watch()

async function serve(): Promise<void> {
  const shared = new Float64Array(new SharedArrayBuffer(16))
  const set = (bounds: Bounds) => shared.set([bounds.memory, bounds.endMs])
  set({ memory: Infinity, endMs: Infinity })
  await startWatching(shared)
  const ownMemory = process.memoryUsage.rss()
  process.on('disconnect', () => process.exit())
  process.on('message', (job: Job) => send({ kind: 'begun' }, () => run(job)))
  send({ kind: 'ready' })

  function run(job: Job): void {
    const memory = ownMemory + job.memoryMb * MB
    set({ memory, endMs: nowMs() + job.deadlineMs + GRACE_MS })
    const outcome = execute(job)
    set({ memory, endMs: Infinity })
    const isWorn = process.memoryUsage.rss() > ownMemory + (job.memoryMb * MB) / 2
    send({ kind: 'answer', outcome, isWorn })
  }
}

/** `then` is called when the reply has left. */
function send(reply: Reply, then: () => void = () => {}): void {
  process.send?.(reply, undefined, {}, then)
}

async function startWatching(shared: Float64Array): Promise<void> {
  const thread = new Worker(new URL(import.meta.url), {
    workerData: shared,
    execArgv: [],
    env: {},
    resourceLimits: { maxOldGenerationSizeMb: 16, maxYoungGenerationSizeMb: 2 },
  })
  await new Promise((resolve, reject) => thread.once('online', resolve).once('error', reject))
  thread.unref()
}

function watch(): void {
  const shared = workerData as Float64Array
  const parent = process.ppid
  setInterval(() => {
    const [memory = 0, endMs = 0] = shared
    const isLost = process.ppid !== parent
    if (isLost || nowMs() > endMs || process.memoryUsage.rss() > memory) {
      process.kill(process.pid, 'SIGKILL')
    }
  }, LOOK_EVERY_MS)
}

/** The same clock in every thread. */
function nowMs(): number {
  return Number(process.hrtime.bigint() / 1_000_000n)
}
