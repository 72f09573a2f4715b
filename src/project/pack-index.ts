/** Where contents stand in a pack: one record of a fixed length for each. A record that was cut short is nothing. */
import type { SessionFs } from '../fs/session-fs.ts'

export type PackPlace = {
  /** Where the compressed chunk begins in the pack. */
  readonly start: number
  readonly length: number
  /** In the chunk, once it is not compressed any more. */
  readonly offset: number
  readonly size: number
}

const HASH_BYTES = 32
const RECORD_BYTES = HASH_BYTES + 8 + 4 + 4 + 4

/** The bytes of an index of this size that are whole records. */
export const wholeRecords = (bytes: number): number => bytes - (bytes % RECORD_BYTES)

export function encodeIndex(places: ReadonlyMap<string, PackPlace>): Buffer {
  const index = Buffer.alloc(places.size * RECORD_BYTES)
  let at = 0
  for (const [sha256, { start, length, offset, size }] of places) {
    index.write(sha256, at, 'hex')
    index.writeBigUInt64LE(BigInt(start), at + HASH_BYTES)
    index.writeUInt32LE(length, at + HASH_BYTES + 8)
    index.writeUInt32LE(offset, at + HASH_BYTES + 12)
    index.writeUInt32LE(size, at + HASH_BYTES + 16)
    at += RECORD_BYTES
  }
  return index
}

export async function readIndex(fs: SessionFs, path: string): Promise<Map<string, PackPlace>> {
  const bytes = Buffer.from((await fs.read(path)) ?? [])
  const places = new Map<string, PackPlace>()
  for (let at = 0; at + RECORD_BYTES <= bytes.length; at += RECORD_BYTES) {
    places.set(bytes.toString('hex', at, at + HASH_BYTES), placeAt(bytes, at))
  }
  return places
}

/** Where contents stand in many packs. Nothing is made of a record before it is asked for. */
interface PackPlaces<Pack> {
  add(pack: Pack, index: Uint8Array): void
  get(sha256: string): (PackPlace & { readonly pack: Pack }) | undefined
  delete(sha256: string): void
}

export function packPlaces<Pack>(): PackPlaces<Pack> {
  const tables: { readonly pack: Pack; readonly bytes: Buffer }[] = []
  /** By the start of the hash: the number of the table, and that of the record in it. */
  const records = new Map<string, number>()
  return {
    add(pack, index) {
      const bytes = Buffer.from(index.buffer, index.byteOffset, index.length)
      const first = tables.length * MOST_RECORDS
      tables.push({ pack, bytes })
      for (let n = 0; (n + 1) * RECORD_BYTES <= bytes.length; n++) {
        const at = n * RECORD_BYTES
        records.set(bytes.toString('latin1', at, at + KEY_BYTES), first + n)
      }
    },
    get(sha256) {
      const record = records.get(keyOf(sha256))
      if (record === undefined) return undefined
      const table = tables[Math.floor(record / MOST_RECORDS)]
      const at = (record % MOST_RECORDS) * RECORD_BYTES
      if (table?.bytes.toString('hex', at, at + HASH_BYTES) !== sha256) return undefined
      return { ...placeAt(table.bytes, at), pack: table.pack }
    },
    delete: (sha256) => void records.delete(keyOf(sha256)),
  }
}

const KEY_BYTES = 8
const MOST_RECORDS = 2 ** 28
const keyOf = (sha256: string): string =>
  Buffer.from(sha256.slice(0, 2 * KEY_BYTES), 'hex').toString('latin1')

const placeAt = (bytes: Buffer, at: number): PackPlace => ({
  start: Number(bytes.readBigUInt64LE(at + HASH_BYTES)),
  length: bytes.readUInt32LE(at + HASH_BYTES + 8),
  offset: bytes.readUInt32LE(at + HASH_BYTES + 12),
  size: bytes.readUInt32LE(at + HASH_BYTES + 16),
})
