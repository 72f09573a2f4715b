/**
 * Cuts a file into blocks of whole lines. A line ends at byte 0x0A and nowhere else: U+2028 and a bare CR
 * are text. Memory is one chunk plus the longest line, and a line beyond the limit is passed over unread.
 */
import type { ReadFile } from '../fs/session-fs.ts'

export const NEWLINE = 0x0a
export const CHUNK_BYTES = 1024 * 1024
export const MAX_RECORD_BYTES = 64 * 1024 * 1024

export type Block =
  /** Whole lines with their newlines. The bytes are valid until the next block is asked for. */
  | { readonly kind: 'lines'; readonly bytes: Buffer; readonly start: number }
  /** What stands behind the last newline. */
  | { readonly kind: 'tail'; readonly bytes: Buffer; readonly start: number }
  /** A line too long to be held, with its newline when it has one. */
  | {
      readonly kind: 'oversized'
      readonly start: number
      readonly end: number
      readonly hasNewline: boolean
    }

/** From so many chunks on a line is long. */
const LONG_CHUNKS = 4

export type SplitLimits = { readonly chunkBytes?: number; readonly maxRecordBytes?: number }

/** Reads the next chunk while the last one is being worked on. */
export async function* readBlocks(
  file: ReadFile,
  { from, to, ...limits }: { from: number; to: number } & SplitLimits,
): AsyncGenerator<Block, void, void> {
  const { maxRecordBytes = MAX_RECORD_BYTES } = limits
  const chunkBytes = Math.max(1, Math.min(limits.chunkBytes ?? CHUNK_BYTES, to - from))
  let buffer = Buffer.allocUnsafeSlow(chunkBytes)
  let spare = Buffer.alloc(0)
  let held = 0
  let position = from
  let coming = fill(file, buffer, held, position, to)
  for (;;) {
    const got = await coming
    if (got === 0) break // the end, or cut by another process since it was opened
    const newline = buffer.subarray(held, held + got).lastIndexOf(NEWLINE)
    const whole = newline === -1 ? 0 : held + newline + 1
    held += got
    position += got
    const start = position - held
    if (whole > 0) {
      const rest = held - whole
      if (position < to || rest > 0) spare = withRoom(spare, rest, chunkBytes)
      buffer.copy(spare, 0, whole, held)
      coming = fill(file, spare, rest, position, to)
      try {
        yield { kind: 'lines', bytes: buffer.subarray(0, whole), start }
      } finally {
        await coming.catch(() => {}) // nobody may close the file under a read
      }
      ;[buffer, spare] = [spare, buffer]
      held = rest
      continue
    }
    let needed = held
    if (held > Math.min(maxRecordBytes, LONG_CHUNKS * chunkBytes)) {
      // How long it is comes first: room that is doubled again and again adds up to several times the line.
      const end = await findNewline(file, position, to, Buffer.allocUnsafeSlow(chunkBytes))
      needed = (end ?? to) - start
      if (needed > maxRecordBytes) {
        position = end === undefined ? to : end + 1
        held = 0
        needed = 0
        buffer = Buffer.allocUnsafeSlow(chunkBytes)
        yield { kind: 'oversized', start, end: position, hasNewline: end !== undefined }
      }
    }
    const wider = withRoom(buffer, needed, chunkBytes)
    if (wider !== buffer) buffer.copy(wider, 0, 0, held)
    buffer = wider
    coming = fill(file, buffer, held, position, to)
  }
  if (held > 0) yield { kind: 'tail', bytes: buffer.subarray(0, held), start: position - held }
}

function fill(
  file: ReadFile,
  buffer: Buffer,
  held: number,
  position: number,
  to: number,
): Promise<number> {
  const room = Math.min(buffer.length - held, to - position)
  const read = room > 0 ? file.read(buffer.subarray(held, held + room), position) : zero
  read.catch(() => {}) // told to the reader that awaits it, perhaps a while later
  return read
}

const zero = Promise.resolve(0)

/** Room for as much again as is held, and at least a chunk; gives memory back after a long line. */
function withRoom(buffer: Buffer<ArrayBuffer>, held: number, chunkBytes: number) {
  const isTooSmall = buffer.length <= held
  const isTooLarge = buffer.length > chunkBytes && held < chunkBytes / 2
  if (!isTooSmall && !isTooLarge) return buffer
  return Buffer.allocUnsafeSlow(
    Math.max(chunkBytes, isTooSmall ? Math.min(held * 2, held + LONG_CHUNKS * chunkBytes) : 0),
  )
}

async function findNewline(
  file: ReadFile,
  from: number,
  to: number,
  buffer: Buffer,
): Promise<number | undefined> {
  for (let position = from; position < to;) {
    const got = await file.read(
      buffer.subarray(0, Math.min(buffer.length, to - position)),
      position,
    )
    if (got === 0) return undefined
    const newline = buffer.subarray(0, got).indexOf(NEWLINE)
    if (newline !== -1) return position + newline
    position += got
  }
  return undefined
}

/** Lines that hold something: what a person would call the number of events in these bytes. */
export function countLines(bytes: Buffer): number {
  let count = 0
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline === -1 ? bytes.length : newline
    const isBlank = end === start || (end === start + 1 && bytes[start] === 0x0d)
    if (!isBlank) count += 1
    start = end + 1
  }
  return count
}
