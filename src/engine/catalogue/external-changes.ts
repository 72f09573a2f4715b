/**
 * Other programs that write sessions into this home leave no marks for us. What they do leave, the Copilot CLI
 * above all, are traces of the whole home: a log for each process, and rows in its session store. While those
 * stand still and none of its processes lives, no session can have changed behind our back.
 */
import { isSessionId, type SessionId } from '../../format/ids.ts'
import { homeFolder, inHome } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { decodeText } from '../../lib/bytes.ts'
import { isRunning } from '../../lib/process-identity.ts'

const LOGS = homeFolder('copilotLogs')
const STORE = ['', '-wal'].map((end) => inHome('store') + end)
const PROCESS_LOG = /^process-\d+-(\d+)\.log$/

/** Later than this before the look, a trace may change once more within one step of the file system's clock. */
const SETTLED_MS = 2_000

/** One text that stays the same while nothing happens; undefined when something may be happening now. */
export async function foreignSigns(fs: SessionFs, nowMs: number): Promise<string | undefined> {
  const [logs] = await fs.statMany([LOGS])
  // Our own index writes the store too, so where no other program ever ran it tells nothing.
  if (logs === undefined) return ''
  const stats = [logs, ...(await fs.statMany(STORE))]
  if (stats.some((stat) => stat !== undefined && nowMs - stat.mtimeMs < SETTLED_MS))
    return undefined
  const pids = (await fs.list(LOGS)).flatMap(({ name }) => PROCESS_LOG.exec(name)?.[1] ?? [])
  if (pids.some((pid) => isRunning(Number(pid)))) return undefined
  return stats.map((stat) => `${stat?.mtimeMs}:${stat?.size}`).join(' ')
}

/** How the Copilot CLI names in its log a session that it creates or resumes. */
const NAMED = /(?:initialized|session): ([\w-][\w.-]{0,236})/g

/** Sessions that the logs of other programs name, as far as these were written since. */
export async function sessionsOfOthers(fs: SessionFs, sinceMs: number): Promise<Set<SessionId>> {
  const paths = (await fs.list(LOGS)).flatMap(({ name }) =>
    PROCESS_LOG.test(name) ? [`${LOGS}/${name}`] : [],
  )
  const stats = await fs.statMany(paths)
  const named = new Set<SessionId>()
  for (const [index, path] of paths.entries()) {
    if ((stats[index]?.mtimeMs ?? 0) < sinceMs - SETTLED_MS) continue
    const text = decodeText((await fs.read(path)) ?? new Uint8Array())
    for (const [, id] of text.matchAll(NAMED)) if (isSessionId(id)) named.add(id)
  }
  return named
}
