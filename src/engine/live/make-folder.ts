/** Gives a session that was only in memory its folder. The log itself appears with the first append. */
import { createWorkspace } from '../../workspace/create.ts'
import type { EngineContext } from '../engine-context.ts'
import { whereIn } from '../sessions/project.ts'
import type { LiveSession } from './live-session.ts'

export async function makeFolder(engine: EngineContext, session: LiveSession): Promise<void> {
  if (session.written.hasFolder) return
  const now = engine.clock().toISOString()
  const { project } = session
  const file = {
    id: session.id,
    ...whereIn(project),
    client_name: engine.clientName,
    ...(session.givenName !== undefined && { name: session.givenName, user_named: true }),
    summary_count: 0,
    created_at: now,
    updated_at: now,
  }
  await createWorkspace(engine.fs, session.dir, file, { repositoryKey: project.repositoryKey })
  session.written.hasFolder = true
}
