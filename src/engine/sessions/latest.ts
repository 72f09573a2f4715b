/** Which session a person most likely means when they name none. */
import type { SessionId } from '../../format/ids.ts'
import { latestSessionId, legacySessions, nearestSessions } from '../catalogue/catalogue.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import type { Project } from './project.ts'

export const latest = (fs: SessionFs): Promise<SessionId | undefined> => latestSessionId(fs)

/** The newest of the most relevant: same repository and branch, then repository, git root, directory, any. */
export async function latestFor(fs: SessionFs, project: Project): Promise<SessionId | undefined> {
  return (await nearestSessions(fs, project, { limit: 1, uncounted: true })).sessions[0]?.id
}

export const legacy = (fs: SessionFs): Promise<readonly string[]> => legacySessions(fs)
