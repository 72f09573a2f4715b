/** What a turn in another process tells as it streams. Best effort: a notice may be missed, an event never is. */
import type { Notice } from '../../format/notice.ts'
import type { SessionFs } from '../../fs/session-fs.ts'
import { decodeText } from '../../lib/bytes.ts'
import { noticeIn, streamPath } from '../live/stream-lines.ts'

interface NoticeReader {
  /** What was told since the last look. */
  read(): Promise<readonly Notice[]>
}

export function readNotices(fs: SessionFs, dir: string): NoticeReader {
  let position: number | undefined
  return {
    async read() {
      const file = await fs.openRead(streamPath(dir))
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
        return decodeText(bytes.subarray(0, end))
          .split('\n')
          .flatMap((line) => noticeIn(line) ?? [])
      } finally {
        await file.close()
      }
    },
  }
}
