/** Moves a session to another directory: its next turns work there, and its log says so. */
import { isAbsolute } from 'node:path'
import type { DraftOf } from '../../format/event.ts'
import type { EngineContext } from '../engine-context.ts'
import { EngineError } from '../errors.ts'
import { kindAt } from '../../project/read-named.ts'
import { requireIdle, type LiveSession } from './live-session.ts'
import { changeMetadata } from '../sessions/change-metadata.ts'
import { projectContext, whereIn, type Project } from '../sessions/project.ts'
import { commitOrWait } from './pending-events.ts'

export async function moveTo(
  engine: EngineContext,
  session: LiveSession,
  cwd: string,
): Promise<Project> {
  if (!isAbsolute(cwd)) {
    throw new EngineError(
      'invalid',
      `"${cwd}" is not an absolute path. The session stays in ${session.project.cwd}.`,
    )
  }
  if ((await kindAt(cwd)) !== 'folder') {
    throw new EngineError(
      'not_found',
      `There is no directory ${cwd}. The session stays in ${session.project.cwd}.`,
    )
  }
  requireIdle(session, 'change its directory')
  const project = await engine.detectProject(cwd)
  const changed: DraftOf<'session.context_changed'> = {
    type: 'session.context_changed',
    data: projectContext(project),
  }
  await commitOrWait(engine, session, changed)
  const moving: { project: Project } = session
  moving.project = project
  session.files = undefined
  // The log has it: the next turn writes the file again.
  if (session.written.hasLog) await tellFile(engine, session, project).catch(() => {})
  return project
}

async function tellFile(
  engine: EngineContext,
  { id }: LiveSession,
  project: Project,
): Promise<void> {
  const now = engine.clock().toISOString()
  await changeMetadata(engine.fs, id, (file) => ({
    ...file,
    ...whereIn(project),
    updated_at: now,
  }))
}
