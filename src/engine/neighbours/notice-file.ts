/**
 * What a turn tells without storing it (text as it streams, progress), written where other processes see it: they
 * follow the turn as if it ran with them. Best effort: a notice may be missed, an event never is.
 */
import { readNotice } from '../../format/notice.ts'
import type { Notice } from '../../format/notice.ts'
import type { AppendFile, SessionFs } from '../../fs/session-fs.ts'
import { decodeText, encodeText } from '../../lib/bytes.ts'
import { serially } from '../../lib/serially.ts'
import type { EngineContext } from '../context.ts'
import type { LiveSession } from '../live/live-session.ts'
import { NOTICES, inboxFolder } from './inbox-files.ts'

/** Pieces that come closer together are written together. */
const GATHER_MS = 50
/** A reader that falls behind this far misses what is in between. */
const MOST_BYTES = 1024 * 1024

const noticePath = (dir: string): string => `${inboxFolder(dir)}/${NOTICES}`

/** Tells other processes what is told here, until the work is done. */
export async function withNoticeFile<T>(
  engine: EngineContext,
  session: LiveSession,
  work: () => Promise<T>,
): Promise<T> {
  const { fs, redact } = engine
  // Pieces of a text cannot be cleaned of secrets one by one: where the log is, they are not written at all.
  if (!fs.isShared || redact !== undefined) return work()
  let waiting: Notice[] = []
  let file: AppendFile | undefined
  let size = 0
  const write = serially(async () => {
    const bytes = encodeText(waiting.map((notice) => `${JSON.stringify(notice)}\n`).join(''))
    waiting = []
    if (bytes.length === 0) return
    file ??= await fs.openAppend(noticePath(session.dir))
    if (size + bytes.length > MOST_BYTES) {
      await file.truncate(0)
      size = 0
    }
    await file.write([bytes], size)
    size += bytes.length
  })
  let timer: NodeJS.Timeout | undefined
  const later = () => {
    timer ??= setTimeout(() => {
      timer = undefined
      // A disk that takes no notices takes none from now on; the turn itself is not concerned.
      write().catch(() => {})
    }, GATHER_MS)
  }
  using _listening = session.feed.subscribe((item) => {
    if (item.kind !== 'notice' || !isShared(item.notice)) return
    waiting.push(item.notice)
    later()
  })
  try {
    return await work()
  } finally {
    clearTimeout(timer)
    await write().catch(() => {})
    await file?.close()
  }
}

/** What streams or moves while a turn runs. Questions have files of their own; the rest is in the log. */
const SHARED = /^(?:assistant|model|tool)\.|^pending_messages\.modified$|^session\.usage_info$/

const isShared = ({ type }: Notice): boolean => SHARED.test(type)

export interface NoticeReader {
  /** What was told since the last look. */
  read(): Promise<readonly Notice[]>
}

export function readNotices(fs: SessionFs, dir: string): NoticeReader {
  let position: number | undefined
  return {
    async read() {
      const file = await fs.openRead(noticePath(dir))
      if (file === undefined) {
        position = 0
        return []
      }
      try {
        const { size } = file
        // At the first look what was told is past; after a cut it begins anew.
        if (position === undefined) position = size
        if (size < position) position = 0
        const bytes = new Uint8Array(Math.max(0, size - position))
        const count = await file.read(bytes, position)
        const end = bytes.subarray(0, count).lastIndexOf(0x0a) + 1
        position += end
        return decodeText(bytes.subarray(0, end)).split('\n').flatMap(noticeIn)
      } finally {
        await file.close()
      }
    },
  }
}

function noticeIn(line: string): Notice[] {
  if (line === '') return []
  try {
    const notice = readNotice(JSON.parse(line))
    return notice === undefined ? [] : [notice]
  } catch {
    // A line that was cut while it was read: notices may be missed.
    return []
  }
}
