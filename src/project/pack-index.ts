/** Where contents stand in a pack: one record of a fixed length for each. A record that was cut short is nothing. */
import type { SessionFs } from '../fs/session-fs.ts'

export type PackPlace = {
  /** Of the compressed chunk in the pack. */
  readonly start: number
  readonly length: number
  /** In the chunk, once it is not compressed any more. */
  readonly offset: number
  readonly size: number
}

const HASH_BYTES = 32
const RECORD_BYTES = HASH_BYTES + 8 + 4 + 4 + 4

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
    places.set(bytes.toString('hex', at, at + HASH_BYTES), {
      start: Number(bytes.readBigUInt64LE(at + HASH_BYTES)),
      length: bytes.readUInt32LE(at + HASH_BYTES + 8),
      offset: bytes.readUInt32LE(at + HASH_BYTES + 12),
      size: bytes.readUInt32LE(at + HASH_BYTES + 16),
    })
  }
  return places
}
