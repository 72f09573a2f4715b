/**
 * The file that a turn writes while it says something, `notices.jsonl` in the inbox of its session: other processes
 * follow it as it grows, and when its writer was killed the next one makes events of what it holds. A line is
 *
 *     {"turn": …, "after": …}    the first: whose words these are, and the message that they answer
 *     {"type": …, "data": …}     a notice, as it was told
 *     {"kept": {…}}              a part that was told before, whole: for the next writer, not for followers
 */
import { layout } from '../../format/layout.ts'
import { fileName, logPath, sessionFolder } from '../../format/paths.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { decodeText } from '../../lib/bytes.ts'
import { readLog } from '../../log/read.ts'
import { streamedIn, type Streamed } from '../../state/streamed.ts'
import { stateOf, type LiveSession } from './live-session.ts'

export const NOTICES = fileName(layout.session.notices)

export const streamPath = (dir: string): string => `${sessionFolder(dir, 'notices')}/${NOTICES}`

export const lineOf = (value: object): string => `${JSON.stringify(value)}\n`

/** More was never written: a larger file is not ours. */
const MOST_BYTES = 64 * 1024 * 1024

/** Undefined when there is none, or none that says whose words it holds. */
export async function readStreamed(fs: SessionFs, path: string): Promise<Streamed | undefined> {
  const stat = await fs.stat(path)
  if (stat === undefined || stat.kind !== 'file' || stat.size > MOST_BYTES) return undefined
  const bytes = await fs.read(path)
  return bytes === undefined ? undefined : streamedIn(decodeText(bytes))
}

/** What the log says whole is not unfinished. */
export async function settleByLog(
  fs: SessionFs,
  session: LiveSession,
  { owner, pieces }: Streamed,
): Promise<void> {
  const { turns, size } = stateOf(session)
  const from = turns.find(({ eventId }) => eventId === owner.after)?.start ?? 0
  for await (const { records } of readLog(fs, logPath(session.dir), { from, to: size }))
    for (const { event } of records) pieces.settle(event)
}
