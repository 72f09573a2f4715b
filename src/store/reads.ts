/**
 * Many sessions read one after the other, as what is to be written of each and, at the end of each, how it went.
 * One session that cannot be read does not keep the others out.
 */
import type { SessionId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { firstSteps, stepsFor } from './catch-up.ts'
import type { CatchUpOptions, Step } from './catch-up.ts'
import type { Sql } from './sql.ts'

/** `weight` is about how many characters it holds. */
export type Read = { readonly weight: number } & (
  | { readonly kind: 'step'; readonly step: Step }
  | {
      readonly kind: 'end'
      readonly id: SessionId
      readonly hasArtifacts: boolean
      readonly isEmpty: boolean
    }
  | { readonly kind: 'failed'; readonly id: SessionId; readonly reason: string }
)

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
  for (const { id } of sessions) yield* readOne(id, stepsFor(fs, sql, id, options), options)
}

/** Sessions that the store knows nothing of: it is not asked. */
export async function* readFirst(
  fs: SessionFs,
  sessions: Iterable<Unread>,
  options: CatchUpOptions,
): AsyncGenerator<Read, void, void> {
  for (const session of sessions) {
    yield* readOne(session.id, firstSteps(fs, session, options), options)
  }
}

async function* readOne(
  id: SessionId,
  steps: AsyncIterable<Step>,
  { signal }: CatchUpOptions,
): AsyncGenerator<Read, void, void> {
  let hasArtifacts = false
  let isEmpty = true
  try {
    for await (const step of steps) {
      isEmpty = false
      hasArtifacts = step.facts.artifacts.length > 0
      yield { kind: 'step', step, weight: step.weight }
    }
  } catch (cause) {
    if (cause instanceof Error && 'errcode' in cause) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    yield { kind: 'failed', id, reason, weight: SESSION_WEIGHT }
    return
  }
  if (signal?.aborted !== true) {
    yield { kind: 'end', id, hasArtifacts, isEmpty, weight: SESSION_WEIGHT }
  }
}
