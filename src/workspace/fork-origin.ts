/** Which session a fork was made from, kept beside it: workspace.yaml has no field for it, and the log only a sentence. */
import { isSessionId, type SessionId } from '../format/ids.ts'
import { inSession } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'

const path = (dir: string): string => inSession(dir, 'forkedFrom')

/** Undefined for a session that is no fork, and for a file that names none. */
export async function readForkOrigin(fs: SessionFs, dir: string): Promise<SessionId | undefined> {
  // Few sessions are forks, and a look costs less than an attempt to open.
  const [stat] = await fs.statMany([path(dir)])
  const bytes = stat && (await fs.read(path(dir)))
  const id = bytes === undefined ? undefined : decodeText(bytes).trim()
  return isSessionId(id) ? id : undefined
}

export async function writeForkOrigin(fs: SessionFs, dir: string, id: SessionId): Promise<void> {
  await fs.writeAtomic(path(dir), encodeText(`${id}\n`), { durable: true })
}
