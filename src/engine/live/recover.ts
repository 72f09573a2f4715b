/**
 * What a killed process had told and not recorded. The next one that may write takes it up: it goes into the log where
 * the log still ends in that turn; where another program has gone on meanwhile, the log is left alone and the words
 * are kept aside, for the transcript to show in their place. To be called by the holder of the lease.
 */
import { inSession, logPath } from '../../format/paths.ts'
import { readLog } from '../../log/read.ts'
import type { EngineContext } from '../context.ts'
import { stateOf } from './live-session.ts'
import type { LiveSession } from './live-session.ts'
import { readStreamed, streamPath } from './stream-lines.ts'
import type { Streamed } from './stream-lines.ts'

export async function recover(engine: EngineContext, session: LiveSession): Promise<void> {
  const { fs } = engine
  const { dir, written } = session
  const path = streamPath(dir)
  const streamed = await readStreamed(fs, path)
  // A turn that runs here goes on by itself.
  if (streamed === undefined || streamed.owner.turn === session.work.running?.turnId) return
  await settleByLog(engine, session, streamed)
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

/** What the log says whole, by the killed process's own last words, is not unfinished. */
async function settleByLog(
  { fs }: EngineContext,
  session: LiveSession,
  { owner, pieces }: Streamed,
): Promise<void> {
  const { turns, size } = stateOf(session)
  const from = turns.find(({ eventId }) => eventId === owner.after)?.start ?? 0
  for await (const { records } of readLog(fs, logPath(session.dir), { from, to: size }))
    for (const { event } of records) pieces.settle(event)
}

/** The turn has not been ended, by a resume of another program or otherwise; or the tool that printed still runs. */
function isOpen(session: LiveSession, { owner, pieces }: Streamed): boolean {
  const { openTurns, pendingTools } = stateOf(session)
  return (
    openTurns.some(({ turnId }) => turnId === owner.turn) ||
    pendingTools.some(({ toolCallId }) => pieces.outputOf(toolCallId) !== undefined)
  )
}
