/**
 * Many sessions read one after the other, as what is to be written of each and, at the end of each, how it went.
 * One session that cannot be read does not keep the others out.
 */
import type { SessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { errorText } from '../lib/error-text.ts'
import { firstSteps, stepsFor, type CatchUpOptions, type Step } from './catch-up.ts'
import type { Sql } from './sql.ts'

/** `weight` is about how many characters it holds; `logBytes` how much of all logs is done with it. */
export type Read = Measures &
  (
    | { readonly kind: 'step'; readonly step: Step }
    | {
        readonly kind: 'end'
        readonly id: SessionId
        readonly hasArtifacts: boolean
        readonly isEmpty: boolean
      }
    | { readonly kind: 'failed'; readonly id: SessionId; readonly reason: string }
  )

export type Measures = { readonly weight: number; readonly logBytes: number }

/** Reads that wait to be written. What another thread has read stays packed until then: it is less to hold. */
export type Portion = Measures & { reads(): readonly Read[] }

export const portionOf = (read: Read): Portion => ({
  weight: read.weight,
  logBytes: read.logBytes,
  reads: () => [read],
})

/** Even a session that says nothing takes room. */
const SESSION_WEIGHT = 4096

export type Unread = { readonly id: SessionId; readonly logSize: number }

/** Sessions that the store may know. */
export async function* readOn(
  fs: SessionFs,
  sql: Sql,
  sessions: Iterable<Unread>,
  options: CatchUpOptions,
): AsyncGenerator<Read, void, void> {
  for (const session of sessions) {
    yield* readOne(session, stepsFor(fs, sql, session.id, options), options)
  }
}

/** Sessions that the store knows nothing of: it is not asked. */
export async function* readFirst(
  fs: SessionFs,
  sessions: Iterable<Unread>,
  options: CatchUpOptions,
): AsyncGenerator<Read, void, void> {
  for (const session of sessions) {
    yield* readOne(session, firstSteps(fs, session, options), options)
  }
}

async function* readOne(
  { id, logSize: logBytes }: Unread,
  steps: AsyncIterable<Step>,
  { signal }: CatchUpOptions,
): AsyncGenerator<Read, void, void> {
  let hasArtifacts = false
  let isEmpty = true
  try {
    for await (const step of steps) {
      isEmpty = false
      hasArtifacts = step.facts.artifacts.length > 0
      yield { kind: 'step', step, weight: step.weight, logBytes: 0 }
    }
  } catch (cause) {
    if (cause instanceof Error && 'errcode' in cause) throw cause
    const reason = errorText(cause)
    yield { kind: 'failed', id, reason, weight: SESSION_WEIGHT, logBytes }
    return
  }
  if (signal?.aborted !== true) {
    yield { kind: 'end', id, hasArtifacts, isEmpty, weight: SESSION_WEIGHT, logBytes }
  }
}
