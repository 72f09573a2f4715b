/** A session as it is when it is opened in this process: nothing runs, nothing waits, nothing may be written yet. */
import type { SessionId } from '../../format/ids.ts'
import { serially } from '../../lib/coalesce.ts'
import { createPieces } from '../../state/unfinished.ts'
import { keepQueue } from '../turn/queue-file.ts'
import type { EngineContext } from '../engine-context.ts'
import type { Project } from '../sessions/project.ts'
import { newGrants } from '../permission/grants.ts'
import { sessionDir } from '../session-dir.ts'
import { createFeed } from './feed.ts'
import { emptyFoldedLog, type FoldedLog } from './folded-log.ts'
import type { LiveSession, Opening } from './live-session.ts'
import { createLogWatcher } from './log-watcher.ts'

export function newLiveSession(
  engine: EngineContext,
  id: SessionId,
  given: {
    readonly project: Project
    readonly opening: Opening
    readonly folded?: FoldedLog
    readonly hasLog: boolean
    readonly name?: string
  },
): LiveSession {
  // Who followed it when it was closed in this process goes on.
  const feed = engine.followed.get(id)?.feed ?? createFeed(watch)
  engine.followed.delete(id)
  const session: LiveSession = {
    id,
    dir: sessionDir(id),
    feed,
    watcher: createLogWatcher(engine.fs, () => session),
    openedAt: engine.clock(),
    givenName: given.name,
    project: given.project,
    agent: undefined,
    chosen: undefined,
    use: { underWay: 0, lastAt: performance.now() },
    writing: { state: 'none', writer: undefined, changing: undefined, users: 0, isLost: false },
    work: {
      state: 'idle',
      running: undefined,
      ended: Promise.resolve(),
      steering: [],
      pieces: createPieces(),
      compacting: undefined,
      gauge: undefined,
      titling: undefined,
      inbox: undefined,
      inboxClosed: Promise.resolve(),
    },
    queue: {
      state: 'flowing',
      messages: [],
      sending: new Set(),
      coming: undefined,
      tools: [],
      seen: new Set(),
      keep: serially(() => keepQueue(engine, session)),
      kept: undefined,
    },
    written: {
      opening: given.opening,
      underWay: undefined,
      kept: undefined,
      interrupted: undefined,
      hasLog: given.hasLog,
      hasFolder: given.hasLog,
      isAtCut: false,
      hasWritten: false,
      ranStartHooks: false,
    },
    asks: {
      pending: new Map(),
      questions: new Map(),
      left: new Map(),
      said: new Map(),
      grants: newGrants(),
    },
    folded: given.folded ?? emptyFoldedLog(),
    context: undefined,
    files: undefined,
  }
  return session

  /** The one that is open by then may be a later one. */
  function watch(isWatched: boolean): void {
    const { watcher } = engine.live.get(id) ?? session
    if (isWatched) return watcher.start()
    engine.followed.delete(id)
    watcher.stop()
  }
}
