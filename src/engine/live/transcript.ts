/** A session as people read it, from its log, however long it is. */
import type { Event } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import { readLog } from '../../log/read.ts'
import { readableSize } from '../../log/redo.ts'
import { createTranscriptFolder } from '../../state/transcript-folder.ts'
import type { TranscriptEntry } from '../../state/transcript.ts'
import type { EngineContext } from '../engine-context.ts'
import { leftBehind } from './orphaned-output.ts'
import { requireSession } from './not-found-reason.ts'
import { logPath } from '../../format/paths.ts'

export async function* transcript(
  engine: EngineContext,
  id: SessionId,
): AsyncGenerator<TranscriptEntry, void, undefined> {
  const dir = await requireSession(engine, id)
  const to = await readableSize(engine.fs, dir)
  const folder = createTranscriptFolder()
  const left = await leftBehind(engine, dir)
  const pushAll = (events: readonly Event[]) => {
    for (const event of events) folder.push({ event, start: to, end: to })
  }
  for await (const { records } of readLog(engine.fs, logPath(dir), { from: 0, to })) {
    for (const record of records) {
      pushAll(left.before(record.event))
      folder.push(record)
    }
    yield* folder.finished()
  }
  pushAll(left.rest())
  yield* folder.rest()
}
