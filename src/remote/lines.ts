/**
 * The lines of a log as they leave the machine: each as it is, unless a secret stands in it. Each batch is of one log:
 * when it was rewound while it was read, `LogMoved` is thrown before anything of two logs is given together.
 */
import { logPath } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { LogMoved } from '../log/errors.ts'
import { readLog } from '../log/read.ts'
import type { LogRecord } from '../log/record.ts'
import { leavingBlobs, type GivenBlobs, type LeavingBlob, type RedactText } from './upload-blobs.ts'
import { stands, type Stood } from './log-unchanged.ts'

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

type LinesWish = {
  readonly from: number
  readonly to: number
  readonly given: GivenBlobs
  /** The event that ends at `from`, as the copy has it. */
  readonly after?: Stood | undefined
}

const REWOUND = 'it was rewound while it was read'
const MOST_LINES = 500
const MOST_BYTES = 1024 * 1024

export async function* linesOf(
  { fs, redact, redactText }: Redaction & { readonly fs: SessionFs },
  dir: string,
  { from, to, given, after }: LinesWish,
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
    let before = after
    for await (const { records } of readLog(fs, path, { from, to })) {
      for (const record of records) {
        const { event, start, end } = record
        // Logs of others have such breaks, too: what matters is whether the event before it is there still.
        if (
          before !== undefined &&
          event.parentId !== before.id &&
          !(await stands(fs, path, before))
        )
          throw new LogMoved(path, REWOUND)
        before = { id: event.id, end }
        const raw = new Uint8Array(end - start)
        if ((await file.read(raw, start)) < raw.length) throw new LogMoved(path, REWOUND)
        const clean = redacted(path, raw, record, redact)
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
function redacted(
  path: string,
  raw: Uint8Array,
  { event }: LogRecord,
  redact: RedactValue,
): Uint8Array {
  const text = decodeText(raw).trim()
  const value = parsed(text)
  if (value !== undefined && (value as { readonly id?: unknown } | null)?.id !== event.id)
    throw new LogMoved(path, REWOUND)
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
