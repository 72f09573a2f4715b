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
  const tables: Table<Pack>[] = []
  /** The number of a record + 1, where its hash leads; the next slot when another is there. */
  let slots = new Int32Array(FEWEST_SLOTS)
  let records = 0
  /** Tables whose records have their slots: the others wait until something is asked for. */
  let entered = 0

  return {
    add(pack, index) {
      const bytes = Buffer.from(index.buffer, index.byteOffset, index.length)
      tables.push({ pack, bytes, first: records })
      records += Math.floor(bytes.length / RECORD_BYTES)
    },
    get(sha256) {
      const record = slots[slotOf(sha256)] ?? FREE
      const table = record > FREE ? tableOf(record) : undefined
      return table && { ...placeAt(table.bytes, startIn(table, record)), pack: table.pack }
    },
    delete(sha256) {
      const slot = slotOf(sha256)
      if ((slots[slot] ?? FREE) > FREE) slots[slot] = REMOVED
    },
  }

  /** Where it stands, or the free slot that its way ends at. */
  function slotOf(sha256: string): number {
    enterAll()
    const hash = Buffer.from(sha256, 'hex')
    return hash.length === HASH_BYTES ? wayOf(hash, 0) : NOWHERE
  }

  function wayOf(bytes: Buffer, at: number): number {
    const mask = slots.length - 1
    for (let slot = bytes.readUInt32LE(at) & mask; ; slot = (slot + 1) & mask) {
      const record = slots[slot] ?? FREE
      if (record === FREE) return slot
      const table = record > FREE ? tableOf(record) : undefined
      if (table === undefined) continue
      const start = startIn(table, record)
      if (bytes.compare(table.bytes, start, start + HASH_BYTES, at, at + HASH_BYTES) === 0)
        return slot
    }
  }

  function enterAll(): void {
    if (entered === tables.length) return
    if (2 * records > slots.length) {
      const before = slots.filter((record) => record > FREE)
      slots = new Int32Array(2 ** Math.ceil(Math.log2(4 * records)))
      for (const record of before) enter(tableOf(record), record)
    }
    for (const table of tables.slice(entered)) {
      const end = table.first + Math.floor(table.bytes.length / RECORD_BYTES)
      // A later record of the same content takes the place of an earlier one.
      for (let record = table.first + 1; record <= end; record++) enter(table, record)
    }
    entered = tables.length
  }

  function enter(table: Table<Pack> | undefined, record: number): void {
    if (table !== undefined) slots[wayOf(table.bytes, startIn(table, record))] = record
  }

  function tableOf(record: number): Table<Pack> | undefined {
    let [low, high] = [0, tables.length - 1]
    while (low < high) {
      const middle = Math.ceil((low + high) / 2)
      if ((tables[middle]?.first ?? 0) >= record) high = middle - 1
      else low = middle
    }
    return tables[low]
  }
}

type Table<Pack> = {
  readonly pack: Pack
  readonly bytes: Buffer
  /** How many records the tables before it have. */
  readonly first: number
}

const startIn = ({ first }: { readonly first: number }, record: number): number =>
  (record - first - 1) * RECORD_BYTES

const FEWEST_SLOTS = 1024
const FREE = 0
const REMOVED = -1
const NOWHERE = -1

const placeAt = (bytes: Buffer, at: number): PackPlace => ({
  start: Number(bytes.readBigUInt64LE(at + HASH_BYTES)),
  length: bytes.readUInt32LE(at + HASH_BYTES + 8),
  offset: bytes.readUInt32LE(at + HASH_BYTES + 12),
  size: bytes.readUInt32LE(at + HASH_BYTES + 16),
})
