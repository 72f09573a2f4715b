/** What a turn in another process tells as it streams. Best effort: a notice may be missed, an event never is. */
import type { Notice } from '../../format/notice.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { decodeText } from '../../lib/bytes.ts'
import type { LiveSession } from '../live/live-session.ts'
import { settleByLog, streamPath } from '../live/stream-lines.ts'
import { noticeIn, streamedIn } from '../../state/streamed.ts'

interface NoticeReader {
  /** What was told since the last look; at the first one, what is being said, each part whole so far. */
  read(): Promise<readonly Notice[]>
}

export function readNotices(fs: SessionFs, session: LiveSession): NoticeReader {
  let position = 0
  let isFirst = true
  const begun = async (text: string): Promise<readonly Notice[]> => {
    const streamed = streamedIn(text)
    if (streamed === undefined) return []
    await settleByLog(fs, session, streamed)
    return streamed.pieces.notices()
  }
  return {
    async read() {
      const wasFirst = isFirst
      isFirst = false
      const file = await fs.openRead(streamPath(session.dir))
      if (file === undefined) {
        position = 0
        return []
      }
      try {
        const { size } = file
        // After a cut it begins anew.
        if (size < position) position = 0
        const bytes = new Uint8Array(Math.max(0, size - position))
        const count = await file.read(bytes, position)
        const end = bytes.subarray(0, count).lastIndexOf(0x0a) + 1
        position += end
        const text = decodeText(bytes.subarray(0, end))
        if (wasFirst) return await begun(text)
        return text.split('\n').flatMap((line) => noticeIn(line) ?? [])
      } finally {
        await file.close()
      }
    },
  }
}
