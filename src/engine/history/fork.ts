/**
 * A fork is an independent session with the same beginning. It is made whole beside the others and then
 * appears under its id in one step; a crash leaves either no fork or all of it. Every line that does not name
 * the source is copied byte for byte.
 */
import type { Draft } from '../../format/event.ts'
import type { EventId, SessionId } from '../../format/ids.ts'
import { traced } from '../../lib/telemetry.ts'
import { copyLog } from '../../log/copy.ts'
import { digestWhole } from '../../log/digest.ts'
import { findEvent } from '../../log/find.ts'
import type { LogRecord } from '../../log/record.ts'
import { openLog } from '../../log/open.ts'
import type { SessionState } from '../../state/session-state.ts'
import { copyWorkspace } from '../../workspace/copy.ts'
import { pathInEvents } from '../../workspace/files.ts'
import { writeForkOrigin } from '../../workspace/fork-origin.ts'
import { readMetadata, writeMetadata } from '../../workspace/metadata.ts'
import { writeOwn } from '../../workspace/own-files.ts'
import { PLAN } from '../../workspace/plan.ts'
import { changeMetadata } from '../sessions/change-metadata.ts'
import { commit } from '../live/commit.ts'
import type { EngineContext } from '../engine-context.ts'
import { save } from '../live/create.ts'
import { EngineError } from '../errors.ts'
import { stateAt } from '../live/folded-log.ts'
import { stateOf, type LiveSession } from '../live/live-session.ts'
import { newSessionId } from '../live/new-session-id.ts'
import { logPath } from '../../format/paths.ts'
import { sessionDir } from '../session-dir.ts'
import { nameToKeep } from '../sessions/rename.ts'
import { copyFileRecord, type ForkPoint } from './fork-files.ts'
import { buildAside } from '../sessions/staging.ts'
import { unfinishedFolders } from '../sessions/orphan-cleanup.ts'
import { rewriteForFork } from './fork-rewrite.ts'
import { planWorkspace } from './rewind-files.ts'
import { partsOfBranch, type LogPart } from './rewound-branches.ts'
import { workspaceHistory } from './session-files.ts'

export type ForkOptions = {
  /** This event and all after it are left out. Without it the whole history is taken. */
  readonly before?: EventId
  /** A part that a rewind took away, by its number: the fork is the session as it was before that rewind. */
  readonly rewound?: number
  readonly name?: string
}

export type Forked = {
  readonly sessionId: SessionId
  readonly name: string
  readonly source: SessionId
  readonly events: number
  /** False when the source is busy elsewhere and could not be told of its fork. */
  readonly sourceNoted: boolean
}

export const fork = (
  engine: EngineContext,
  source: LiveSession,
  options: ForkOptions = {},
): Promise<Forked> =>
  traced(
    'fork',
    { source_session_id: source.id, up_to_event_id: options.before },
    () => makeFork(engine, source, options),
    ({ sessionId, events }) => ({ session_id: sessionId, events }),
  )

async function makeFork(
  engine: EngineContext,
  source: LiveSession,
  options: ForkOptions,
): Promise<Forked> {
  if (engine.noForks !== undefined)
    throw new EngineError('invalid', `${engine.noForks} Nothing was changed.`)
  const name = options.name === undefined ? undefined : await nameToKeep(engine, options.name)
  for (const path of await unfinishedFolders(engine)) await engine.fs.remove(path)
  await save(engine, source)
  await source.watcher.refresh()
  const { parts, point } = await takenParts(engine, source, options)
  const { end } = point
  const isWhole = options.before === undefined && options.rewound === undefined
  const past = await stateAt(engine.fs, source.dir, source.folded, end)
  const id = newSessionId(engine)
  const finalName = await buildAside(engine, id, 'fork', async (building) => {
    // First: should this process be killed, a forgetting of the source knows whose words these are.
    await writeForkOrigin(engine.fs, building, source.id)
    await copyHistory(engine, source, { id, building, parts })
    const named = await copyFolder(engine, source, {
      id,
      building,
      past,
      name,
      versions: isWhole ? new Map() : await versionsAt(engine, source, end),
      whole: isWhole,
    })
    await copyFileRecord(engine, source, { id, building, point })
    await digestWhole(engine.fs, building)
    await noteFork(engine, building, forkInfo(`Forked from session ${source.id}${at(options)}.`))
    return named
  })
  return {
    sessionId: id,
    name: finalName,
    source: source.id,
    events: past.eventCount + 1,
    sourceNoted: await tellSource(engine, source, id, options),
  }
}

const at = ({ before, rewound }: ForkOptions): string =>
  rewound !== undefined
    ? ' as it was before a rewind'
    : before === undefined
      ? ''
      : ` before event ${before}`

/** What the fork's log is made of, and where it parts from the source. */
async function takenParts(
  engine: EngineContext,
  source: LiveSession,
  { before, rewound }: ForkOptions,
): Promise<{ readonly parts: readonly LogPart[]; readonly point: ForkPoint }> {
  const path = logPath(source.dir)
  if (rewound === undefined) {
    const point = await forkPoint(engine, source, before)
    return { parts: [{ path, end: point.end }], point }
  }
  const { parts, beganAt } = await partsOfBranch(engine, source, rewound)
  return { parts, point: { end: parts[0]?.end ?? 0, leftOutAt: beganAt } }
}

