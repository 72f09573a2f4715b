/**
 * The records of a batch as items of a JSON list, each with a comma behind it. Lines that are sound are such items
 * already: their bytes are taken as they stand. Where anything was odd, the events are written anew.
 */
import type { Event, Stranger } from '../format/event.ts'
import type { LogBatch } from './record.ts'

const COMMA = 0x2c

export const jsonItems = (batch: LogBatch): Uint8Array => asTheyStand(batch) ?? writtenAnew(batch)

/** Undefined unless the records are exactly the lines. */
function asTheyStand({ records, findings, end, bytes }: LogBatch): Uint8Array | undefined {
  if (bytes === undefined || findings.length > 0) return undefined
  const base = end - bytes.length
  const items = Buffer.from(bytes)
  let position = base
  for (const record of records) {
    if (record.start !== position) return undefined
    position = record.end
    items[position - base - 1] = COMMA
  }
  return position === end ? items : undefined
}

const writtenAnew = ({ records }: LogBatch): Uint8Array =>
  Buffer.from(records.map(({ event }) => `${JSON.stringify(asWritten(event))},`).join(''))

function asWritten(event: Event | Stranger): object {
  if (!('stranger' in event)) return event
  const { stranger: _ours, ...rest } = event
  return rest
}
