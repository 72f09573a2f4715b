/** What a log is made of when it is read: records, and findings about the bytes that are not quite records. */
import type { Event, Stranger } from '../format/event.ts'
import { defined } from '../lib/defined.ts'

/** One event and the bytes that hold it: from its first byte to behind its newline. */
export type LogRecord = {
  readonly event: Event | Stranger
  readonly start: number
  readonly end: number
}

export type FindingKind =
  /** A byte order mark. Skipped. */
  | 'bom'
  /** NUL bytes inside a line. Stripped, and the rest of the line is read. */
  | 'nul'
  /** A record that follows another on the same line. */
  | 'glued'
  /** A record that follows bytes that are none, such as the first half of another. */
  | 'half'
  /** Bytes that no record could be made of. */
  | 'damaged'
  /** Bytes that are not UTF-8: the record is kept with replacement characters. */
  | 'invalid_utf8'
  /** A known type whose fields are not as they should be: kept, not interpreted. */
  | 'invalid_shape'
  /** The same record again. Left out. */
  | 'duplicate'
  /** The record does not follow the one before it. */
  | 'chain_break'
  /** The first record is not `session.start`. */
  | 'no_start'
  /** `session.start` names another session. */
  | 'foreign_start'
  /** Bytes after the last newline that are no record: an append that never finished. */
  | 'torn_tail'
  /** A whole record after the last newline. */
  | 'missing_newline'

export type Finding = {
  readonly kind: FindingKind
  readonly start: number
  readonly end: number
  /** From 1, where reading began at the start of the file. */
  readonly line?: number
  /** False when content of these bytes is not among the records. */
  readonly recovered: boolean
  readonly message: string
}

export type LogBatch = {
  readonly records: readonly LogRecord[]
  readonly findings: readonly Finding[]
  /** Behind the last byte that was looked at. */
  readonly end: number
  /** The whole lines that end there, when it was lines that were read. Valid until the next batch is asked for. */
  readonly bytes?: Buffer
}

/** A batch while it is being filled. */
export type Gathered = { records: LogRecord[]; findings: Finding[] }

/** A place in a file; `line` where it is known. */
export type RecordRange = {
  readonly start: number
  readonly end: number
  readonly line?: number | undefined
}

export const finding = (
  kind: FindingKind,
  { start, end, line }: RecordRange,
  recovered: boolean,
  message: string,
): Finding => ({ kind, start, end, ...defined({ line }), recovered, message })
