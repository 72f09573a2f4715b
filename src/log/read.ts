/**
 * Reads a log, whatever state it is in: every record that is there, in order, and a finding for everything
 * that is not as it should be. Memory is bounded by a chunk and the largest record. Content never makes it throw.
 */
import type { EventType } from '../format/event.ts'
import type { EventId } from '../format/ids.ts'
import type { ReadFile, SessionFs } from '../fs/session-fs.ts'
import { createContinuity } from './continuity.ts'
import { readLines, readTail, tooLong, tornTail } from './line.ts'
import { finding, type Gathered, type LogBatch, type LogRecord } from './record.ts'
import type { Skim } from './fast-parse.ts'
import { NEWLINE, readBlocks, type Block, type SplitLimits } from './split.ts'

export type ReadOptions = SplitLimits & {
  /** Where a record begins. Default 0. */
  readonly from?: number
  readonly to?: number
  /** The id of the record before `from`. Null at the start of a log; left out when it is not known. */
  readonly previousId?: EventId | null
  /** Named when `session.start` says otherwise. */
  readonly sessionId?: string
  /** Leave bytes behind the last newline alone: a writer may not be done with them. */
  readonly wholeLinesOnly?: boolean
  /** Events that are read for a few of their fields: the other texts in them may come out wrong. */
  readonly skim?: Skim
  /** Lines of other types are passed over unread. Whether records follow each other, or come twice, is not looked at then. */
  readonly only?: ReadonlySet<EventType>
}

/** A batch for about every 64 KiB. A log that does not exist gives none. */
export async function* readLog(
  fs: SessionFs,
  path: string,
  options: ReadOptions = {},
): AsyncGenerator<LogBatch, void, void> {
  const file = await fs.openRead(path)
  if (file === undefined) return
  try {
    yield* readOpenLog(file, options)
  } finally {
    await file.close()
  }
}

async function* readOpenLog(
  file: ReadFile,
  options: ReadOptions,
): AsyncGenerator<LogBatch, void, void> {
  const from = options.from ?? 0
  const to = Math.min(options.to ?? file.size, file.size)
  const check = createContinuity(
    file,
    options.previousId ?? (from === 0 ? null : options.previousId),
  )
  let line = from === 0 ? 1 : undefined
  let needsStart = from === 0 && options.only === undefined
  for await (const block of inPortions(readBlocks(file, { ...options, from, to }))) {
    const gathered: Gathered = { records: [], findings: [] }
    let end: number
    if (block.kind === 'oversized') {
      end = block.end
      gathered.findings.push((block.hasNewline ? tooLong : tornTail)({ ...block, line }))
      if (line !== undefined) line += 1
    } else if (block.kind === 'lines') {
      end = block.start + block.bytes.length
      line = readLines(block.bytes, block.start, gathered, { ...options, line })
    } else {
      if (options.wholeLinesOnly === true) break
      end = block.start + block.bytes.length
      readTail(block.bytes, block.start, gathered, line)
    }
    if (options.only === undefined) await check(gathered)
    const [first] = gathered.records
    if (needsStart && first !== undefined) {
      needsStart = false
      checkStart(first, options.sessionId, gathered)
    }
    yield { ...gathered, end, ...(block.kind === 'lines' && { bytes: block.bytes }) }
  }
  if (needsStart && options.wholeLinesOnly !== true) {
    const message = 'the log holds no record'
    yield {
      records: [],
      findings: [finding('no_start', { start: 0, end: 0 }, false, message)],
      end: to,
    }
  }
}

/** Records that live no longer than a portion die young: a whole block of them makes the process grow. */
const PORTION_BYTES = 64 * 1024

async function* inPortions(blocks: AsyncIterable<Block>): AsyncGenerator<Block, void, void> {
  for await (const block of blocks) {
    if (block.kind !== 'lines') {
      yield block
      continue
    }
    const { bytes, start: base } = block
    for (let start = 0; start < bytes.length;) {
      const newline = bytes.indexOf(NEWLINE, start + PORTION_BYTES)
      const end = newline === -1 ? bytes.length : newline + 1
      yield { kind: 'lines', bytes: bytes.subarray(start, end), start: base + start }
      start = end
    }
  }
}

function checkStart(
  record: LogRecord,
  sessionId: string | undefined,
  { findings }: Gathered,
): void {
  const { event } = record
  if (event.type !== 'session.start') {
    const message = `the first record is ${event.type}, not session.start`
    findings.push(finding('no_start', record, false, message))
    return
  }
  const named = (event.data as { sessionId?: unknown } | undefined)?.sessionId
  if (sessionId === undefined || named === sessionId) return
  const message = `session.start names session ${String(named)}`
  findings.push(finding('foreign_start', record, true, message))
}
