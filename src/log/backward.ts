/**
 * Reads a log from its end, newest first, so that the last events, or one event, cost what lies behind them
 * and not the whole log. Repeated records and breaks of the chain are not looked for here.
 */
import type { ReadFile, SessionFs } from '../fs/session-fs.ts'
import { readLines, readTail, tooLong, tornTail } from './line.ts'
import { readInto, readRange } from './range.ts'
import type { Gathered, LogBatch } from './record.ts'
import { CHUNK_BYTES, MAX_RECORD_BYTES, NEWLINE, type Block, type SplitLimits } from './split.ts'

/** Mostly it is the last record that is wanted; what is read grows from here. */
const FIRST_CHUNK_BYTES = 8 * 1024

export type BackwardOptions = SplitLimits & {
  /** Reads what stands before this byte. Default: the end of the file. */
  readonly before?: number
}

/** `end` of a batch is where it begins in the file: the place that the next one ends at. */
export async function* readBackward(
  fs: SessionFs,
  path: string,
  options: BackwardOptions = {},
): AsyncGenerator<LogBatch, void, void> {
  const file = await fs.openRead(path)
  if (file === undefined) return
  try {
    for await (const block of blocksBackward(file, options)) {
      const gathered: Gathered = { records: [], findings: [] }
      if (block.kind === 'oversized') {
        gathered.findings.push((block.hasNewline ? tooLong : tornTail)(block))
      } else if (block.kind === 'lines') {
        readLines(block.bytes, block.start, gathered)
      } else {
        readTail(block.bytes, block.start, gathered)
      }
      yield {
        records: gathered.records.reverse(),
        findings: gathered.findings.reverse(),
        end: block.start,
      }
    }
  } finally {
    await file.close()
  }
}

/** The blocks of `readBlocks`, last first: the tail, when there is one, then whole lines. */
export async function* blocksBackward(
  file: ReadFile,
  options: BackwardOptions,
): AsyncGenerator<Block, void, void> {
  const { maxRecordBytes = MAX_RECORD_BYTES, chunkBytes = CHUNK_BYTES } = options
  const size = Math.min(options.before ?? file.size, file.size)
  /** Everything from here on has been given out; the byte before is a newline. */
  let limit = await startOfLine(file, size, chunkBytes)
  if (size - limit > maxRecordBytes) {
    yield { kind: 'oversized', start: limit, end: size, hasNewline: false }
  } else if (size > limit) {
    yield { kind: 'tail', bytes: await readRange(file, { start: limit, end: size }), start: limit }
  }
  let step = Math.min(FIRST_CHUNK_BYTES, chunkBytes)
  while (limit > 0) {
    const start = Math.max(0, limit - step)
    const bytes = await readRange(file, { start, end: limit })
    if (bytes.length < limit - start) return // cut by another process since it was opened
    // The first line may have begun before what was read, unless the file begins here.
    const first = start === 0 ? 0 : bytes.indexOf(NEWLINE) + 1
    if (first < bytes.length) {
      yield { kind: 'lines', bytes: bytes.subarray(first), start: start + first }
      limit = start + first
      step = Math.min(chunkBytes, step * 2)
    } else if (step < chunkBytes) {
      step = Math.min(chunkBytes, step * 2)
    } else {
      // Its beginning is looked for first: to read more and more of it would hold it several times over.
      const range = { start: await startOfLine(file, start, chunkBytes), end: limit }
      limit = range.start
      if (range.end - range.start > maxRecordBytes)
        yield { kind: 'oversized', ...range, hasNewline: true }
      else yield { kind: 'lines', bytes: await readRange(file, range), start: range.start }
    }
  }
}

/** Behind the last newline before a place. */
async function startOfLine(file: ReadFile, before: number, chunkBytes: number): Promise<number> {
  let buffer = Buffer.alloc(0)
  let step = Math.min(FIRST_CHUNK_BYTES, chunkBytes)
  for (let position = before; position > 0; step = chunkBytes) {
    const start = Math.max(0, position - step)
    if (buffer.length < step) buffer = Buffer.allocUnsafeSlow(step)
    const got = await readInto(file, buffer.subarray(0, position - start), start)
    const newline = buffer.subarray(0, got).lastIndexOf(NEWLINE)
    if (newline !== -1) return start + newline + 1
    position = start
  }
  return 0
}
