/**
 * The only door to a session's log: durable, then known, then seen. When the append fails nothing has
 * happened and nobody was told.
 */
import type { Draft } from '../../format/event.ts'
import { reduceDraft } from '../../log/blobs.ts'
import type { LogRecord } from '../../log/record.ts'
import type { EngineContext } from '../context.ts'
import { apply } from './folded-log.ts'
import { stateOf } from './live-session.ts'
import type { LiveSession } from './live-session.ts'
import { makeFolder } from './make-folder.ts'
import { withWriter } from './writer.ts'
import type { WriterOptions } from './writer.ts'

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

/** Of the agent that was chosen, if one was: nothing is chosen for the sake of a record. */
const answeringName = async (session: LiveSession): Promise<string | undefined> =>
  (session.agent ?? (await session.chosen?.catch(() => undefined)))?.name

export type CommitOptions = WriterOptions & {
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
    const { opening } = session.written
    session.written.opening = undefined
    const first = opening?.(stateOf(session), agent) ?? []
    try {
      const records = await log.append([...first, ...(beforeAppend?.(small) ?? small)])
      session.written.hasLog = true
      session.written.hasWritten = true
      session.written.isAtCut = false
      learnAndTell(engine, session, records)
      return records.slice(first.length)
    } catch (cause) {
      session.written.opening = opening
      throw cause
    }
  })
}
