/**
 * One file without a text: how often it stands there, and, when a place is given, the same file with marks instead.
 * Files of any length are read in pieces; of a log, line by line.
 */
import type { ReadFile, SessionFs } from '../../fs/session-fs.ts'
import { findBytes } from '../../lib/find-bytes.ts'
import { forgetInJson } from '../../lib/forget-json.ts'
import type { Forgetter } from '../../lib/forget-text.ts'
import { chunksOf, withFile } from '../../log/range.ts'
import { lineOf, readStreamed } from '../live/stream-lines.ts'
import type { How } from './redaction-strategies.ts'

export type Cleaning = {
  readonly forgetter: Forgetter
  /** Hashes of contents that got another name. Of the same length, too. */
  readonly renamed: ReadonlyMap<string, string>
}

type Cleaner = (fs: SessionFs, path: string, cleaning: Cleaning, to?: string) => Promise<number>

/** How often the text stands in it. */
export async function cleanFile(
  fs: SessionFs,
  path: string,
  how: How,
  cleaning: Cleaning,
  to?: string,
): Promise<number> {
  return cleaners[how](fs, path, cleaning, to)
}

const none: Cleaner = async () => 0

const whole: Cleaner = async (fs, path, cleaning, to) => {
  const bytes = Buffer.from((await fs.read(path)) ?? [])
  const { cleaned, count } = inBytes(bytes, cleaning)
  if (to !== undefined) await fs.writeAtomic(to, cleaned, { durable: true })
  return count
}

const json: Cleaner = async (fs, path, cleaning, to) => {
  const bytes = Buffer.from((await fs.read(path)) ?? [])
  const { cleaned, count } = inLine(bytes, cleaning)
  if (to !== undefined) await fs.writeAtomic(to, cleaned, { durable: true })
  return count
}

/** A word may stand across two pieces, so each part is told whole: that is what it means for a reader that goes on. */
const stream: Cleaner = async (fs, path, cleaning, to) => {
  const streamed = await readStreamed(fs, path)
  if (streamed === undefined) return whole(fs, path, cleaning, to)
  const { owner, pieces } = streamed
  const lines = [lineOf(owner), ...pieces.notices().map((kept) => lineOf({ kept }))]
  const { cleaned, count } = inLines(Buffer.from(lines.join('')), cleaning)
  if (to !== undefined) await fs.writeAtomic(to, cleaned, { durable: true })
  return count
}

const lines: Cleaner = async (fs, path, cleaning, to) => {
  const count = await withFile(fs, path, async (file) => {
    if (to === undefined) {
      if (!(await mayHold(file, cleaning))) return 0
      return eachLine(file, cleaning, async () => {})
    }
    const target = await fs.openAppend(to)
    try {
      await target.truncate(0)
      let position = 0
      const found = await eachLine(file, cleaning, async (line) => {
        await target.write([line], position)
        position += line.length
      })
      await target.sync()
      return found
    } finally {
      await target.close()
    }
  })
  return count ?? 0
}

const cleaners: Readonly<Record<How, Cleaner>> = {
  lines,
  json,
  stream,
  bytes: whole,
  hashed: whole,
  journal: lines,
  copies: whole,
  derived: whole,
  left: whole,
  packs: none,
  database: none,
  follower: none,
  folder: none,
  settled: none,
}

const ESCAPE = Buffer.from('\\u')

/** What is escaped sign by sign is seen only when it is read as JSON. */
async function mayHold(file: ReadFile, { forgetter, renamed }: Cleaning): Promise<boolean> {
  if (forgetter.needles.length === 0 || renamed.size > 0) return true
  return (await findBytes(file, [...forgetter.needles, ESCAPE])).size > 0
}

/** Gives every line, with its end, as it is to be. */
async function eachLine(
  file: ReadFile,
  cleaning: Cleaning,
  give: (line: Buffer) => Promise<void>,
): Promise<number> {
  let count = 0
  let held: Buffer[] = []
  const flush = async (last: Buffer) => {
    const { cleaned, count: more } = inLines(Buffer.concat([...held, last]), cleaning)
    held = []
    count += more
    await give(cleaned)
  }
  for await (const chunk of chunksOf(file, { start: 0, end: file.size })) {
    const end = chunk.lastIndexOf(0x0a) + 1
    // Lines that came whole are looked at together: most hold nothing.
    if (end > 0) await flush(chunk.subarray(0, end))
    if (end < chunk.length) held.push(Buffer.from(chunk.subarray(end)))
  }
  if (held.length > 0) await flush(Buffer.alloc(0))
  return count
}

/** Each by itself: one that was torn must not hide the next. */
function inLines(raw: Buffer, cleaning: Cleaning): { cleaned: Buffer; count: number } {
  const { needles } = cleaning.forgetter
  const isSuspect = needles.length === 0 || [...needles, ESCAPE].some((each) => raw.includes(each))
  if (!isSuspect) return { cleaned: withNames(raw, cleaning.renamed), count: 0 }
  const cleaned: Buffer[] = []
  let count = 0
  for (let from = 0; from < raw.length;) {
    const newline = raw.indexOf(0x0a, from)
    const end = newline === -1 ? raw.length : newline + 1
    const line = inLine(raw.subarray(from, end), cleaning)
    cleaned.push(line.cleaned)
    count += line.count
    from = end
  }
  return { cleaned: Buffer.concat(cleaned), count }
}

export const cleanLine = (line: string, cleaning: Cleaning): string =>
  inLine(Buffer.from(line), cleaning).cleaned.toString()

/** More is not read as JSON, but by its bytes. */
const MOST_JSON = 128 * 1024 * 1024

function inLine(raw: Buffer, { forgetter, renamed }: Cleaning): { cleaned: Buffer; count: number } {
  const text = raw.length > MOST_JSON ? undefined : raw.toString()
  const isText = text !== undefined && Buffer.byteLength(text) === raw.length
  const found = isText ? forgetInJson(text, forgetter) : undefined
  const inStrings = found === undefined ? raw : Buffer.from(found.cleaned)
  // Lines that kills tore and glued together have words outside of every string, too.
  const rest = isText && isJson(text) ? undefined : forgetter.bytes(inStrings)
  const cleaned = rest === undefined ? inStrings : Buffer.from(rest.cleaned)
  return {
    cleaned: withNames(cleaned, renamed),
    count: (found?.count ?? 0) + (rest?.count ?? 0),
  }
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    // That it is none is the answer.
    return false
  }
}

function inBytes(
  raw: Buffer,
  { forgetter, renamed }: Cleaning,
): { cleaned: Buffer; count: number } {
  const found = forgetter.bytes(raw)
  return { cleaned: withNames(found?.cleaned ?? raw, renamed), count: found?.count ?? 0 }
}

function withNames(raw: Buffer, renamed: ReadonlyMap<string, string>): Buffer {
  let cleaned = raw
  for (const [old, next] of renamed)
    for (let at = cleaned.indexOf(old); at !== -1; at = cleaned.indexOf(old, at + 1)) {
      if (cleaned === raw) cleaned = Buffer.from(raw)
      cleaned.write(next, at)
    }
  return cleaned
}
