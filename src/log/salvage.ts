/**
 * Saves what can be saved of a line that is not one JSON text. NUL runs and a byte order mark are taken
 * out; every whole record on the line is recovered, also behind half of another; every byte that belongs to
 * no record is named in a finding. Never throws, and its work is bounded by the length of the line.
 */
import { isUtf8 } from 'node:buffer'
import { byteOrderMark, keep, notUtf8, parsed, startsWithMark, type Kept } from './parse-record.ts'
import { finding, type Gathered, type RecordRange } from './record.ts'

/** A stretch of the line: a record, or bytes that are none. */
type Piece = { from: number; to: number; found?: Kept }

export function salvage(line: Buffer, place: RecordRange, gathered: Gathered): void {
  const marked = startsWithMark(line) ? 3 : 0
  if (marked > 0) gathered.findings.push(byteOrderMark({ ...place, end: place.start + marked }))
  const dense = withoutNuls(line.subarray(marked))
  const pieces = scan(dense.bytes)
  const found = pieces.filter((piece) => piece.found !== undefined)
  const fileOffset = (at: number): number => place.start + marked + dense.origin(at)
  if (dense.nuls !== undefined) {
    const run = {
      start: place.start + marked + dense.nuls.from,
      end: place.start + marked + dense.nuls.to,
      line: place.line,
    }
    gathered.findings.push(
      finding('nul', run, found.length > 0, `NUL bytes where a record should be`),
    )
  }
  pieces.forEach((piece, index) => {
    const isFirst = index === 0
    const isLast = index === pieces.length - 1
    const at: RecordRange = {
      start: isFirst ? place.start + marked : fileOffset(piece.from),
      end: fileOffset(piece.to - 1) + 1,
      line: place.line,
    }
    if (piece.found === undefined) {
      const exact = { ...at, start: fileOffset(piece.from) }
      gathered.findings.push(
        finding('damaged', exact, false, `${at.end - exact.start} bytes that are no record`),
      )
      return
    }
    const range = isLast ? { ...at, end: place.end } : at
    keep(piece.found, range, gathered)
    if (!isUtf8(dense.bytes.subarray(piece.from, piece.to))) gathered.findings.push(notUtf8(range))
    if (isFirst) return
    const behindRecord = pieces[index - 1]?.found !== undefined
    gathered.findings.push(
      behindRecord
        ? finding('glued', range, true, 'a record on the same line as the one before it')
        : finding('half', range, true, 'a record behind bytes that are none'),
    )
  })
}

/** The bytes without NULs, and where each of them stood. `nuls` spans the first to the last NUL. */
function withoutNuls(bytes: Buffer): {
  bytes: Buffer
  origin: (at: number) => number
  nuls?: { from: number; to: number }
} {
  const first = bytes.indexOf(0)
  if (first === -1) return { bytes, origin: (at) => at }
  const dense = Buffer.allocUnsafe(bytes.length)
  /** Where a stretch without NULs begins: in the dense bytes and in the line. */
  const stretches: { dense: number; line: number }[] = []
  let length = 0
  for (let at = 0; at < bytes.length;) {
    if (bytes[at] === 0) {
      at += 1
      continue
    }
    const nul = bytes.indexOf(0, at)
    const end = nul === -1 ? bytes.length : nul
    stretches.push({ dense: length, line: at })
    bytes.copy(dense, length, at, end)
    length += end - at
    at = end
  }
  const origin = (at: number): number => {
    let low = 0
    let high = stretches.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((stretches[middle]?.dense ?? 0) <= at) low = middle
      else high = middle - 1
    }
    const stretch = stretches[low] ?? { dense: 0, line: 0 }
    return stretch.line + at - stretch.dense
  }
  return {
    bytes: dense.subarray(0, length),
    origin,
    nuls: { from: first, to: bytes.lastIndexOf(0) + 1 },
  }
}

const OPEN = 0x7b
const CLOSE = 0x7d
const QUOTE = 0x22
const BACKSLASH = 0x5c
/** Every writer known begins a record like this. */
const RECORD = Buffer.from('{"type":')
const SEAM = Buffer.from('}{')

function scan(bytes: Buffer): Piece[] {
  const pieces: Piece[] = []
  // Hostile bytes could open a thousand objects that never end; each would be scanned to the end of the line.
  let budget = 8 * bytes.length + 1024 * 1024
  const nextRecord = createRecordSearch(bytes)
  let at = afterSpace(bytes, 0)
  while (at < bytes.length) {
    const end = bytes[at] === OPEN ? endOfObject(bytes, at) : undefined
    budget -= (end ?? bytes.length) - at
    const seen = end === undefined ? undefined : parsed(bytes.toString('utf8', at, end))
    if (end !== undefined && seen !== undefined && seen.kind !== 'damage') {
      pieces.push({ from: at, to: end, found: seen })
      at = afterSpace(bytes, end)
      continue
    }
    const next = budget > 0 ? nextRecord(at + 1) : bytes.length
    const previous = pieces.at(-1)
    if (previous === undefined || previous.found !== undefined) pieces.push({ from: at, to: next })
    else previous.to = next
    at = next
  }
  return pieces
}

/**
 * Says where the next record may begin: at the usual first key, or right behind the end of an object. Asked
 * for growing places, it looks at each byte once.
 */
function createRecordSearch(bytes: Buffer): (from: number) => number {
  const usual = nextOf(bytes, RECORD)
  const seam = nextOf(bytes, SEAM)
  return (from) => Math.min(usual(from), seam(from) + 1, bytes.length)
}

function nextOf(bytes: Buffer, needle: Buffer): (from: number) => number {
  let found = -1
  return (from) => {
    if (found < from) {
      const next = bytes.indexOf(needle, from)
      found = next === -1 ? bytes.length : next
    }
    return found
  }
}

/** Behind the brace that closes the object, or undefined when nothing closes it. */
function endOfObject(bytes: Buffer, from: number): number | undefined {
  let depth = 0
  for (let at = from; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = endOfString(bytes, at)
    } else if (byte === OPEN) {
      depth += 1
    } else if (byte === CLOSE) {
      depth -= 1
      if (depth === 0) return at + 1
    }
  }
  return undefined
}

/** The closing quote, or the last byte. */
function endOfString(bytes: Buffer, from: number): number {
  for (let at = from + 1; at < bytes.length; at++) {
    const byte = bytes[at]
    if (byte === BACKSLASH) at += 1
    else if (byte === QUOTE) return at
  }
  return bytes.length
}

function afterSpace(bytes: Buffer, from: number): number {
  let at = from
  while (at < bytes.length && (bytes[at] === 0x20 || bytes[at] === 0x09 || bytes[at] === 0x0d))
    at += 1
  return at
}
