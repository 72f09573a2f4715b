/** One worker as its parent sees it: started, given one job at a time, ended. */
import { fork, type ChildProcess } from 'node:child_process'
import type { Job, Reply } from './job.ts'
import { QueryError } from './query.ts'

export interface WorkerProcess {
  readonly memoryMb: number
  readonly isAlive: boolean
  /**
   * Resolves with what the worker says, or with nothing when it was gone before it began; rejects when it had to be
   * ended. Only with an answer can it be used again.
   */
  run(job: Job, signal: AbortSignal | undefined): Promise<Answer | undefined>
  end(): void
}

type Answer = Extract<Reply, { kind: 'answer' }>

const START_LIMIT_MS = 30_000

export async function startWorker(memoryMb: number): Promise<WorkerProcess> {
  const child = fork(workerFile(), {
    execArgv: ['--disable-warning=ExperimentalWarning', `--max-old-space-size=${memoryMb}`],
    // The parent's environment may hold secrets, and options that change how Node behaves.
    env: process.env.SystemRoot === undefined ? {} : { SystemRoot: process.env.SystemRoot },
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  // Failures to start, to send or to kill show as a child that is gone.
  child.on('error', () => {})
  const first = await nextReply(child, { limitMs: START_LIMIT_MS, signal: undefined })
  if (first.kind !== 'ready') {
    child.kill('SIGKILL')
    throw new QueryError(
      'unavailable',
      'SQL cannot be run: its process did not start. Nothing was changed.',
    )
  }
  hold(child, false)
  return {
    memoryMb,
    get isAlive() {
      return child.connected && child.exitCode === null && child.signalCode === null
    },
    run: (job, signal) => run(child, job, signal),
    end: () => void child.kill('SIGKILL'),
  }
}

/** From source the worker is the file beside this one; built, it is a bundle in the root of dist. */
function workerFile(): URL {
  const here = import.meta.url
  if (here.endsWith('.ts')) return new URL('./worker.ts', here)
  return new URL(/\/chunks\/[^/]+$/.test(here) ? '../sql-worker.js' : './sql-worker.js', here)
}

async function run(
  child: ChildProcess,
  job: Job,
  signal: AbortSignal | undefined,
): Promise<Answer | undefined> {
  const startedAt = performance.now()
  hold(child, true)
  const reply = nextReply(child, { limitMs: job.deadlineMs, signal })
  child.send(job, (error) => void (error && child.kill('SIGKILL')))
  const told = await reply
  const elapsedMs = performance.now() - startedAt
  hold(child, false)
  switch (told.kind) {
    case 'answer':
      return told
    case 'late':
      throw new QueryError(
        'deadline',
        `The query was ended after ${job.deadlineMs} ms. Nothing was changed. Ask for less: a WHERE over an indexed column, a LIMIT inside a recursive part, fewer joins.`,
        { details: { deadlineMs: job.deadlineMs, elapsedMs } },
      )
    case 'stopped':
      throw signal?.reason
    case 'lost':
      return undefined
    default:
      throw new QueryError(
        'too_large',
        `The query needed more than ${job.memoryMb} MB of memory and was ended. Nothing was changed. Sort, group or join fewer rows, or shorter values.`,
        { details: { memoryMb: job.memoryMb, elapsedMs } },
      )
  }
}

type End = 'late' | 'stopped' | 'lost' | 'died'
type Told = Exclude<Reply, { kind: 'begun' }> | { readonly kind: End }

/** What the child says next. A child that is late or not wanted any more is gone when this resolves. */
function nextReply(
  child: ChildProcess,
  { limitMs, signal }: { readonly limitMs: number; readonly signal: AbortSignal | undefined },
): Promise<Told> {
  return new Promise((resolve) => {
    let end: End = 'lost'
    const kill = (reason: End) => {
      end = reason
      child.kill('SIGKILL')
    }
    const abort = () => kill('stopped')
    const timer = setTimeout(() => kill('late'), limitMs)
    const settle = (told: Told) => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      child.off('message', onMessage).off('exit', onExit).off('error', onExit)
      resolve(told)
    }
    const onMessage = (reply: Reply) => {
      if (reply.kind !== 'begun') settle(reply)
      else if (end === 'lost') end = 'died'
    }
    const onExit = () => settle({ kind: end })
    child.on('message', onMessage).once('exit', onExit).once('error', onExit)
    signal?.addEventListener('abort', abort)
    if (signal?.aborted) abort()
  })
}

/** An idle worker does not keep its parent from ending. */
function hold(child: ChildProcess, isHeld: boolean): void {
  if (isHeld) {
    child.ref()
    child.channel?.ref()
  } else {
    child.unref()
    child.channel?.unref()
  }
}
