/**
 * Copies a log to another place at about the speed of a file copy. Only lines that contain a given text are
 * looked at and may be rewritten; all others are passed on byte for byte, in long runs. Durable when it returns.
 */
import type { AppendFile, ReadFile, SessionFs } from '../fs/session-fs.ts'
import { chunksOf, withFile } from './range.ts'
import { NEWLINE, readBlocks } from './split.ts'

export type CopyOptions = {
  /** Copies the bytes before this one. Default: all. */
  readonly end?: number
  /** Behind what the other file holds. Default: in its place. */
  readonly isContinued?: boolean
  /** Gets a line without its newline; undefined leaves it as it is. */
  readonly rewriteLine?: (line: Uint8Array) => Uint8Array | undefined
  /** In ASCII. Without it every line is handed to `rewriteLine`. */
  readonly onlyLinesContaining?: string
}

/** Paths of two files; one that does not exist copies nothing. Gives the number of bytes written. */
export async function copyLog(
  fs: SessionFs,
  from: string,
  to: string,
  options: CopyOptions = {},
): Promise<number> {
  const written = await withFile(fs, from, async (source) => {
    const target = await fs.openAppend(to)
    try {
      const held = await target.size()
      if (held > 0 && options.isContinued !== true) await target.truncate(0)
      const size = await copyInto(source, target, options)
      await target.sync()
      return size
    } finally {
      await target.close()
    }
  })
  return written ?? 0
}

async function copyInto(
  source: ReadFile,
  target: AppendFile,
  { end = source.size, isContinued = false, rewriteLine, onlyLinesContaining }: CopyOptions,
): Promise<number> {
  const to = Math.min(end, source.size)
  let position = isContinued ? await target.size() : 0
  const put = async (chunks: readonly Uint8Array[]) => {
    await target.write(chunks, position)
    position += chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  }
  if (rewriteLine === undefined) {
    for await (const chunk of chunksOf(source, { start: 0, end: to })) await put([chunk])
    return position
  }
  const needle = onlyLinesContaining === undefined ? undefined : Buffer.from(onlyLinesContaining)
  for await (const block of readBlocks(source, { from: 0, to })) {
    if (block.kind === 'oversized') {
      for await (const chunk of chunksOf(source, block)) await put([chunk])
    } else {
      await put(rewritten(block.bytes, needle, rewriteLine))
    }
  }
  return position
}

/** The block in runs: untouched stretches as views of it, rewritten lines in between. */
function rewritten(
  bytes: Buffer,
  needle: Buffer | undefined,
  rewriteLine: (line: Uint8Array) => Uint8Array | undefined,
): Uint8Array[] {
  const runs: Uint8Array[] = []
  let copied = 0
  for (let at = 0; at < bytes.length;) {
    const hit = needle === undefined ? at : bytes.indexOf(needle, at)
    if (hit === -1) break
    const start = bytes.subarray(0, hit).lastIndexOf(NEWLINE) + 1
    const newline = bytes.indexOf(NEWLINE, hit)
    const end = newline === -1 ? bytes.length : newline
    const line = rewriteLine(bytes.subarray(start, end))
    if (line !== undefined) {
      runs.push(bytes.subarray(copied, start), line)
      copied = end
    }
    at = end + 1
  }
  runs.push(bytes.subarray(copied))
  return runs
}
