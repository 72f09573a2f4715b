/**
 * The only door to a session's log: durable, then known, then seen. When the append fails nothing has
 * happened and nobody was told.
 */
import type { Draft } from '../../format/event.ts'
import { reduceDraft } from '../../log/blobs.ts'
import type { LogRecord } from '../../log/record.ts'
import { settleInterrupted } from '../../state/repair.ts'
import type { EngineContext } from '../engine-context.ts'
import { apply } from './folded-log.ts'
import { stateOf, type LiveSession } from './live-session.ts'
import { makeFolder } from './make-folder.ts'
import { streamPath } from './stream-lines.ts'
import { withWriter, type WriterOptions } from './writer.ts'

/** Records that are durable are known, then seen. A redo, whose records are durable already, comes in here. */
export function learnAndTell(
  engine: EngineContext,
  session: LiveSession,
  records: readonly LogRecord[],
): void {
  apply(session.folded, records)
  session.feed.publish(records)
  engine.changes.tell({ kind: 'records', id: session.id, records })
}

/** The agent that was chosen, if one was: none is chosen for the sake of a record. */
const answeringName = async (session: LiveSession): Promise<string | undefined> =>
  // The turn that chose is told why it could not.
  (session.agent ?? (await session.chosen?.catch(() => undefined)))?.name || undefined

/** Once: two commits may be under way. */
function takeInterrupted({ written: { interrupted } }: LiveSession) {
  if (interrupted === undefined || interrupted.isTaken) return undefined
  interrupted.isTaken = true
  return interrupted
}

type CommitOptions = WriterOptions & {
  /** Has the last word on the drafts, right before they are appended. */
  readonly beforeAppend?: (drafts: readonly Draft[]) => readonly Draft[]
}

export async function commit(
  engine: EngineContext,
  session: LiveSession,
  drafts: readonly Draft[],
  { beforeAppend, ...options }: CommitOptions = {},
): Promise<readonly LogRecord[]> {
  await makeFolder(engine, session)
  const small: Draft[] = []
  for (const draft of drafts) {
    // Before anything is cut or hashed: a secret must not survive in a blob.
    const clean = engine.redact === undefined ? draft : await engine.redact(draft)
    small.push(await reduceDraft(engine.fs, session.dir, clean))
  }
  return withWriter(engine, session, options, async ({ log }) => {
    const agent = await answeringName(session)
    // From here to the append nothing is waited for: another commit would come before the opening.
    const { written } = session
    const { opening } = written
    written.opening = undefined
    written.underWay = opening
    const interrupted = takeInterrupted(session)
    const state = stateOf(session)
    const left =
      interrupted === undefined ? [] : settleInterrupted(state, interrupted, written.kept)
    const first = opening?.(state, agent, interrupted, written.kept) ?? left
    try {
      const records = await log.append([...first, ...(beforeAppend?.(small) ?? small)])
      written.underWay = undefined
      written.hasLog = true
      written.hasWritten = true
      written.isAtCut = false
      learnAndTell(engine, session, records)
      if (interrupted !== undefined) {
        // It is in the log now; a file that stays is found to hold nothing new.
        await engine.fs.remove(streamPath(session.dir)).catch(() => {})
        written.interrupted = undefined
      }
      return records.slice(first.length)
    } catch (cause) {
      written.underWay = undefined
      written.opening = opening
      if (interrupted !== undefined) interrupted.isTaken = false
      throw cause
    }
  })
}
