/**
 * Discards what undos took out of a session: until then it can be read and brought back, afterwards no word of it is
 * left. What the log, or another part that stays, still needs is kept for it. One step, as a text is forgotten.
 */
import type { SessionId } from '../../format/ids.ts'
import type { EngineContext } from '../engine-context.ts'
import { alone } from './exclusive.ts'
import { afterDiscarding, discardParts, limitOf, type Discarded } from './rewound-parts.ts'

export type DiscardOptions = {
  /** Only what was taken back longer ago than this. */
  readonly olderThanDays?: number
}

export async function discard(
  engine: EngineContext,
  id: SessionId,
  { olderThanDays = 0 }: DiscardOptions = {},
): Promise<Discarded> {
  const limit = limitOf(engine, olderThanDays)
  const gone = await alone(engine, id, 'discard', (dir) => discardParts(engine.fs, dir, limit))
  return afterDiscarding(engine, id, gone)
}
