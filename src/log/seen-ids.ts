/** Remembers which ids stood where, for logs of any length: 24 bytes an id instead of a string and a set entry. */
import type { Range } from './range.ts'

interface SeenIds {
  /** Where the id stood before. Remembers this place when it is new. Two ids may, very rarely, be taken for one. */
  meet(id: string, range: Range): Range | undefined
}

export function createSeenIds(): SeenIds {
  let capacity = 1024
  let count = 0
  let hashes = new Float64Array(capacity)
  let starts = new Float64Array(capacity)
  let ends = new Float64Array(capacity)

  /** The slot that holds the hash, or the free one where it belongs. */
  function slotOf(hash: number): number {
    let slot = hash % capacity
    while (hashes[slot] !== 0 && hashes[slot] !== hash) slot = (slot + 1) % capacity
    return slot
  }

  function put(hash: number, start: number, end: number): void {
    const slot = slotOf(hash)
    hashes[slot] = hash
    starts[slot] = start
    ends[slot] = end
  }

  function grow(): void {
    const old = { hashes, starts, ends }
    capacity *= 2
    hashes = new Float64Array(capacity)
    starts = new Float64Array(capacity)
    ends = new Float64Array(capacity)
    old.hashes.forEach((hash, slot) => {
      if (hash !== 0) put(hash, old.starts[slot] ?? 0, old.ends[slot] ?? 0)
    })
  }

  return {
    meet(id, range) {
      const hash = hashOfId(id)
      const slot = slotOf(hash)
      if (hashes[slot] === hash) return { start: starts[slot] ?? 0, end: ends[slot] ?? 0 }
      if (2 * (count + 1) > capacity) grow()
      put(hash, range.start, range.end)
      count += 1
      return undefined
    },
  }
}

/** 52 bits, never 0, which marks a free slot. Two mixes of FNV-1a's kind. */
function hashOfId(id: string): number {
  let low = 0x811c9dc5
  let high = 0x1000193
  for (let index = 0; index < id.length; index++) {
    const unit = id.charCodeAt(index)
    low = Math.imul(low ^ unit, 0x01000193)
    high = Math.imul(high ^ unit, 0x85ebca6b)
    high ^= high >>> 13
  }
  return (high & 0xfffff) * 2 ** 32 + (low >>> 0) + 1
}
