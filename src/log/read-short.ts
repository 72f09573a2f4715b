/**
 * The records in the whole lines of a short stretch, as `readLog` gives them, but read at once: most logs are short,
 * and a reader of ten thousand of them would spend more on blocks and portions than on what they hold.
 */
import type { EventId } from '../format/ids.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { createContinuity } from './continuity.ts'
import { readLines } from './line.ts'
import type { Gathered, LogRecord } from './record.ts'
import { NEWLINE } from './split.ts'

export const SHORT_BYTES = 64 * 1024

type ShortStretch = {
  readonly from: number
  readonly to: number
  /** As for `readLog`. */
  readonly previousId?: EventId | null
}

/** None when there is no such log. */
export async function readShort(
  fs: SessionFs,
  path: string,
  { from, to, previousId = from === 0 ? null : undefined }: ShortStretch,
): Promise<readonly LogRecord[]> {
  const file = await fs.openRead(path)
  if (file === undefined) return []
  try {
    const room = Buffer.allocUnsafe(Math.max(0, Math.min(to, file.size) - from))
    const bytes = room.subarray(0, await file.read(room, from))
    const gathered: Gathered = { records: [], findings: [] }
    readLines(bytes.subarray(0, bytes.lastIndexOf(NEWLINE) + 1), from, gathered)
    await createContinuity(file, previousId)(gathered)
    return gathered.records
  } finally {
    await file.close()
  }
}
