/** A session as people read it, from its log, however long it is. */
import type { SessionId } from '../../format/ids.ts'
import { readLog } from '../../log/read.ts'
import { readableSize } from '../../log/redo.ts'
import { createTranscriptFolder } from '../../state/transcript-folder.ts'
import type { TranscriptEntry } from '../../state/transcript.ts'
import type { EngineContext } from '../context.ts'
import { requireSession } from './missing.ts'
import { logPath } from '../../format/paths.ts'

export async function* transcript(
  engine: EngineContext,
  id: SessionId,
): AsyncGenerator<TranscriptEntry, void, undefined> {
  const dir = await requireSession(engine, id)
  const to = await readableSize(engine.fs, dir)
  const folder = createTranscriptFolder()
  for await (const { records } of readLog(engine.fs, logPath(dir), { from: 0, to })) {
    for (const record of records) folder.push(record)
    yield* folder.finished()
  }
  yield* folder.rest()
}
