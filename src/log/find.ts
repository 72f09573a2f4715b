/**
 * Finds an event by its id from the end of the log: bytes are searched for the id, and only lines that
 * contain it are parsed. The cost is the distance from the end.
 */
import type { EventId } from '../format/ids.ts'
import type { ReadFile, SessionFs } from '../fs/session-fs.ts'
import { blocksBackward, readBackward, type BackwardOptions } from './backward.ts'
import { readLines, readTail } from './line.ts'
import { withFile } from './range.ts'
import type { Gathered, LogRecord } from './record.ts'
import { NEWLINE, countLines, type Block } from './split.ts'

export type FoundEvent = {
  readonly record: LogRecord
  /** The id of the record before it. Null when it is the first. */
  readonly previousId: EventId | null
  /** Itself and all after it, counted by lines. */
  readonly eventsFrom: number
}

export async function findEvent(
  fs: SessionFs,
  path: string,
  id: EventId,
  options: BackwardOptions = {},
): Promise<FoundEvent | undefined> {
  const hit = await withFile(fs, path, (file) => search(file, id, options))
  if (hit === undefined) return undefined
  const previousId = hit.before ?? (await idBefore(fs, path, hit.lineStart))
  const found = { record: hit.record, previousId, eventsFrom: hit.eventsFrom }
  const { parentId } = hit.record.event
  if (parentId === previousId || parentId === undefined) return found
  // Out of the chain it may be a repetition, which readers leave out: the first one is the event.
  const first = await findEvent(fs, path, id, { ...options, before: hit.lineStart })
  if (first === undefined) return found
  return { ...first, eventsFrom: first.eventsFrom + hit.eventsFrom }
}

type Hit = {
  record: LogRecord
  before: EventId | undefined
  lineStart: number
  eventsFrom: number
}

async function search(
  file: ReadFile,
  id: EventId,
  options: BackwardOptions,
): Promise<Hit | undefined> {
  // As it stands between quotes in JSON.
  const needle = Buffer.from(JSON.stringify(id).slice(1, -1))
  let passed = 0
  for await (const block of blocksBackward(file, options)) {
    if (block.kind === 'oversized') {
      passed += 1
      continue
    }
    const hit = searchBlock(block, needle, id)
    if (hit !== undefined) return { ...hit, eventsFrom: hit.eventsFrom + passed }
    passed += countLines(block.bytes)
  }
  return undefined
}

/** The id may also stand in the text of other records and as the parent of the next: parsing tells. */
function searchBlock(
  block: Exclude<Block, { kind: 'oversized' }>,
  needle: Buffer,
  id: EventId,
): Hit | undefined {
  const { bytes } = block
  for (let end = bytes.length; end > 0;) {
    const at = bytes.subarray(0, end).lastIndexOf(needle)
    if (at === -1) return undefined
    const lineStart = bytes.subarray(0, at).lastIndexOf(NEWLINE) + 1
    const newline = bytes.indexOf(NEWLINE, at)
    const line = bytes.subarray(lineStart, newline === -1 ? bytes.length : newline + 1)
    const gathered: Gathered = { records: [], findings: [] }
    if (block.kind === 'lines') readLines(line, block.start + lineStart, gathered)
    else readTail(line, block.start + lineStart, gathered)
    const index = gathered.records.findIndex(({ event }) => event.id === id)
    const record = gathered.records[index]
    if (record !== undefined) {
      return {
        record,
        before: gathered.records[index - 1]?.event.id,
        lineStart: block.start + lineStart,
        eventsFrom: countLines(bytes.subarray(lineStart)),
      }
    }
    end = lineStart
  }
  return undefined
}

/** The id of the last record that ends before a place. Null when there is none. */
export async function idBefore(
  fs: SessionFs,
  path: string,
  before: number,
): Promise<EventId | null> {
  for await (const { records } of readBackward(fs, path, { before })) {
    const [last] = records
    if (last !== undefined) return last.event.id
  }
  return null
}
