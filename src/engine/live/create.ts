/**
 * A new session, in memory only: its folder and its log appear with the first user message or an
 * explicit save. Until then nothing on disk knows of it.
 */
import type { DraftOf } from '../../format/event.ts'
import type { SessionId } from '../../format/ids.ts'
import { defined } from '../../lib/defined.ts'
import { traced } from '../../lib/telemetry.ts'
import { commit } from './commit.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import type { LiveSession } from './live-session.ts'
import { newLiveSession } from './new-live-session.ts'
import { newSessionId } from './new-session-id.ts'
import { logPath } from '../../format/paths.ts'
import { sessionDir } from '../session-dir.ts'
import { refuseUnusable } from './not-found-reason.ts'
import { producer } from './producer.ts'
import { projectContext } from '../sessions/project.ts'
import { nameToKeep } from '../sessions/rename.ts'
import { toldAhead } from './pending-events.ts'

export type CreateOptions = {
  /** A caller may bring its own id, for example the UUID given to --resume. */
  readonly sessionId?: SessionId
  readonly name?: string
  readonly cwd?: string
  readonly model?: string
  readonly reasoningEffort?: string
  readonly remoteSteerable?: boolean
  readonly parentSessionId?: SessionId
}

export const create = (engine: EngineContext, options: CreateOptions): Promise<LiveSession> =>
  traced(
    'session.create',
    {},
    () => begin(engine, options),
    ({ id }) => ({ session_id: id }),
  )

async function begin(engine: EngineContext, options: CreateOptions): Promise<LiveSession> {
  const id = options.sessionId ?? newSessionId(engine)
  if (options.sessionId !== undefined) await refuseUnusable(engine, id)
  // An empty log is of a process that died before its first event was written: there is nothing to resume.
  const log = await engine.fs.stat(logPath(sessionDir(id)))
  if (engine.live.has(id) || (log !== undefined && log.size > 0)) {
    throw new EngineError(
      'conflict',
      `Session ${id} exists already. Nothing was changed. Resume it instead.`,
    )
  }
  const project = await engine.detectProject(options.cwd ?? engine.cwd)
  const started = toldAhead(engine, startDraft(engine, id, options, projectContext(project)))
  const answered = (agent: string | undefined): typeof started =>
    agent === undefined ? started : { ...started, data: { ...started.data, reprise: { agent } } }
  const session = newLiveSession(engine, id, {
    project,
    hasLog: false,
    opening: (_state, agent) => [answered(agent)],
    ...(options.name !== undefined && { name: await nameToKeep(engine, options.name) }),
  })
  engine.live.set(id, session)
  engine.closeUnused()
  return session
}

/** Writes a session that has said nothing yet. */
export async function save(engine: EngineContext, session: LiveSession): Promise<void> {
  if (session.written.hasLog) return session.writing.writer?.log.flush()
  await commit(engine, session, [])
}

function startDraft(
  engine: EngineContext,
  sessionId: SessionId,
  options: CreateOptions,
  context: ReturnType<typeof projectContext>,
): DraftOf<'session.start'> {
  return {
    type: 'session.start',
    data: {
      sessionId,
      ...producer(engine),
      startTime: engine.clock().toISOString(),
      context,
      alreadyInUse: false,
      ...defined({
        selectedModel: options.model,
        reasoningEffort: options.reasoningEffort,
        remoteSteerable: options.remoteSteerable,
        detachedFromSpawningParentSessionId: options.parentSessionId,
      }),
    },
  }
}
