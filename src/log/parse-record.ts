/** Turns the text of one record into what is kept of it. */
import { recognise, type Recognised } from '../format/event.ts'
import { parseJson } from '../lib/limit-depth.ts'
import { readOnce } from './long-line.ts'
import { finding, type Gathered, type RecordRange } from './record.ts'

/** Undefined when the text is not JSON. */
export function parsed(text: string): Recognised | undefined {
  try {
    return recognise(parseJson(text))
  } catch {
    // The caller keeps the bytes and reports them as damage.
    return undefined
  }
}

/** A line of a log, parsed once. */
export const seenIn = (line: Buffer): SeenLine =>
  readOnce(line, (bytes) => {
    const text = bytes.toString('utf8')
    return { seen: parsed(text), mayBeOther: text.includes(REPLACEMENT) }
  })

type SeenLine = {
  readonly seen: Recognised | undefined
  /** Some of its bytes may not be UTF-8. */
  readonly mayBeOther: boolean
}

/** Stands for bytes that are not UTF-8. Looking for it is cheaper than looking at all bytes. */
const REPLACEMENT = '\ufffd'

export type Kept = Exclude<Recognised, { kind: 'damage' }>

export function keep(seen: Kept, place: RecordRange, { records, findings }: Gathered): void {
  records.push({ event: seen.event, start: place.start, end: place.end })
  if (seen.kind !== 'stranger' || seen.reason === undefined) return
  findings.push(finding('invalid_shape', place, true, `${seen.event.type}: ${seen.reason}`))
}

export const byteOrderMark = (place: RecordRange) =>
  finding('bom', place, true, 'a byte order mark')

export const notUtf8 = (place: RecordRange) =>
  finding('invalid_utf8', place, true, 'bytes that are not UTF-8 became replacement characters')

export const startsWithMark = (bytes: Uint8Array): boolean =>
  bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf

/** The text of a record as a reader understands its bytes, without what may stand around it. */
export const textOf = (bytes: Buffer): string =>
  bytes
    .toString()
    .replaceAll('\0', '')
    .replace(/^\uFEFF/, '')
    .trim()
