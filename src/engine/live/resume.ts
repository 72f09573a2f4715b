/**
 * Opens a session again: snapshot, the bytes after it, and the state is there. Nothing is written until
 * something happens in it; then `session.resume` and the settling of interrupted work go first.
 */
import type { Draft, ToldDraft } from '../../format/event.ts'
import { asEventId, type SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { isFolder } from '../../lib/is-folder.ts'
import { traced } from '../../lib/telemetry.ts'
import { readLease } from '../../log/lease.ts'
import { lostQuestions, settleInterrupted } from '../../state/repair.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { commit } from './commit.ts'
import { load } from './folded-log.ts'
import { stateOf, type LiveSession, type Opening } from './live-session.ts'
import { newLiveSession } from './new-live-session.ts'
import { logPath } from '../../format/paths.ts'
import { sessionDir } from '../session-dir.ts'
import { projectContext } from '../sessions/project.ts'
import { explainMissing, refuseUnusable } from './not-found-reason.ts'
import { isForNobody } from '../transport/pending.ts'
import { mendMetadata } from './mend-metadata.ts'
import { idsOf, readLeftWork } from './read-pending-work.ts'
import { streamPath } from './stream-lines.ts'
import { takeUpQueue } from '../turn/queue-file.ts'
import { withWriter } from './writer.ts'

export type ResumeOptions = {
  /** Another directory to work in than the one that the log names. */
  readonly cwd?: string
  /** Where to work when the directory that the log names is no more. */
  readonly cwdIfGone?: string
  /** Calls that had not begun are left open, to be gone on with, instead of settled as failed. */
  readonly continuePendingWork?: boolean
  readonly remoteSteerable?: boolean
  /** Who answers from now on, when that is another model than before. */
  readonly model?: string
  readonly reasoningEffort?: string
}

export async function resume(
  engine: EngineContext,
  id: SessionId,
  options: ResumeOptions = {},
): Promise<LiveSession> {
  const closing = engine.closing.get(id)
  if (closing !== undefined) await closing
  const live = engine.live.get(id)
  if (live !== undefined) {
    await live.watcher.refresh()
    return live
  }
  const opening =
    engine.opening.get(id) ??
    traced(
      'session.resume',
      { session_id: id },
      () => open(engine, id, options),
      (session) => ({ events: stateOf(session).eventCount }),
    ).finally(() => engine.opening.delete(id))
  engine.opening.set(id, opening)
  return opening
}

async function open(
  engine: EngineContext,
  id: SessionId,
  options: ResumeOptions,
): Promise<LiveSession> {
  const dir = sessionDir(id)
  await refuseUnusable(engine, id)
  const stat = await engine.fs.stat(logPath(dir))
  if (stat === undefined || stat.size === 0) throw await explainMissing(engine, id)
  const folded = await load(engine.fs, dir)
  const state = folded.folder.state()
  if (state.sessionId === undefined) {
    throw new EngineError(
      'corrupt',
      `Session ${id} has no session.start event: the beginning of its log is damaged. Nothing was changed. ` +
        `Read what is left with "reprise sessions events ${id}", or rebuild the start with "reprise doctor ${id} --repair".`,
      { details: { sessionId: id, findings: folded.findings } },
    )
  }
  const project = await engine.detectProject(
    options.cwd ?? (await ownDirectory(state.project.cwd, options)) ?? engine.cwd,
  )
  const holder = await readLease(engine.fs, dir)
  const before = engine.followed.get(id)
  const session = newLiveSession(engine, id, {
    project,
    folded,
    hasLog: true,
    opening: opensWith(engine, {
      ...options,
      context: projectContext(project),
      alreadyInUse: holder?.alive === true,
    }),
  })
  const left = options.continuePendingWork === true && (await readLeftWork(engine, session))
  if (left) session.written.kept = idsOf(left)
  await mendMetadata(engine, session)
  engine.live.set(id, session)
  engine.closeUnused()
  if (before !== undefined) {
    session.watcher.start()
    // What was done to its log while it was closed is not known: they look again.
    if (before.size !== state.size) session.feed.reset(state.size)
  }
  if (holder?.alive !== true) {
    await takeUp(engine, session)
    await takeUpQueue(engine, session)
  }
  return session
}

/**
 * What a killed process had told stands in the log before anything is read from it, and that its question is lost,
 * when nobody can go on with the turn that asked it.
 */
async function takeUp(engine: EngineContext, session: LiveSession): Promise<void> {
  const isLost = stateOf(session).openRequests.length > 0 && (await isForNobody(engine, session))
  if (!isLost && (await engine.fs.stat(streamPath(session.dir))) === undefined) return
  try {
    await withWriter(engine, session, {}, async () => {
      if (isLost || session.written.interrupted !== undefined) await commit(engine, session, [])
    })
  } catch (cause) {
    // The process that holds the session by now has taken it up, or a disk that cannot be written keeps it for later.
    if (!(cause instanceof EngineError)) throw cause
  }
}

/** A session works in the project of its log, wherever this process was started. */
const ownDirectory = async (cwd: string | undefined, { cwdIfGone }: ResumeOptions) =>
  cwd === undefined || cwdIfGone === undefined || (await isFolder(cwd)) ? cwd : cwdIfGone

/**
 * What the session's next life begins with, once it begins. Made from the state of that moment: another
 * process may have gone on with the session since it was opened here.
 */
function opensWith(
  engine: EngineContext,
  given: ResumeOptions & { context: ReturnType<typeof projectContext>; alreadyInUse: boolean },
): Opening {
  const resumeTime = engine.clock().toISOString()
  const id = asEventId(engine.newId())
  return (state, agent, interrupted, kept) => {
    const lost = kept === undefined ? lostQuestions(state) : []
    const settled = [...settleInterrupted(state, interrupted, kept), ...lost]
    const resumed: ToldDraft = {
      id,
      timestamp: resumeTime,
      type: 'session.resume',
      data: {
        resumeTime,
        eventCount: state.eventCount + settled.length,
        eventsFileSizeBytes: state.size,
        context: given.context,
        alreadyInUse: given.alreadyInUse,
        sessionWasActive: false,
        continuePendingWork: given.continuePendingWork ?? (kept?.size ?? 0) > 0,
        ...defined({
          selectedModel: given.model ?? state.model,
          reasoningEffort: given.reasoningEffort ?? state.reasoningEffort,
          remoteSteerable: given.remoteSteerable ?? (state.remoteSteerable || undefined),
          ...(agent !== undefined && agent !== state.answeredBy && { reprise: { agent } }),
        }),
      },
    }
    return [...settled, resumed, ...changedAgent(state.answeredBy, agent)]
  }
}

/** A session keeps its agent; where it cannot, the log says so. */
const changedAgent = (before: string | undefined, agent: string | undefined): readonly Draft[] =>
  before === undefined || agent === undefined || before === agent
    ? []
    : [
        {
          type: 'session.info',
          data: {
            infoType: 'agent_changed',
            message: `${agent} answers from here on; before it was ${before}.`,
          },
        },
      ]
