/**
 * Keeps what is bulky out of the log. Long results of tools and all binary data go to files named by their
 * hash, durable before the event that names them; the event keeps the head and the tail of a text, and for
 * each piece a reference. Nothing is lost, and the same content is kept once.
 */
import type { BlobReference } from '../format/blobs.ts'
import type { Draft } from '../format/event.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { defined } from '../lib/defined.ts'
import { BlobDamaged } from './errors.ts'
import { layout } from '../format/layout.ts'
import { inSession, pathFrom } from '../format/paths.ts'
import { sha256 } from './range.ts'

type BlobLimits = {
  /** A text with more bytes of UTF-8 than this is kept aside. */
  readonly maxTextBytes: number
  /** How many characters of it stay in the event at either end. */
  readonly headChars: number
  readonly tailChars: number
}

const LIMITS: BlobLimits = { maxTextBytes: 64 * 1024, headChars: 8 * 1024, tailChars: 8 * 1024 }

/** A reference and the place in the event's data that it completes, such as `result.contents.0.text`. */
type KeptBlob = BlobReference & { readonly field: string }

export async function reduceDraft(
  fs: SessionFs,
  dir: string,
  draft: Draft,
  limits: Partial<BlobLimits> = {},
): Promise<Draft> {
  const bulky = bulkyFields(draft, { ...LIMITS, ...limits })
  if (bulky.length === 0) return draft
  const data = structuredClone(draft.data) as Record<string, unknown>
  const blobs: KeptBlob[] = []
  for (const { path, bytes, rest, mimeType } of bulky) {
    const hash = await keepBlob(fs, dir, bytes)
    setField(data, path, rest(hash))
    blobs.push({
      field: path.join('.'),
      path: pathFrom(layout.session.blob, { sha256: hash }),
      sha256: hash,
      byteLength: bytes.length,
      ...defined({ mimeType }),
    })
  }
  const earlier = (data['reprise'] ?? {}) as { blobs?: readonly BlobReference[] }
  data['reprise'] = { ...earlier, blobs: [...(earlier.blobs ?? []), ...blobs] }
  return { ...draft, data } as unknown as Draft
}

/** Undefined when it is not there. */
export async function readBlob(
  fs: SessionFs,
  dir: string,
  hash: string,
): Promise<Uint8Array | undefined> {
  if (!isHash(hash)) return undefined
  const path = inSession(dir, 'blob', { sha256: hash })
  const bytes = await fs.read(path)
  if (bytes !== undefined && sha256(bytes) !== hash) throw new BlobDamaged(path)
  return bytes
}

/** Undefined when it is not there. */
export async function blobSize(
  fs: SessionFs,
  dir: string,
  hash: string,
): Promise<number | undefined> {
  return isHash(hash) ? (await fs.stat(inSession(dir, 'blob', { sha256: hash })))?.size : undefined
}

const isHash = (text: string): boolean => /^[0-9a-f]{64}$/.test(text)

async function keepBlob(fs: SessionFs, dir: string, bytes: Uint8Array): Promise<string> {
  const hash = sha256(bytes)
  const path = inSession(dir, 'blob', { sha256: hash })
  if ((await fs.stat(path))?.size !== bytes.length) {
    await fs.writeAtomic(path, bytes, { durable: true })
  }
  return hash
}

type Bulky = {
  readonly path: readonly string[]
  readonly bytes: Uint8Array
  /** What stays in the event. */
  readonly rest: (hash: string) => string
  readonly mimeType?: string
}

function bulkyFields(draft: Draft, limits: BlobLimits): Bulky[] {
  if (draft.type === 'session.binary_asset') return binary(draft.data, ['data'])
  if (draft.type === 'session.usage_record') return whole(draft.data, ['reprise', 'tools'])
  if (draft.type === 'user.message') {
    return (draft.data.attachments ?? []).flatMap((attachment, index) =>
      attachment.type === 'blob' ? binary(draft.data, ['attachments', String(index), 'data']) : [],
    )
  }
  if (draft.type !== 'tool.execution_complete') return []
  const { data } = draft
  const text = (...path: string[]) => longText(data, path, limits)
  const found = [
    ...text('result', 'content'),
    ...text('result', 'detailedContent'),
    ...text('error', 'message'),
  ]
  for (const index of Object.keys(data.result?.contents ?? [])) {
    const item = ['result', 'contents', index]
    found.push(...text(...item, 'text'), ...text(...item, 'resource', 'text'))
    found.push(...binary(data, [...item, 'data']), ...binary(data, [...item, 'resource', 'blob']))
  }
  for (const index of Object.keys(data.result?.binaryResultsForLlm ?? [])) {
    found.push(...binary(data, ['result', 'binaryResultsForLlm', index, 'data']))
  }
  return found
}

function longText(data: object, path: string[], limits: BlobLimits): Bulky[] {
  const value = fieldOf(data, path)
  if (typeof value !== 'string') return []
  // A UTF-16 unit is at most three bytes: most texts are short enough without counting.
  if (value.length * 3 <= limits.maxTextBytes) return []
  const bytes = Buffer.from(value.toWellFormed())
  if (bytes.length <= limits.maxTextBytes) return []
  const head = headOf(value, limits.headChars)
  const tail = tailOf(value, limits.tailChars)
  const kept = Buffer.byteLength(head) + Buffer.byteLength(tail)
  const rest = (hash: string) =>
    `${head}\n… ${bytes.length - kept} bytes kept in blob ${hash} …\n${tail}`
  return [{ path, bytes, rest }]
}

/** The same from one event to the next: kept once, whatever its length. */
function whole(data: object, path: string[]): Bulky[] {
  const value = fieldOf(data, path)
  if (typeof value !== 'string' || value === '') return []
  const bytes = Buffer.from(value.toWellFormed())
  return [{ path, bytes, rest: () => '', mimeType: 'application/json' }]
}

/** Text that is not base64 in its usual form is kept as it is, so that it can be given back as it was. */
function binary(data: object, path: string[]): Bulky[] {
  const value = fieldOf(data, path)
  if (typeof value !== 'string' || value === '') return []
  const decoded = Buffer.from(value, 'base64')
  const isBase64 = decoded.toString('base64') === value
  const mimeType = fieldOf(data, [...path.slice(0, -1), 'mimeType'])
  return [
    {
      path,
      bytes: isBase64 ? decoded : Buffer.from(value.toWellFormed()),
      rest: () => '',
      ...(isBase64 && typeof mimeType === 'string' && { mimeType }),
    },
  ]
}

// Both cut between code points: half a surrogate pair would be broken text for ever.
const headOf = (text: string, chars: number): string =>
  text.slice(0, isInsidePair(text, chars) ? chars - 1 : chars)

function tailOf(text: string, chars: number): string {
  const from = Math.max(0, text.length - chars)
  return text.slice(isInsidePair(text, from) ? from + 1 : from)
}

const isInsidePair = (text: string, at: number): boolean =>
  at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff

function fieldOf(data: object, path: readonly string[]): unknown {
  let value: unknown = data
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<string, unknown>)[key]
  }
  return value
}

function setField(data: object, path: readonly string[], value: string): void {
  const owner = fieldOf(data, path.slice(0, -1)) as Record<string, unknown>
  const key = path.at(-1)
  if (key !== undefined) owner[key] = value
}
