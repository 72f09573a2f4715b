/** Files of turns of which no contents were recorded, such as those of other agents, as their tools told of them. */
import { isAbsolute, relative, sep } from 'node:path'
import type { EventId } from '../../format/ids.ts'
import type { EngineContext } from '../engine-context.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { recordOf } from './session-files.ts'
import { toldChanges } from './reported-changes.ts'

/** One edit, with the message of its turn. */
export type Told = { readonly eventId: EventId; readonly prompt: string; readonly diff: string }

export type ToldFile = {
  /** From the root of the project; absolute where it is outside. */
  readonly path: string
  readonly change: 'created' | 'modified' | 'deleted'
  readonly linesAdded: number
  readonly linesRemoved: number
  readonly told: readonly Told[]
}

/** `turns`: those that are asked for; a turn that has a record is told by that alone. */
export async function toldFiles(
  engine: EngineContext,
  session: LiveSession,
  turns: readonly { readonly eventId: EventId; readonly start: number }[],
): Promise<Files> {
  const { entries } = (await recordOf(engine, session)).journal
  const recorded = new Set(entries.map((entry) => entry.kind === 'tool' && entry.turnEventId))
  const open = new Set(turns.flatMap(({ eventId }) => (recorded.has(eventId) ? [] : [eventId])))
  const [first] = turns.filter(({ eventId }) => open.has(eventId))
  if (first === undefined) return new Map()
  const last = turns.at(-1)?.eventId
  const all = stateOf(session).turns
  const next = all[all.findIndex(({ eventId }) => eventId === last) + 1]
  const { size, lastEventId } = stateOf(session)
  const range = { from: first.start, to: next?.start ?? size }
  const key = JSON.stringify([lastEventId, size, range, entries.length])
  const before = lastRead.get(session)
  if (before?.key === key) return before.files
  const files = read(engine, session, range, open)
  lastRead.set(session, { key, files })
  // What could not be read is read again when it is asked for again.
  files.catch(() => lastRead.delete(session))
  return files
}

/** A review asks for all files at once and then for each: the log is gone through once for all of them. */
const lastRead = new WeakMap<
  LiveSession,
  { readonly key: string; readonly files: Promise<Files> }
>()

type Files = ReadonlyMap<string, ToldFile>

async function read(
  engine: EngineContext,
  session: LiveSession,
  range: { readonly from: number; readonly to: number },
  open: ReadonlySet<EventId>,
): Promise<Files> {
  const files = new Map<string, ToldFile & { readonly told: Told[] }>()
  const { cwd, gitRoot = cwd } = session.project
  const where = { fs: engine.fs, dir: session.dir, cwd, ...range }
  for await (const { file, kind, diff, ...turn } of toldChanges(where, (id) => open.has(id))) {
    const path = pathFrom(gitRoot, file)
    const known = files.get(path)
    const wasNew = known === undefined ? kind === 'create' : known.change === 'created'
    const lines = diff.split('\n')
    // Thousands of calls may have changed one file: what they told is not copied for each.
    const told = known?.told ?? []
    told.push(toldBy(turn, diff))
    files.set(path, {
      path,
      change: kind === 'delete' ? 'deleted' : wasNew ? 'created' : 'modified',
      linesAdded: (known?.linesAdded ?? 0) + lines.filter((line) => line.startsWith('+')).length,
      linesRemoved:
        (known?.linesRemoved ?? 0) + lines.filter((line) => line.startsWith('-')).length,
      told,
    })
  }
  return files
}

const PROMPT_CHARS = 200

const toldBy = ({ eventId, prompt }: Pick<Told, 'eventId' | 'prompt'>, diff: string): Told => ({
  eventId,
  prompt: prompt.slice(0, PROMPT_CHARS).toWellFormed(),
  diff,
})

export function pathFrom(root: string, file: string): string {
  const path = relative(root, file)
  const isInside = path !== '' && path.split(sep)[0] !== '..' && !isAbsolute(path)
  return isInside ? path.split(sep).join('/') : file
}
