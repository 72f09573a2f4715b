/** The first records of a log: who began it, where, and what was asked first. Reads 64 KiB at most. */
import type { EventOf } from '../format/event.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { readLog } from '../log/read.ts'

export type LogHead = {
  readonly start: EventOf<'session.start'> | undefined
  readonly firstPrompt: string | undefined
  /** Undefined when the log goes on beyond its head. */
  readonly turns: number | undefined
}

const HEAD_BYTES = 64 * 1024

export async function readLogHead(fs: SessionFs, path: string, size: number): Promise<LogHead> {
  let start: LogHead['start']
  let firstPrompt: string | undefined
  let turns = 0
  const to = Math.min(size, HEAD_BYTES)
  // Most logs of a long list are short: a chunk of the usual size for each would cost more than reading it.
  for await (const { records } of readLog(fs, path, { to, chunkBytes: to })) {
    for (const { event } of records) {
      if ('stranger' in event) continue
      if (event.type === 'session.start') start ??= event
      if (event.type !== 'user.message') continue
      firstPrompt ??= event.data.content
      turns++
    }
  }
  return { start, firstPrompt, turns: size <= HEAD_BYTES ? turns : undefined }
}
