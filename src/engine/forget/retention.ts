/**
 * What undo took back goes for good when it is older than the user keeps it. Without that setting it stays until it is
 * discarded by a command.
 */
import type { SessionId } from '../../format/ids.ts'
import { listRewound } from '../../log/undo-log.ts'
import type { EngineContext } from '../engine-context.ts'
import { sessionDir } from '../session-dir.ts'
import { afterDiscarding, discardParts, limitOf, type Discarded } from './rewound-parts.ts'
import { withLease } from './with-lease.ts'

const NONE: Discarded = { parts: 0, events: 0 }

/** The session is not open in this process. */
export async function discardOld(engine: EngineContext, id: SessionId): Promise<Discarded> {
  if (engine.keepRewoundDays === undefined) return NONE
  const limit = limitOf(engine, engine.keepRewoundDays)
  const parts = await listRewound(engine.fs, sessionDir(id))
  if (!parts.some(({ rewoundAt }) => rewoundAt <= limit)) return NONE
  const gone = await withLease(engine, id, 'retention', (dir) =>
    discardParts(engine.fs, dir, limit),
  )
  return afterDiscarding(engine, id, gone)
}
