/** A record between the wire and its row: text where it is text, bytes where it is not. */
import { isUtf8 } from 'node:buffer'
import type { Row } from '../database/tables.ts'

/** What is appended: the bytes, and of an event what is looked for. */
export type Content = {
  readonly bytes: Uint8Array
  readonly id?: string
  readonly parent?: string | null
  readonly type?: string
  readonly at?: string
  /** The command that this event is the effect of. */
  readonly command?: string
}

type Stored = Pick<Row<'events'>, 'line' | 'raw' | 'id' | 'parent' | 'type' | 'at'>

export function storedOf({ bytes, id, parent, type, at }: Content): Stored {
  // Neither engine keeps a NUL in text, and neither knows bytes that are not UTF-8.
  const isText = isUtf8(bytes) && !bytes.includes(0)
  return {
    line: isText
      ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')
      : null,
    raw: isText ? null : bytes,
    id: id ?? null,
    parent: parent ?? null,
    type: type ?? null,
    at: at ?? null,
  }
}

export const bytesOf = ({ line, raw }: Pick<Stored, 'line' | 'raw'>): Uint8Array =>
  line === null ? (raw ?? new Uint8Array()) : Buffer.from(line, 'utf8')
