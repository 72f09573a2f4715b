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
import { readNotice } from '../../format/notice.ts'
import type { Notice } from '../../format/notice.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { decodeText } from '../../lib/bytes.ts'
import { readLog } from '../../log/read.ts'
import { createPieces } from '../../state/unfinished.ts'
import type { Pieces } from '../../state/unfinished.ts'
import { stateOf } from './live-session.ts'
import type { LiveSession } from './live-session.ts'

export const NOTICES = fileName(layout.session.notices)

export const streamPath = (dir: string): string => `${sessionFolder(dir, 'notices')}/${NOTICES}`

type StreamOwner = {
  readonly turn: string
  /** The id of the event, undefined when nothing was said in the session before. */
  readonly after?: string | undefined
}

export const lineOf = (value: object): string => `${JSON.stringify(value)}\n`

/** What a follower is told of a line: nothing of an owner, of a part that it had, or of what is no line. */
export function noticeIn(line: string): Notice | undefined {
  return readNotice(parsed(line))
}

export type Streamed = { readonly owner: StreamOwner; readonly pieces: Pieces }

/** More was never written: a larger file is not ours. */
const MOST_BYTES = 64 * 1024 * 1024

/** Undefined when there is none, or none that says whose words it holds. */
export async function readStreamed(fs: SessionFs, path: string): Promise<Streamed | undefined> {
  const stat = await fs.stat(path)
  if (stat === undefined || stat.kind !== 'file' || stat.size > MOST_BYTES) return undefined
  const bytes = await fs.read(path)
  return bytes === undefined ? undefined : streamedIn(decodeText(bytes))
}

export function streamedIn(text: string): Streamed | undefined {
  const [first = '', ...lines] = text.split('\n')
  const { turn, after } = (parsed(first) ?? {}) as Readonly<Record<string, unknown>>
  if (typeof turn !== 'string') return undefined
  const pieces = createPieces()
  for (const line of lines) {
    const value = parsed(line)
    const notice = readNotice(value) ?? readNotice((value as { kept?: unknown } | null)?.kept)
    if (notice !== undefined) pieces.hear(notice)
  }
  return { owner: { turn, after: typeof after === 'string' ? after : undefined }, pieces }
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

function parsed(line: string): unknown {
  if (line === '') return undefined
  try {
    return JSON.parse(line) as unknown
  } catch {
    // A line that was cut while it was read or written: its piece is missing, the others are not.
    return undefined
  }
}
