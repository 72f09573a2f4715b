/**
 * Ctrl-C, SIGTERM, a closed terminal and a reader that went away: the first asks for an orderly end, the
 * second ends at once. Who asked a process to end is not kept waiting, whatever hangs. A reader that went away is no
 * error.
 */
import { deferred } from '../../lib/deferred.ts'
import type { Host } from './command.ts'

interface Interrupts extends Disposable {
  readonly signal: AbortSignal
  /** Resolves when something wants an end. */
  readonly raised: Promise<void>
  /** What the program then exits with, unless the command says otherwise. */
  readonly code: number | undefined
}

const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

const PATIENCE_MS = 2500

export function listenForInterrupts({ stdout, stderr }: Host): Interrupts {
  const abort = new AbortController()
  const { promise: raised, resolve } = deferred<void>()
  let code: number | undefined
  const end = (with_?: number) => {
    code ??= with_
    abort.abort()
    resolve()
  }
  const handlers = Object.entries(codes).map(([name, number]) => {
    const handler = () => {
      if (abort.signal.aborted) process.exit(number)
      // A person at the keyboard sees what goes on, and can press again; a supervisor cannot.
      if (name !== 'SIGINT') setTimeout(() => process.exit(number), PATIENCE_MS).unref()
      end(number)
    }
    return [name, handler] as const
  })
  for (const [name, handler] of handlers) process.on(name, handler)
  const onError = (error: NodeJS.ErrnoException) => {
    // EIO: the terminal is gone; its signal says the rest.
    if (error.code !== 'EPIPE' && error.code !== 'EIO') throw error
    end()
  }
  // They stay: a late write to a closed pipe must stay quiet until the very end.
  stdout.on('error', onError)
  stderr.on('error', onError)
  return {
    signal: abort.signal,
    raised,
    get code() {
      return code
    },
    [Symbol.dispose]() {
      for (const [name, handler] of handlers) process.off(name, handler)
    },
  }
}
