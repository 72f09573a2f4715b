/**
 * What is on its way to the other side, in its order. Answers and questions go at once; what is merely told is gathered
 * for a moment when much is told, so that many connections cost few writes. A side that does not read is given up
 * before what waits for it costs others anything.
 */
import type { Writable } from 'node:stream'

const NOTHING = Buffer.alloc(0)
/** As often as a screen is drawn: more writes cost every client of a busy session a share of the server. */
const PACE_MS = 16
/** No longer gathered: a caller that waits for the other side to read must see what it has not read. */
const TOGETHER_BYTES = 64 * 1024

type OutboxLimits = {
  readonly maxBacklogBytes: number
  /** Answers may wait besides, of which a single one may be large. */
  readonly maxAnswerBytes: number
  onTooSlow(): void
}

interface Outbox {
  answer(frame: Buffer): void
  tell(frame: Buffer): void
  /** Resolves when the other side has taken enough for more to be told. */
  ready(): Promise<void>
  /** Resolves when everything was handed to the system, or cannot be any more. */
  flushed(): Promise<void>
  /** Nothing more comes: what is here goes, and nobody waits any longer. */
  end(): void
}

export function openOutbox(stream: Writable, limits: OutboxLimits): Outbox {
  const waiting = new Set<() => void>()
  let frames: Buffer[] = []
  let bytes = 0
  let wroteAtMs = -Infinity
  let later: NodeJS.Timeout | undefined
  let soon: NodeJS.Immediate | undefined
  stream.on('drain', release)

  function release(): void {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }
  function write(): void {
    clearTimeout(later)
    clearImmediate(soon)
    later = undefined
    soon = undefined
    if (frames.length === 0 || stream.destroyed || stream.writableEnded) return
    const together = frames.length === 1 ? frames[0] : Buffer.concat(frames, bytes)
    frames = []
    bytes = 0
    wroteAtMs = performance.now()
    stream.write(together)
  }
  function put(frame: Buffer): void {
    frames.push(frame)
    bytes += frame.length
    if (bytes >= TOGETHER_BYTES) write()
  }
  const unread = () => bytes + stream.writableLength
  return {
    answer(frame) {
      if (unread() > limits.maxBacklogBytes + limits.maxAnswerBytes) return limits.onTooSlow()
      put(frame)
      if (bytes > 0) soon ??= setImmediate(write)
    },
    tell(frame) {
      if (unread() + frame.length > limits.maxBacklogBytes) return limits.onTooSlow()
      put(frame)
      if (bytes === 0 || soon !== undefined || later !== undefined) return
      const isBusy = performance.now() - wroteAtMs < PACE_MS
      if (isBusy) later = setTimeout(write, PACE_MS)
      else soon = setImmediate(write)
    },
    async ready() {
      if (stream.writableNeedDrain) await new Promise<void>((resolve) => waiting.add(resolve))
    },
    flushed() {
      write()
      if (stream.writableLength === 0 || stream.destroyed) return Promise.resolve()
      // Called after everything before it; the stream has no other way to say so below its mark.
      return new Promise((resolve) => {
        stream.once('close', resolve)
        stream.write(NOTHING, () => resolve())
      })
    },
    end() {
      write()
      release()
    },
  }
}
