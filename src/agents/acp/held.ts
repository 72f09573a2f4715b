/** What is held of an agent's own session while its process runs, and how patient we are with it. */
import type { InnerSession } from './agent-file.ts'
import type { Raw } from './raw.ts'
import type { Offers } from './settings.ts'

export type Held = {
  known: InnerSession
  readonly offers: Offers
  /** Goes before the next prompt. */
  preamble: readonly Raw[]
  /** The model that it was last asked for. */
  modelTold?: string
  /** What it last said that it used. */
  usage?: Raw
}

export type Limits = {
  /** For the program to come up, and for each step until it can be asked. */
  readonly startMs: number
  /** Between a cancellation and the end of a program that does not heed it. */
  readonly cancelMs: number
  /** Before a program that died is started again; doubled each time that it dies in a row. */
  readonly firstRetryMs: number
  readonly maxRetryMs: number
  /** Unused for this long, it is ended; what it knows is restored when it is needed. */
  readonly idleMs: number
  readonly maxFrameBytes?: number
  readonly historyChars?: number
}
