/** Reads lines of a log into records. A line that is one sound record costs one parse; any other is salvaged. */
import { isUtf8 } from 'node:buffer'
import type { EventType } from '../format/event.ts'
import { byteOrderMark, keep, notUtf8, parsed, seenIn, startsWithMark } from './parse-record.ts'
import { finding, type Gathered, type RecordRange } from './record.ts'
import { salvage } from './salvage.ts'
import { skimLine, type Skim } from './fast-parse.ts'
import { NEWLINE } from './split.ts'

type HowToRead = {
  /** The number of the first one, where it is known. */
  readonly line?: number | undefined
  readonly skim?: Skim
  readonly only?: ReadonlySet<EventType>
}

/** Adds the records of whole lines. Gives the number of the line that follows. */
export function readLines(
  bytes: Buffer,
  base: number,
  gathered: Gathered,
  { line, skim, only }: HowToRead = {},
): number | undefined {
  let number = line
  for (let start = 0; start < bytes.length;) {
    const newline = bytes.indexOf(NEWLINE, start)
    const end = newline === -1 ? bytes.length : newline
    const next = newline === -1 ? end : newline + 1
    const place: RecordRange = { start: base + start, end: base + next, line: number }
    const isOther = only !== undefined && isOfOther(bytes, start, only)
    const event = isOther ? undefined : skim && skimLine(bytes, start, end, skim)
    if (event !== undefined) gathered.records.push({ event, start: place.start, end: place.end })
    else if (!isOther) readLine(bytes.subarray(start, end), place, gathered)
    if (number !== undefined) number += 1
    start = next
  }
  return number
}

/** A line that does not begin with its type, as others write them, may be of any. */
function isOfOther(bytes: Buffer, start: number, only: ReadonlySet<EventType>): boolean {
  const head = bytes.toString('latin1', start, start + HEAD_BYTES)
  const type = TYPE.exec(head)?.[1]
  return type !== undefined && !only.has(type as EventType)
}

const TYPE = /^\{"type":"([\w.]+)"/
const HEAD_BYTES = 64

/** Parsed once, whatever it is: one line may hold so much that a second time would be felt. */
function readLine(line: Buffer, place: RecordRange, gathered: Gathered): void {
  const { seen, mayBeOther } = seenIn(line)
  if (seen?.kind === 'event' && !mayBeOther) {
    gathered.records.push({ event: seen.event, start: place.start, end: place.end })
    return
  }
  if (seen === undefined) {
    salvage(line, place, gathered)
    return
  }
  if (seen.kind === 'damage') {
    const bare = { ...place, end: place.start + line.length }
    gathered.findings.push(finding('damaged', bare, false, seen.reason))
    return
  }
  keep(seen, place, gathered)
  if (!isUtf8(line)) gathered.findings.push(notUtf8(place))
}

/**
 * Bytes behind the last newline. They are a record only when they are exactly one: anything less is an
 * append that never finished, and was acknowledged to nobody.
 */
export function readTail(bytes: Buffer, base: number, gathered: Gathered, line?: number): void {
  const whole: RecordRange = { start: base, end: base + bytes.length, line }
  const skipped = base === 0 && startsWithMark(bytes) ? 3 : 0
  const seen = parsed(bytes.toString('utf8', skipped))
  if (seen === undefined || seen.kind === 'damage') {
    gathered.findings.push(tornTail(whole))
    return
  }
  if (skipped > 0) gathered.findings.push(byteOrderMark({ ...whole, end: base + skipped }))
  keep(seen, { ...whole, start: base + skipped }, gathered)
  if (!isUtf8(bytes)) gathered.findings.push(notUtf8(whole))
  gathered.findings.push(finding('missing_newline', whole, true, 'the last record has no newline'))
}

export const tornTail = (place: RecordRange) =>
  finding(
    'torn_tail',
    place,
    false,
    `${place.end - place.start} bytes of an append that never finished`,
  )

export const tooLong = (place: RecordRange) =>
  finding('damaged', place, false, `a line of ${place.end - place.start} bytes is no record`)
