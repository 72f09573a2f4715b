/** Which session a person most likely means when they name none. */
import type { SessionId } from '../../format/ids.ts'
import { pickForContext } from '../../state/relevance.ts'
import { latestSessionId, legacySessions, listSessions } from './catalogue.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import type { Project } from './project.ts'

export const latest = (fs: SessionFs): Promise<SessionId | undefined> => latestSessionId(fs)

/** The newest of the most relevant: same repository and branch, then repository, git root, directory, any. */
export async function latestFor(fs: SessionFs, project: Project): Promise<SessionId | undefined> {
  return pickForContext(await listSessions(fs), project)?.id
}

export const legacy = (fs: SessionFs): Promise<readonly string[]> => legacySessions(fs)
