/**
 * The model context of a session now. Read from the log once, from where the last compaction began, and
 * kept up to date with the events that follow: a turn costs what it adds. Of a log that holds more than any model
 * takes only the end is read.
 */
import type { SessionFs } from '../../fs/session-fs.ts'
import { inTurn } from '../../lib/keyed-mutex.ts'
import { readLog } from '../../log/read.ts'
import { MOST_GIVEN } from '../../state/context-bound.ts'
import { createContextFolder, type ContextFolder } from '../../state/context-folder.ts'
import type { ModelContext } from '../../state/model-context.ts'
import type { ByteRange } from '../../state/positioned-event.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from './live-session.ts'
import { logPath } from '../../format/paths.ts'

/** One reader at a time: a compaction may run beside a turn. */
export const modelContext = (engine: EngineContext, session: LiveSession): Promise<ModelContext> =>
  inTurn(session, () => readContext(engine, session))

async function readContext(engine: EngineContext, session: LiveSession): Promise<ModelContext> {
  const state = stateOf(session)
  const { contextFrom, size } = state
  const path = logPath(session.dir)
  let known = session.context
  if (known === undefined || known.from !== contextFrom || known.upTo > size) {
    const folder = await readFrom(engine.fs, path, state)
    known = { from: contextFrom, upTo: size, folder }
    session.context = known
  } else if (known.upTo < size) {
    await pushAll(engine.fs, path, known.folder, { from: known.upTo, to: size })
    known.upTo = size
  }
  return known.folder.context()
}

async function readFrom(fs: SessionFs, path: string, state: SessionState): Promise<ContextFolder> {
  const { contextFrom, size, systemMessage } = state
  const text = await textAt(fs, path, systemMessage)
  const system = text === undefined ? {} : { system: text }
  for (const from of ends(state)) {
    const folder = createContextFolder({ ...system, isTail: true })
    await pushAll(fs, path, folder, { from, to: size })
    if (folder.isFull()) return folder
  }
  const folder = createContextFolder(system)
  await pushAll(fs, path, folder, { from: contextFrom, to: size })
  return folder
}

/** Where longer and longer ends of the log begin, each with a turn. None where a summary stands before them. */
function* ends({ contextFrom, size, turns }: SessionState): Generator<number> {
  if (contextFrom > 0) return
  for (let bytes = 2 * MOST_GIVEN; bytes < size / 2; bytes *= 2) {
    const turn = turns.findLast(({ start }) => start <= size - bytes)
    if (turn === undefined) return
    yield turn.start
  }
}

async function pushAll(
  fs: SessionFs,
  path: string,
  folder: ContextFolder,
  range: { readonly from: number; readonly to: number },
): Promise<void> {
  for await (const { records } of readLog(fs, path, range)) {
    for (const record of records) folder.push(record)
  }
}

async function textAt(
  fs: SessionFs,
  path: string,
  place: ByteRange | undefined,
): Promise<string | undefined> {
  if (place === undefined) return undefined
  for await (const { records } of readLog(fs, path, { from: place.start, to: place.end })) {
    const event = records[0]?.event
    return event !== undefined && !('stranger' in event) && event.type === 'system.message'
      ? event.data.content
      : undefined
  }
  return undefined
}
