/**
 * What a killed process had told and not recorded. The next one that may write takes it up: it goes into the log where
 * the log still ends in that turn; where another program has gone on meanwhile, the log is left alone and the words
 * are kept aside, for the transcript to show in their place. To be called by the holder of the lease.
 */
import { inSession } from '../../format/paths.ts'
import { copyOf } from '../../state/unfinished.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from './live-session.ts'
import { readStreamed, settleByLog, streamPath } from './stream-lines.ts'
import type { Streamed } from '../../state/streamed.ts'

export async function recover(engine: EngineContext, session: LiveSession): Promise<void> {
  const { fs } = engine
  const { dir, written } = session
  const path = streamPath(dir)
  const { openTurns, pendingTools } = stateOf(session)
  // Another program has settled it since.
  if (openTurns.length === 0 && pendingTools.length === 0) written.interrupted = undefined
  const streamed = await readStreamed(fs, path)
  // A turn that runs here goes on by itself.
  if (streamed === undefined || streamed.owner.turn === session.work.running?.turnId) return
  await settleByLog(fs, session, streamed)
  if (streamed.pieces.isEmpty) return fs.remove(path)
  if (isOpen(session, streamed)) {
    written.interrupted = { pieces: streamed.pieces, why: 'killed', isTaken: false }
    return
  }
  const aside = inSession(dir, 'unfinished', { turn: streamed.owner.turn })
  // One that was put aside before stays: it is the same turn.
  if ((await fs.stat(aside)) === undefined) await fs.rename(path, aside)
  else await fs.remove(path)
}

/** The turn has not been ended, by a resume of another program or otherwise; or the tool that printed still runs. */
function isOpen(session: LiveSession, { owner, pieces }: Streamed): boolean {
  const { openTurns, pendingTools } = stateOf(session)
  return (
    openTurns.some(({ turnId }) => turnId === owner.turn) ||
    pendingTools.some(({ toolCallId }) => pieces.outputOf(toolCallId) !== undefined)
  )
}

/** What a disk that takes nothing kept from being settled goes before whatever is written next. */
export const leaveForNext =
  ({ work, written }: LiveSession) =>
  (cause: unknown): never => {
    written.interrupted ??= { pieces: copyOf(work.pieces), why: 'broken', isTaken: false }
    throw cause
  }
