/** The lines of a log as they leave the machine: each as it is, unless a secret stands in it. */
import { logPath } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { readLog } from '../log/read.ts'
import type { LogRecord } from '../log/record.ts'
import { leavingBlobs } from './leaving-blobs.ts'
import type { GivenBlobs, LeavingBlob, RedactText } from './leaving-blobs.ts'

export type RedactValue = (value: unknown) => {
  readonly value: unknown
  readonly found: readonly unknown[]
}

export type Redaction = {
  readonly redact: RedactValue
  readonly redactText: RedactText
  /** What it takes out, in one word: who has the log and this policy gets the same bytes. */
  readonly policy: string
}

type LineBatch = {
  /** What they name beside the log. */
  readonly blobs: readonly LeavingBlob[]
  readonly lines: readonly Uint8Array[]
  readonly lastId: string
  /** Behind the last of them in the log. */
  readonly end: number
}

const MOST_LINES = 500
const MOST_BYTES = 1024 * 1024

export async function* linesOf(
  { fs, redact, redactText }: Redaction & { readonly fs: SessionFs },
  dir: string,
  { from, to, given }: { readonly from: number; readonly to: number; readonly given: GivenBlobs },
): AsyncGenerator<LineBatch, void, void> {
  if (from >= to) return
  const path = logPath(dir)
  const file = await fs.openRead(path)
  if (file === undefined) return
  try {
    let lines: Uint8Array[] = []
    let blobs: LeavingBlob[] = []
    let bytes = 0
    let last: LogRecord | undefined
    for await (const { records } of readLog(fs, path, { from, to })) {
      for (const record of records) {
        const raw = new Uint8Array(record.end - record.start)
        const count = await file.read(raw, record.start)
        const clean = redacted(raw.subarray(0, count), record, redact)
        const { line, blobs: named } = await leavingBlobs({ fs, redactText }, dir, clean, given)
        const size = line.length + named.reduce((sum, each) => sum + each.bytes.length, 0)
        if (last !== undefined && (lines.length >= MOST_LINES || bytes + size > MOST_BYTES)) {
          yield { lines, blobs, lastId: last.event.id, end: last.end }
          lines = []
          blobs = []
          bytes = 0
        }
        lines.push(line)
        blobs.push(...named)
        bytes += size
        last = record
      }
    }
    if (last !== undefined && lines.length > 0)
      yield { lines, blobs, lastId: last.event.id, end: last.end }
  } finally {
    await file.close()
  }
}

/** What is damaged in the log leaves as it was understood. */
function redacted(raw: Uint8Array, { event }: LogRecord, redact: RedactValue): Uint8Array {
  const text = decodeText(raw).trim()
  const value = parsed(text)
  const { value: clean, found } = redact(value ?? event)
  return encodeText(found.length === 0 && value !== undefined ? text : JSON.stringify(clean))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // A record that the log's reader had to mend.
    return undefined
  }
}
