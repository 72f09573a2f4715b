/**
 * The raw copy comes first: what another agent has written is kept by its hash, once, before any of it is understood.
 * When a file has grown, its longer copy takes the place of the shorter one; when it was changed, both are kept.
 */
import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import type { SessionId } from '../format/ids.ts'
import { inHome } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { takeIn } from '../fs/import-file.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { isFields } from '../lib/fields.ts'
import { CHUNK_BYTES } from '../log/split.ts'
import type { FoundFile, FoundSession, Shape } from './found.ts'

type RescuedPart = {
  readonly role: string
  readonly shape: Shape
  readonly sha256: string
  readonly bytes: number
  /** Where it lay. */
  readonly path?: string
}

export type About = {
  readonly version: 1
  readonly agent: string
  readonly nativeId: string
  readonly stamp: string
  readonly parts: readonly RescuedPart[]
  /** Sessions were made of it. */
  readonly imported: boolean
  /** The session of this home in which all of it was said. */
  readonly own?: SessionId
  readonly rescuedAt: string
  readonly failed?: string
}

export async function readAbout(fs: SessionFs, id: SessionId): Promise<About | undefined> {
  const bytes = await fs.read(inHome('rescuedAbout', { id }))
  if (bytes === undefined) return undefined
  try {
    const about: unknown = JSON.parse(decodeText(bytes))
    return isFields(about) && about['version'] === 1 && Array.isArray(about['parts'])
      ? (about as unknown as About)
      : undefined
  } catch {
    // Damaged: it is copied anew.
    return undefined
  }
}

export const writeAbout = (fs: SessionFs, id: SessionId, about: About): Promise<void> =>
  fs.writeAtomic(inHome('rescuedAbout', { id }), encodeText(JSON.stringify(about)), {
    durable: false,
  })

export type Rescued = {
  readonly parts: readonly RescuedPart[]
  /** All that was there before begins what is there now. */
  readonly isGrown: boolean
}

export async function rescue(
  fs: SessionFs,
  id: SessionId,
  found: FoundSession,
  before: About | undefined,
): Promise<Rescued> {
  const parts: RescuedPart[] = []
  let isGrown = before !== undefined
  const grown = (role: string, path: string | undefined) =>
    before?.parts.find((part) => part.role === role && part.path === path)
  for (const file of found.files) {
    const old = grown(file.role, file.path)
    const { hash, beginning } = await hashesOf(file.path, old?.bytes)
    if (old !== undefined && beginning !== old.sha256) isGrown = false
    const path = inHome('rescued', { id, sha256: hash.sha256 })
    if ((await fs.stat(path))?.size !== hash.bytes) await copyRaw(fs, file.path, path, hash.bytes)
    parts.push({ ...partOf(file), ...hash })
  }
  for (const { role, rows } of (await found.rows?.()) ?? []) {
    const bytes = encodeText([...rows].map((row) => `${JSON.stringify(row)}\n`).join(''))
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    await fs.writeAtomic(inHome('rescued', { id, sha256 }), bytes, { durable: false })
    parts.push({ role, shape: 'lines', sha256, bytes: bytes.length })
    if (grown(role, undefined)?.sha256 !== sha256) isGrown = false
  }
  // A part that is no more was not taken back into another: what stood in it would be lost.
  if (before?.parts.some((old) => !parts.some(({ role }) => role === old.role)) === true)
    isGrown = false
  if (isGrown) await dropShorter(fs, id, parts, before)
  return { parts, isGrown }
}

const partOf = ({ role, shape, path }: FoundFile) => ({ role, shape, path })

async function dropShorter(
  fs: SessionFs,
  id: SessionId,
  parts: readonly RescuedPart[],
  before: About | undefined,
): Promise<void> {
  const kept = new Set(parts.map(({ sha256 }) => sha256))
  for (const { sha256 } of before?.parts ?? [])
    if (!kept.has(sha256)) await fs.remove(inHome('rescued', { id, sha256 }))
}

/** What is compressed is kept as it reads. */
async function contentOf(path: string): Promise<AsyncIterable<unknown> | Iterable<unknown>> {
  // At once: the way over a stream takes longer than to read one of ten thousand small files.
  if (statSync(path).size <= CHUNK_BYTES && !path.endsWith('.zst')) return [readFileSync(path)]
  const bytes = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  if (!path.endsWith('.zst')) return bytes
  const zlib: { createZstdDecompress?: () => NodeJS.ReadWriteStream } = await import('node:zlib')
  if (zlib.createZstdDecompress === undefined)
    throw new Error('this Node cannot read what is compressed with zstd')
  return bytes.on('error', () => {}).pipe(zlib.createZstdDecompress())
}

/** No more than was hashed: its owner may have written meanwhile. */
async function copyRaw(fs: SessionFs, from: string, to: string, bytes: number): Promise<void> {
  const isPlain = !from.endsWith('.zst')
  if (isPlain) await takeIn(fs, from, to)
  if (isPlain && (await fs.stat(to))?.size === bytes) return
  const file = await fs.openAppend(to)
  try {
    let position = 0
    if (!isPlain)
      for await (const chunk of await contentOf(from)) {
        await file.write([chunk as Buffer], position)
        position += (chunk as Buffer).length
      }
    await file.truncate(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Of the whole file, and of as many bytes as it had before. */
async function hashesOf(path: string, length: number | undefined) {
  const whole = createHash('sha256')
  const start = createHash('sha256')
  let bytes = 0
  for await (const chunk of await contentOf(path)) {
    const piece = chunk as Buffer
    if (length !== undefined && bytes < length) start.update(piece.subarray(0, length - bytes))
    bytes += piece.length
    whole.update(piece)
  }
  const isLonger = length !== undefined && bytes >= length
  return {
    hash: { sha256: whole.digest('hex'), bytes },
    beginning: isLonger ? start.digest('hex') : undefined,
  }
}
