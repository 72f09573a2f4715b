/**
 * Opens a session again: snapshot, the bytes after it, and the state is there. Nothing is written until
 * something happens in it; then `session.resume` and the settling of interrupted work go first.
 */
import type { Draft, DraftOf } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { traced } from '../../lib/telemetry.ts'
import { readLease } from '../../log/lease.ts'
import { settleInterrupted } from '../../state/repair.ts'
import type { SessionState } from '../../state/session-state.ts'
import type { EngineContext } from '../context.ts'
import { EngineError } from '../errors.ts'
import { load } from './knowledge.ts'
import { createLiveSession, stateOf } from './live-session.ts'
import type { LiveSession } from './live-session.ts'
import { logPath, sessionDir } from '../places.ts'
import { projectContext } from '../home/project.ts'
import { explainMissing } from './missing.ts'
import { mendMetadata } from './mend-metadata.ts'

export type ResumeOptions = {
  readonly cwd?: string
  /** Leave interrupted tools open for the agent to go on with, instead of settling them as failed. */
  readonly continuePendingWork?: boolean
  readonly remoteSteerable?: boolean
}

export async function resume(
  engine: EngineContext,
  id: SessionId,
  options: ResumeOptions = {},
): Promise<LiveSession> {
  const live = engine.live.get(id)
  if (live !== undefined) {
    await live.observer.refresh()
    return live
  }
  return traced(
    'session.resume',
    { session_id: id },
    () => open(engine, id, options),
    (session) => ({ events: stateOf(session).eventCount }),
  )
}

async function open(
  engine: EngineContext,
  id: SessionId,
  options: ResumeOptions,
): Promise<LiveSession> {
  const dir = sessionDir(id)
  const stat = await engine.fs.stat(logPath(dir))
  if (stat === undefined || stat.size === 0) throw await explainMissing(engine, id)
  const knowledge = await load(engine.fs, dir)
  const state = knowledge.folder.state()
  if (state.sessionId === undefined) {
    throw new EngineError(
      'corrupt',
      `Session ${id} has no session.start event: the beginning of its log is damaged. Nothing was changed. ` +
        `Read what is left with "reprise sessions events ${id}", or rebuild the start with "reprise doctor ${id} --repair".`,
      { details: { sessionId: id, findings: knowledge.findings } },
    )
  }
  const project = await engine.detectProject(options.cwd ?? process.cwd())
  const holder = await readLease(engine.fs, dir)
  const session = createLiveSession(engine, id, {
    project,
    knowledge,
    hasLog: true,
    opening: opensWith(engine, {
      ...options,
      context: projectContext(project),
      alreadyInUse: holder?.alive === true,
    }),
  })
  await mendMetadata(engine, session)
  engine.live.set(id, session)
  return session
}

/**
 * What the session's next life begins with, once it begins. Made from the state of that moment: another
 * process may have gone on with the session since it was opened here.
 */
function opensWith(
  engine: EngineContext,
  given: ResumeOptions & { context: ReturnType<typeof projectContext>; alreadyInUse: boolean },
): (state: SessionState) => readonly Draft[] {
  const resumeTime = engine.clock().toISOString()
  return (state) => {
    const resumed: DraftOf<'session.resume'> = {
      type: 'session.resume',
      data: {
        resumeTime,
        eventCount: state.eventCount,
        eventsFileSizeBytes: state.size,
        context: given.context,
        alreadyInUse: given.alreadyInUse,
        sessionWasActive: false,
        continuePendingWork: given.continuePendingWork ?? false,
        ...defined({
          selectedModel: state.model,
          reasoningEffort: state.reasoningEffort,
          remoteSteerable: given.remoteSteerable,
        }),
      },
    }
    return given.continuePendingWork === true ? [resumed] : [resumed, ...settleInterrupted(state)]
  }
}
