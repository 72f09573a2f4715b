/**
 * The model context of a session now. Read from the log once, from where the last compaction began, and
 * kept up to date with the events that follow: a turn costs what it adds.
 */
import type { SessionFs } from '../fs/session-fs.ts'
import { inTurn } from '../lib/in-turn.ts'
import { readLog } from '../log/read.ts'
import { createContextFolder } from '../state/model-context.ts'
import type { ContextFolder, ModelContext } from '../state/model-context.ts'
import type { Place } from '../state/placed.ts'
import type { EngineContext } from './context.ts'
import { stateOf } from './live-session.ts'
import type { LiveSession } from './live-session.ts'
import { logPath } from './places.ts'

export type KnownContext = { readonly from: number; upTo: number; readonly folder: ContextFolder }

/** One reader at a time: a compaction may run beside a turn. */
export const modelContext = (engine: EngineContext, session: LiveSession): Promise<ModelContext> =>
  inTurn(session, () => readContext(engine, session))

async function readContext(engine: EngineContext, session: LiveSession): Promise<ModelContext> {
  const { contextFrom, size, systemMessage } = stateOf(session)
  const path = logPath(session.dir)
  let known = session.context
  if (known === undefined || known.from !== contextFrom || known.upTo > size) {
    const system = await textAt(engine.fs, path, systemMessage)
    const folder = createContextFolder(system === undefined ? {} : { system })
    known = { from: contextFrom, upTo: contextFrom, folder }
    session.context = known
  }
  if (known.upTo < size) {
    for await (const { records } of readLog(engine.fs, path, { from: known.upTo, to: size })) {
      for (const record of records) known.folder.push(record)
    }
    known.upTo = size
  }
  return known.folder.context()
}

async function textAt(
  fs: SessionFs,
  path: string,
  place: Place | undefined,
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
