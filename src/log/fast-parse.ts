/**
 * Reads a long line for a fold, which needs what happened and not what was said. Its bytes are taken
 * for Latin-1, one character each, so that no text has to be decoded. JSON's own signs are ASCII, and no byte
 * of another character looks like one: what is a record, and of which shape, comes out the same as from the
 * text, and ASCII fields come out as they are. Only other characters in the long texts are not what was written.
 */
import { isAscii, isUtf8 } from 'node:buffer'
import type { EventOf, EventType } from '../format/event.ts'
import { parsed, seenIn } from './parse-record.ts'
import type { LogRecord } from './record.ts'

/** By type of event, the texts in its data and its `agentId` that the reader will look at. */
export type Skim = {
  readonly [T in EventType]?: (event: EventOf<T>) => readonly (string | undefined)[]
}

/** Shorter lines are read as quickly in the usual way. */
const LONG_BYTES = 512
const TYPE_AT = '{"type":"'.length
const LONGEST_TYPE = 64

/** Undefined when the line has to be read in the usual way. */
export function skimLine(
  bytes: Buffer,
  start: number,
  end: number,
  skim: Skim,
): LogRecord['event'] | undefined {
  if (end - start < LONG_BYTES) return undefined
  const head = bytes.toString('latin1', start + TYPE_AT, start + TYPE_AT + LONGEST_TYPE)
  const type = head.slice(0, head.indexOf('"')) as EventType
  const line = bytes.subarray(start, end)
  if (!Object.hasOwn(skim, type) || !isUtf8(line)) return undefined
  const seen = isAscii(line) ? seenIn(line).seen : parsed(line.toString('latin1'))
  if (seen?.kind !== 'event' || seen.event.type !== type) return undefined
  return isAsWritten(seen.event, skim) ? seen.event : undefined
}

function isAsWritten<T extends EventType>(event: EventOf<T>, skim: Skim): boolean {
  const { id, parentId, timestamp } = event
  return (
    isPlain(id) &&
    isPlain(parentId) &&
    isPlain(timestamp) &&
    !!skim[event.type]?.(event).every(isPlain)
  )
}

const isPlain = (text: string | null | undefined): boolean => text == null || ASCII.test(text)
// oxlint-disable-next-line no-control-regex
const ASCII = /^[\0-\x7f]*$/
