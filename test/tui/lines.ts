/** `--plain` in this process: lines go in, and what it prints is kept. */
import { PassThrough } from 'node:stream'
import type { Engine } from '../../src/engine/engine.ts'
import { runPlain } from '../../src/surfaces/tui/plain/run-plain.ts'
import type { Script } from '../support/engine.ts'
import { memoryEngine, optionsFor, type ScreenOptions } from './screen.ts'

export type Lines = AsyncDisposable & {
  readonly engine: Engine
  /** Everything that was printed. */
  text(): string
  /** Resolves when something is printed behind the last line that was typed; fails with all of it when it is not in time. */
  shows(wanted: string | RegExp): Promise<void>
  type(line: string): void
  /** No more lines come. */
  end(): void
  /** As ctrl+c. False when there was nothing to interrupt. */
  interrupt(): boolean
  readonly ended: Promise<void>
}

const DEADLINE_MS = 20_000

export function openLines(
  given: ScreenOptions & { readonly script: Script; readonly isPiped?: boolean },
): Lines {
  const engine = given.engine ?? memoryEngine(given.script)
  const stop = new AbortController()
  const [input, output] = [new PassThrough(), new PassThrough({ encoding: 'utf8' })]
  let printed = ''
  let seen = 0
  let wake = () => {}
  output.on('data', (text: string) => {
    printed += text
    wake()
  })
  let interrupt = () => false
  const ended = runPlain(optionsFor(given, engine, stop.signal), {
    input,
    output,
    isInteractive: given.isPiped !== true,
    onInterrupt(listener) {
      interrupt = listener
      return { [Symbol.dispose]() {} }
    },
  })
  const has = (wanted: string | RegExp) => {
    const fresh = printed.slice(seen)
    return typeof wanted === 'string' ? fresh.includes(wanted) : wanted.test(fresh)
  }
  return {
    engine,
    text: () => printed,
    async shows(wanted) {
      const late = AbortSignal.timeout(DEADLINE_MS)
      late.addEventListener('abort', () => wake(), { once: true })
      while (!has(wanted)) {
        if (late.aborted) throw new Error(`Not printed: ${wanted}; all of it:\n${printed}`)
        await new Promise<void>((resolve) => (wake = resolve))
      }
    },
    type(line) {
      seen = printed.length
      input.write(`${line}\n`)
    },
    end: () => void input.end(),
    interrupt: () => interrupt(),
    ended,
    async [Symbol.asyncDispose]() {
      stop.abort()
      await ended
      await engine.stop()
    },
  }
}
