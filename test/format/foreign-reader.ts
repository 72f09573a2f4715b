/** A reader of session logs written from docs/format.md alone: proof that the document is enough. Imports nothing of ours. */
import { readFileSync } from 'node:fs'

export type ForeignEvent = {
  readonly type: string
  readonly id: string
  readonly parentId?: string | null
}
type Found = { readonly event: ForeignEvent; readonly line: Buffer }

export function readForeign(path: string): ForeignEvent[] {
  const bytes = readFileSync(path)
  const found: Found[] = []
  let start = 0
  for (let end = bytes.indexOf(0x0a); end !== -1; end = bytes.indexOf(0x0a, start)) {
    found.push(...eventsOf(bytes.subarray(start, end)))
    start = end + 1
  }
  found.push(...tailOf(bytes.subarray(start), start === 0)) // §3.7
  return withoutRepetitions(found)
}

function eventsOf(line: Buffer): Found[] {
  const value = parse(line)
  if (value !== undefined) return isEvent(value) ? [{ event: value, line: bare(line) }] : [] // §4.1
  return salvage(Buffer.from(withoutMark(line).filter((byte) => byte !== 0)))
}

function tailOf(tail: Buffer, isWholeFile: boolean): Found[] {
  const line = isWholeFile ? withoutMark(tail) : tail
  const value = parse(line)
  return isEvent(value) ? [{ event: value, line: bare(line) }] : []
}

/** §11, the three steps. */
function salvage(line: Buffer): Found[] {
  const found: Found[] = []
  for (let at = 0; at < line.length;) {
    const end = line[at] === 0x7b ? closingBrace(line, at) : undefined
    const piece = line.subarray(at, end)
    const value = end === undefined ? undefined : parse(piece)
    if (end !== undefined && isEvent(value)) {
      found.push({ event: value, line: piece })
      at = end
      while ([0x20, 0x09, 0x0d].includes(line[at] ?? 0)) at += 1
    } else {
      const next = [line.indexOf('{"type":', at + 1), line.indexOf('}{', at + 1) + 1]
      at = Math.min(...next.filter((place) => place > 0), line.length)
    }
  }
  return found
}

function closingBrace(line: Buffer, from: number): number | undefined {
  let depth = 0
  let inString = false
  for (let at = from; at < line.length; at++) {
    const sign = String.fromCharCode(line[at]!)
    if (inString && sign === '\\') at += 1
    else if (sign === '"') inString = !inString
    else if (!inString && sign === '{') depth += 1
    else if (!inString && sign === '}' && --depth === 0) return at + 1
  }
  return undefined
}

/** §7.4 */
function withoutRepetitions(found: readonly Found[]): ForeignEvent[] {
  const kept: Found[] = []
  for (const next of found) {
    const { id, parentId } = next.event
    const isNext = parentId === (kept.at(-1)?.event.id ?? null)
    const twin = isNext ? undefined : kept.slice(-1024).findLast(({ event }) => event.id === id)
    if (twin === undefined || !twin.line.equals(next.line)) kept.push(next)
  }
  return kept.map(({ event }) => event)
}

function isEvent(value: unknown): value is ForeignEvent {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const { type, id, timestamp, parentId = null } = value as Record<string, unknown>
  if (typeof type !== 'string' || typeof timestamp !== 'string') return false
  return typeof id === 'string' && id !== '' && (parentId === null || typeof parentId === 'string')
}

function parse(line: Buffer): unknown {
  try {
    return JSON.parse(line.toString('utf8'))
  } catch {
    return undefined
  }
}

const MARK = Buffer.from([0xef, 0xbb, 0xbf])
const withoutMark = (line: Buffer) => (line.subarray(0, 3).equals(MARK) ? line.subarray(3) : line)
const bare = (line: Buffer) => (line.at(-1) === 0x0d ? line.subarray(0, -1) : line)
