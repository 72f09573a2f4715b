/**
 * The contents of projects, kept once for the home: every session that meets a content for the first time adds it to a
 * pack of its own, and all sessions read the packs of all. They are packed together and compressed, because most of
 * them are small and never asked for. Packs are derived and not synced; what becomes part of a session's record is
 * copied out. A content that comes back has been checked against its hash.
 */
import * as zlib from 'node:zlib'
import { layout } from '../format/layout.ts'
import { homeFolder, inHome, readName } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { encodeIndex, packPlaces, wholeRecords, type PackPlace } from './pack-index.ts'
import { sha256Of } from './sha256.ts'

export interface HomeContents {
  /** The size of the packs that this session has written. */
  readonly bytes: number
  has(sha256: string): boolean
  get(sha256: string): Promise<Uint8Array | undefined>
  add(sha256: string, bytes: Uint8Array): Promise<void>
  /** Writes what was added. */
  flush(): Promise<void>
  /** Writes it so that it survives a power cut. Answers with all packs of the home, by name. */
  settle(): Promise<readonly string[]>
  /** Packs of the home as they were when it was opened, by name. */
  readonly packs: readonly string[]
  /** After a collection has rewritten packs of this session. */
  reopen(): Promise<void>
}

/** What was added is compressed and written when there is so much of it: more costs time when one is asked for. */
const CHUNK_BYTES = 1024 * 1024
const LEVEL = { params: { [zlib.constants.ZSTD_c_compressionLevel]: 1 } }

/** `owner` names the session whose process alone appends to it. */
export type PackName = { readonly owner: string; readonly n: number }

export async function openHomeContents(fs: SessionFs, dir: string): Promise<HomeContents> {
  const owner = dir.slice(dir.lastIndexOf('/') + 1)
  let places = packPlaces<PackName>()
  let packs: readonly PackName[] = []
  let waiting = new Map<string, Uint8Array>()
  /** On its way to the disk. */
  let writing: ReadonlyMap<string, Uint8Array> = new Map()
  let waitingBytes = 0
  let last: Promise<void> = Promise.resolve()
  let chunk: { readonly of: string; readonly bytes: Uint8Array } | undefined
  let own: PackName = { owner, n: 0 }
  let size = 0
  let indexSize = 0
  await reopen()

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
      if (waitingBytes >= CHUNK_BYTES) await flush()
    },
    flush,
    async settle() {
      await flush()
      const all = await listPacks(fs)
      for (const pack of all)
        for (const path of [packPath(pack), indexPath(pack)]) await syncFile(fs, path)
      return all.map(nameOf)
    },
    get packs() {
      return packs.map(nameOf)
    },
    reopen,
  }

  async function reopen(): Promise<void> {
    await load()
    const mine = packs.filter((pack) => pack.owner === owner)
    own = mine.toSorted((one, other) => other.n - one.n)[0] ?? { owner, n: 0 }
    const [pack, index] = await fs.statMany([packPath(own), indexPath(own)])
    size = pack?.size ?? 0
    // A record that a kill cut short is written over.
    indexSize = wholeRecords(index?.size ?? 0)
  }

  async function load(): Promise<void> {
    const found = packPlaces<PackName>()
    packs = await listPacks(fs)
    for (const pack of packs) {
      const index = await fs.read(indexPath(pack))
      if (index !== undefined) found.add(pack, index)
    }
    places = found
  }

  function has(sha256: string): boolean {
    return waiting.has(sha256) || writing.has(sha256) || places.get(sha256) !== undefined
  }

  async function get(sha256: string): Promise<Uint8Array | undefined> {
    const fresh = waiting.get(sha256) ?? writing.get(sha256)
    if (fresh !== undefined) return fresh
    const found = await read(sha256)
    if (found !== undefined || places.get(sha256) === undefined) return found
    // A collection may have moved it to another pack since.
    await load()
    const again = await read(sha256)
    if (again === undefined) places.delete(sha256)
    return again
  }

  async function read(sha256: string): Promise<Uint8Array | undefined> {
    const place = places.get(sha256)
    if (place === undefined) return undefined
    const of = `${place.pack.owner} ${place.pack.n} ${place.start}`
    if (chunk?.of !== of) {
      const bytes = await readChunk(fs, place.pack, place)
      if (bytes === undefined) return undefined
      chunk = { of, bytes }
    }
    const bytes = new Uint8Array(chunk.bytes.subarray(place.offset, place.offset + place.size))
    return sha256Of(bytes) === sha256 ? bytes : undefined
  }

  function flush(): Promise<void> {
    const mine = last.then(write)
    last = mine.catch(() => {}) // told through `mine`; the next one does not depend on it
    return mine
  }

  async function write(): Promise<void> {
    if (waiting.size === 0) return
    writing = waiting
    waiting = new Map()
    waitingBytes = 0
    const start = size
    const { bytes, index } = packed(writing, start)
    const pack = own
    await writeAt(fs, packPath(pack), bytes, start)
    size = start + bytes.length
    places.add(pack, index)
    writing = new Map()
    // The index comes last: what it names is there.
    await writeAt(fs, indexPath(pack), index, indexSize)
    indexSize += index.length
  }
}

/** One chunk of these contents, and where each stands in it. */
export function packed(contents: ReadonlyMap<string, Uint8Array>, start: number) {
  const bytes = zlib.zstdCompressSync(Buffer.concat([...contents.values()]), LEVEL)
  const places = new Map<string, PackPlace>()
  let offset = 0
  for (const [sha256, { length: size }] of contents) {
    places.set(sha256, { start, length: bytes.length, offset, size })
    offset += size
  }
  return { bytes, index: encodeIndex(places) }
}

/** Undefined when it is torn or gone. */
export async function readChunk(
  fs: SessionFs,
  pack: PackName,
  { start, length }: Pick<PackPlace, 'start' | 'length'>,
): Promise<Uint8Array | undefined> {
  const file = await fs.openRead(packPath(pack))
  if (file === undefined) return undefined
  try {
    const bytes = new Uint8Array(length)
    if ((await file.read(bytes, start)) !== length) return undefined
    return zlib.zstdDecompressSync(bytes)
  } catch {
    // Torn by a power cut: what was in it counts as missing, and is read from the project again.
    return undefined
  } finally {
    await file.close()
  }
}

export async function writeAt(
  fs: SessionFs,
  path: string,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  const file = await fs.openAppend(path)
  try {
    await file.write([bytes], position)
  } finally {
    await file.close()
  }
}

export async function syncFile(fs: SessionFs, path: string): Promise<void> {
  const file = await fs.openAppend(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

export async function listPacks(fs: SessionFs): Promise<readonly PackName[]> {
  return (await fs.list(homeFolder('contents'))).flatMap(({ name }) => {
    const found = readName(layout.home.contentsIndex, name)
    return found === undefined ? [] : [{ owner: found.owner, n: Number(found.n) }]
  })
}

const nameOf = ({ owner, n }: PackName): string => `${owner}-${n}`
export const packPath = ({ owner, n }: PackName): string => inHome('contents', { owner, n })
export const indexPath = ({ owner, n }: PackName): string => inHome('contentsIndex', { owner, n })
