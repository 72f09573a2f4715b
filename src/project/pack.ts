/**
 * The contents of the tree in one file, because most of them are small and never asked for: a file of their own
 * would cost each of them a block of the disk and most of the time of reading it. It is derived and not synced;
 * what becomes part of the record is copied out. A content that comes back has been checked against its hash.
 */
import type { AppendFile, SessionFs } from '../fs/session-fs.ts'
import { layout } from '../format/layout.ts'
import { inSession, readName, sessionFolder } from '../format/paths.ts'
import { sha256Of } from './sha256.ts'

export interface Pack {
  readonly bytes: number
  has(sha256: string): boolean
  get(sha256: string): Promise<Uint8Array | undefined>
  add(sha256: string, bytes: Uint8Array): Promise<void>
  /** Writes what was added. */
  flush(): Promise<void>
  /** Leaves out all but these. */
  rewrite(wanted: ReadonlySet<string>): Promise<void>
}

/** What was added is written when there is so much of it. */
const FLUSH_BYTES = 4 * 1024 * 1024

/** A record of the index: the hash, where the content starts, how long it is. */
const HASH_BYTES = 32
const RECORD_BYTES = HASH_BYTES + 8 + 8

type PackRange = { readonly start: number; readonly size: number }

export async function openPack(fs: SessionFs, dir: string): Promise<Pack> {
  let generation = await onlyGeneration(fs, dir)
  let places = await readIndex(fs, indexPath(dir, generation))
  let size = (await fs.stat(packPath(dir, generation)))?.size ?? 0
  let waiting = new Map<string, Uint8Array>()
  /** On its way to the disk. */
  let writing: ReadonlyMap<string, Uint8Array> = new Map()
  let waitingBytes = 0
  let last: Promise<void> = Promise.resolve()
  let records = (await fs.stat(indexPath(dir, generation)))?.size ?? 0
  records -= records % RECORD_BYTES

  return {
    get bytes() {
      return size + waitingBytes
    },
    has,
    get,
    async add(sha256, bytes) {
      if (has(sha256)) return
      waiting.set(sha256, bytes)
      waitingBytes += bytes.length
      if (waitingBytes >= FLUSH_BYTES) await flush()
    },
    flush,
    rewrite: (wanted) => inOrder(() => rewrite(wanted)),
  }

  function inOrder(action: () => Promise<void>): Promise<void> {
    const mine = last.then(action)
    last = mine.catch(() => {}) // told through `mine`; the next action does not depend on it
    return mine
  }

  function flush(): Promise<void> {
    return inOrder(write)
  }

  async function rewrite(wanted: ReadonlySet<string>): Promise<void> {
    const source = await fs.openRead(packPath(dir, generation))
    const kept = [...places].filter(([sha256]) => wanted.has(sha256))
    generation++
    places = new Map()
    size = 0
    records = 0
    for (const [sha256, place] of kept) {
      const bytes = source && (await readPlace(source, place))
      if (bytes === undefined || sha256Of(bytes) !== sha256) continue
      waiting.set(sha256, bytes)
      waitingBytes += bytes.length
      if (waitingBytes >= FLUSH_BYTES) await write()
    }
    await write()
    await source?.close()
    await removeGeneration(fs, dir, generation - 1)
  }

  function has(sha256: string): boolean {
    return waiting.has(sha256) || writing.has(sha256) || places.has(sha256)
  }

  async function get(sha256: string): Promise<Uint8Array | undefined> {
    const fresh = waiting.get(sha256) ?? writing.get(sha256)
    if (fresh !== undefined) return fresh
    const place = places.get(sha256)
    if (place === undefined) return undefined
    const file = await fs.openRead(packPath(dir, generation))
    const bytes = file && (await readPlace(file, place))
    await file?.close()
    if (bytes !== undefined && sha256Of(bytes) === sha256) return bytes
    // Torn by a power cut.
    places.delete(sha256)
    return undefined
  }

  async function write(): Promise<void> {
    if (waiting.size === 0) return
    const fresh = waiting
    const start = size
    const index = Buffer.alloc(fresh.size * RECORD_BYTES)
    writing = fresh
    waiting = new Map()
    size += waitingBytes
    waitingBytes = 0
    const indexStart = records
    records += index.length
    let at = start
    let record = 0
    for (const [sha256, bytes] of fresh) {
      index.write(sha256, record, 'hex')
      index.writeBigUInt64LE(BigInt(at), record + HASH_BYTES)
      index.writeBigUInt64LE(BigInt(bytes.length), record + HASH_BYTES + 8)
      record += RECORD_BYTES
      at += bytes.length
    }
    await writeAt(packPath(dir, generation), [...fresh.values()], start)
    at = start
    for (const [sha256, bytes] of fresh) {
      places.set(sha256, { start: at, size: bytes.length })
      at += bytes.length
    }
    writing = new Map()
    // The index comes last: what it names is there.
    await writeAt(indexPath(dir, generation), [index], indexStart)
  }

  async function writeAt(path: string, chunks: Uint8Array[], position: number): Promise<void> {
    const file: AppendFile = await fs.openAppend(path)
    try {
      await file.write(chunks, position)
    } finally {
      await file.close()
    }
  }
}

const packPath = (dir: string, generation: number) => inSession(dir, 'pack', { n: generation })
const indexPath = (dir: string, generation: number) =>
  inSession(dir, 'packIndex', { n: generation })

/** Of two the older one is whole: the newer was being written when its process ended. */
async function onlyGeneration(fs: SessionFs, dir: string): Promise<number> {
  const { pack, packIndex } = layout.session
  const numbers = (await fs.list(sessionFolder(dir, 'pack')))
    .map(({ name }) => (readName(pack, name) ?? readName(packIndex, name))?.n)
    .flatMap((number) => (number === undefined ? [] : [Number(number)]))
  const oldest = Math.min(...numbers)
  for (const number of new Set(numbers)) {
    if (number !== oldest) await removeGeneration(fs, dir, number)
  }
  return numbers.length === 0 ? 0 : oldest
}

async function removeGeneration(fs: SessionFs, dir: string, generation: number): Promise<void> {
  await fs.remove(indexPath(dir, generation))
  await fs.remove(packPath(dir, generation))
}

async function readIndex(fs: SessionFs, path: string): Promise<Map<string, PackRange>> {
  const bytes = Buffer.from((await fs.read(path)) ?? [])
  const places = new Map<string, PackRange>()
  for (let at = 0; at + RECORD_BYTES <= bytes.length; at += RECORD_BYTES) {
    places.set(bytes.toString('hex', at, at + HASH_BYTES), {
      start: Number(bytes.readBigUInt64LE(at + HASH_BYTES)),
      size: Number(bytes.readBigUInt64LE(at + HASH_BYTES + 8)),
    })
  }
  return places
}

async function readPlace(
  file: { readonly size: number; read(target: Uint8Array, position: number): Promise<number> },
  { start, size }: PackRange,
): Promise<Uint8Array | undefined> {
  if (start + size > file.size) return undefined
  const bytes = new Uint8Array(size)
  return (await file.read(bytes, start)) === size ? bytes : undefined
}
