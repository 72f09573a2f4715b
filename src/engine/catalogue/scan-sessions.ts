/** Sessions as the file system shows them: folders whose names are ids, and in them a log that says something. */
import { isSessionId, type SessionId } from '../../format/ids.ts'
import { SESSIONS, logPath } from '../../format/paths.ts'
import type { FileStat, SessionFs } from '../../fs/session-fs.ts'
import { statEach } from '../../fs/stat-each.ts'
import type { Stamps } from './catalogue-columns.ts'

export type FoundSession = Stamps & { readonly id: SessionId }

/**
 * Only whole ids count: a look-alike is another program's. What has such a name and is no folder is found all the same, so
 * that it can be named. Flat files are of an older format, told of and left alone.
 */
export async function findFolders(
  fs: SessionFs,
): Promise<{ readonly ids: Set<SessionId>; readonly legacy: readonly string[] }> {
  const ids = new Set<SessionId>()
  const legacy: string[] = []
  for (const { name, kind } of await fs.list(SESSIONS)) {
    if (isSessionId(name)) ids.add(name)
    else if (kind === 'file' && name.endsWith('.jsonl')) legacy.push(name)
  }
  return { ids, legacy: legacy.sort() }
}

/** Those that have said something, and those of which there is a name at least. */
export async function findSessions(
  fs: SessionFs,
  ids: readonly SessionId[],
): Promise<{ readonly found: FoundSession[]; readonly empty: SessionId[] }> {
  const found: FoundSession[] = []
  const empty: SessionId[] = []
  for (let at = 0; at < ids.length; at += PORTION) {
    const some = ids.slice(at, at + PORTION)
    const stats = await statEach(fs, some.flatMap(folderAndLogOf))
    some.forEach((id, index) => {
      const [folder, log] = [stats[2 * index], stats[2 * index + 1]]
      // Behind a link there may be a log: of no session of this home.
      if (folder?.kind === 'folder' && hasContent(log)) {
        const { size: bytes, mtimeMs: logMtimeMs } = log
        found.push({ id, bytes, logMtimeMs, folderMtimeMs: folder.mtimeMs })
      } else if (folder !== undefined) empty.push(id)
    })
  }
  return { found, empty }
}

/** In portions: ten thousand looks at once are a heap to clean up. Many enough that `statMany` lets others run. */
const PORTION = 1000

const folderAndLogOf = (id: SessionId): string[] => [
  `${SESSIONS}/${id}`,
  logPath(`${SESSIONS}/${id}`),
]

const hasContent = (log: FileStat | undefined): log is FileStat =>
  log?.kind === 'file' && log.size > 0

/** Of logs that were written at the same time the ids decide, so that every list and the latest agree. */
export const newestFound = (
  a: Pick<FoundSession, 'id' | 'logMtimeMs'>,
  b: Pick<FoundSession, 'id' | 'logMtimeMs'>,
): number => b.logMtimeMs - a.logMtimeMs || (a.id < b.id ? -1 : 1)
