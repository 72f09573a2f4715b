/** Which session a person most likely means when they name none. */
import type { SessionId } from '../format/ids.ts'
import { pickForContext } from '../state/relevance.ts'
import { latestSessionId, legacySessions, listSessions } from './catalogue.ts'
import type { EngineContext } from './context.ts'
import type { Project } from './project.ts'

export const latest = (engine: EngineContext): Promise<SessionId | undefined> =>
  latestSessionId(engine.fs)

/** The newest of the most relevant: same repository and branch, then repository, git root, directory, any. */
export async function latestFor(
  engine: EngineContext,
  project: Project,
): Promise<SessionId | undefined> {
  return pickForContext(await listSessions(engine.fs), project)?.id
}

export const legacy = (engine: EngineContext): Promise<readonly string[]> =>
  legacySessions(engine.fs)