/** Which session the log says that it was forked from. */
export function originIn({ event }: LogRecord): string | undefined {
  if (event.type !== 'session.info' || 'stranger' in event) return undefined
  const { infoType, message } = event.data
  return infoType === 'fork' ? FORKED.exec(message)?.[1] : undefined
}

const FORKED = /^Forked from session ([\w.-]*[\w-])/

const forkInfo = (message: string): Draft => ({
  type: 'session.info',
  data: { infoType: 'fork', message },
})

async function forkPoint(
  engine: EngineContext,
  source: LiveSession,
  before: EventId | undefined,
): Promise<ForkPoint> {
  if (before === undefined) return { end: stateOf(source).size }
  const found = await findEvent(engine.fs, logPath(source.dir), before)
  if (found === undefined) {
    throw new EngineError(
      'not_found',
      `Event ${before} not found in session ${source.id}. Nothing was changed.`,
      {
        details: { eventId: before },
      },
    )
  }
  if (found.previousId === null) {
    throw new EngineError(
      'invalid',
      'A fork must keep at least the first event. Nothing was changed.',
    )
  }
  return { end: found.record.start, leftOutAt: found.record.event.timestamp }
}

async function copyHistory(
  engine: EngineContext,
  source: LiveSession,
  target: { id: SessionId; building: string; parts: readonly LogPart[] },
): Promise<void> {
  const rewriteLine = rewriteForFork({
    from: { id: source.id, folder: engine.fs.nativePath(source.dir) },
    to: {
      id: target.id,
      folder: engine.fs.nativePath(sessionDir(target.id)),
      startTime: engine.clock().toISOString(),
    },
  })
  for (const [place, { path, end }] of target.parts.entries())
    await copyLog(engine.fs, path, logPath(target.building), {
      end,
      isContinued: place > 0,
      onlyLinesContaining: source.id,
      rewriteLine,
    })
}

/** The session's own files that were changed since, as they were then; null for one that was not there. */
type Versions = ReadonlyMap<string, Uint8Array | null>

async function versionsAt(
  engine: EngineContext,
  source: LiveSession,
  end: number,
): Promise<Versions> {
  const { items } = await planWorkspace(engine, source, end)
  const history = await workspaceHistory(engine, source)
  const versions = new Map<string, Uint8Array | null>()
  for (const { path, target } of items) {
    const bytes = target && (await history.content(target))
    // One whose content was not kept is taken as it is now.
    if (bytes !== undefined) versions.set(path, bytes)
  }
  return versions
}

/** What did not exist yet at the fork point is left behind, what was changed since is taken as it was. */
async function copyFolder(
  engine: EngineContext,
  source: LiveSession,
  target: {
    id: SessionId
    building: string
    past: SessionState
    name: string | undefined
    versions: Versions
    whole: boolean
  },
): Promise<string> {
  const { fs } = engine
  const now = stateOf(source)
  const { past, whole, versions } = target
  const kept = past.compaction.checkpoints.map(({ number }) => number)
  const later = new Set(
    now.workspaceFiles.slice(past.workspaceFiles.length).map(({ path }) => path),
  )
  await copyWorkspace(fs, source.dir, target.building, {
    plan: !versions.has(PLAN) && (whole || past.plan === 'present'),
    checkpoints: kept,
    leaveOut: (path) => versions.has(path) || later.has(pathInEvents(path)),
  })
  for (const [path, bytes] of versions) {
    if (bytes !== null) await writeOwn(fs, target.building, path, bytes)
  }
  const read = await readMetadata(fs, source.dir)
  const old = 'file' in read ? read.file : undefined
  const name = target.name ?? `${old?.name ?? past.titleHint ?? 'session'} (fork)`
  const time = engine.clock().toISOString()
  await writeMetadata(fs, target.building, {
    ...old,
    id: target.id,
    name,
    user_named: target.name !== undefined || (old?.user_named ?? false),
    summary_count: kept.length,
    fork_count: 0,
    created_at: time,
    updated_at: time,
    remote_steerable: undefined,
    mc_task_id: undefined,
    mc_session_id: undefined,
    mc_last_event_id: undefined,
  })
  return name
}

async function noteFork(engine: EngineContext, building: string, draft: Draft): Promise<void> {
  const log = await openLog(engine.fs, building, {
    durability: 'synced',
    clock: engine.clock,
    newId: engine.newId,
    onTrouble: () => {},
    onRecovered: () => {},
  })
  await log.append([draft])
  await log.close()
}

async function tellSource(
  engine: EngineContext,
  source: LiveSession,
  id: SessionId,
  options: ForkOptions,
): Promise<boolean> {
  try {
    await commit(engine, source, [forkInfo(`Forked to session ${id}${at(options)}.`)], {
      waitMs: 500,
    })
  } catch (cause) {
    if (cause instanceof EngineError && cause.code === 'in_use') return false
    throw cause
  }
  await changeMetadata(engine.fs, source.id, (file) => ({
    ...file,
    fork_count: (file.fork_count ?? 0) + 1,
  }))
  return true
}
