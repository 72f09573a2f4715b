/** Output of any length in bounded memory: its first MiB and its last, and what came since it was last asked. */
import { decodeText } from '../../lib/bytes.ts'
import { wholeWordsAfter, wholeWordsBefore } from '../../state/preview.ts'

const LIMIT = 1024 * 1024
const MAX_PIECE_CHARS = 16 * 1024

interface BoundedOutput {
  add(chunk: Uint8Array): void
  /** What came since the last call; only its end when it was much. */
  takePiece(): string
  /** Everything that was kept, with the number of bytes between head and tail that were not; cut between words. */
  text(): string
}

export function boundedOutput(limit = LIMIT): BoundedOutput {
  const head = new Uint8Array(limit)
  let tail: Uint8Array | undefined
  let total = 0
  let piece = ''
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

  /** The tail is a ring: the byte at position p of all that came after the head is at p modulo its length. */
  function addToTail(chunk: Uint8Array): void {
    tail ??= new Uint8Array(limit)
    const last = chunk.subarray(-limit)
    const at = (total - limit + chunk.length - last.length) % limit
    tail.set(last.subarray(0, limit - at), at)
    tail.set(last.subarray(limit - at), 0)
    total += chunk.length
  }

  return {
    add(chunk) {
      piece += decoder.decode(chunk, { stream: true })
      if (piece.length > MAX_PIECE_CHARS)
        piece = piece.slice(-MAX_PIECE_CHARS).replace(/^[\uDC00-\uDFFF]/, '')
      const fitting = chunk.subarray(0, Math.max(0, limit - total))
      head.set(fitting, total < limit ? total : 0)
      total += fitting.length
      if (fitting.length < chunk.length) addToTail(chunk.subarray(fitting.length))
    },
    takePiece() {
      const taken = piece
      piece = ''
      return taken
    },
    text() {
      const beyond = total - limit
      if (tail === undefined || beyond <= 0) return decodeText(head.subarray(0, total))
      const at = beyond % limit
      const kept =
        beyond <= limit
          ? tail.subarray(0, beyond)
          : Buffer.concat([tail.subarray(at), tail.subarray(0, at)])
      if (beyond <= limit) return decodeText(Buffer.concat([head, kept]))
      const [first, last] = [withoutHalfEnd(head), decodeText(withoutHalfStart(kept))]
      const [before, after] = [wholeWordsBefore(first), wholeWordsAfter(last)]
      const dropped =
        Buffer.byteLength(first.slice(before.length)) +
        Buffer.byteLength(last.slice(0, last.length - after.length))
      return `${before}\n… ${beyond - limit + dropped} bytes left out …\n${after}`
    },
  }
}

/** In stream mode a decoder keeps a character back that has not come to its end. */
const withoutHalfEnd = (bytes: Uint8Array): string =>
  new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true })

function withoutHalfStart(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return bytes.subarray(start)
}
