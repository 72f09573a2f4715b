/**
 * What is on its way to one client, in its order. Answers go at once; what is merely told is gathered for a moment
 * when much is told, so that many clients cost few writes. A client that does not read is given up before its backlog
 * costs others anything: it can come back and read on from its cursor.
 */
import type { Writable } from 'node:stream'

const NOTHING = Buffer.alloc(0)
/** As often as a screen is drawn: more writes cost every client of a busy session a share of the server. */
const PACE_MS = 16

export interface Outbox {
  answer(frame: Buffer): void
  tell(frame: Buffer): void
  /** Resolves when everything was handed to the system, or cannot be any more. */
  flushed(): Promise<void>
}

export function openOutbox(
  stream: Writable,
  { maxBacklog, onTooSlow }: { readonly maxBacklog: number; readonly onTooSlow: () => void },
): Outbox {
  let frames: Buffer[] = []
  let bytes = 0
  let wroteAtMs = -Infinity
  let later: NodeJS.Timeout | undefined
  let soon: NodeJS.Immediate | undefined

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
  }
  return {
    answer(frame) {
      put(frame)
      soon ??= setImmediate(write)
    },
    tell(frame) {
      if (bytes + stream.writableLength + frame.length > maxBacklog) return onTooSlow()
      put(frame)
      if (soon !== undefined || later !== undefined) return
      const isBusy = performance.now() - wroteAtMs < PACE_MS
      if (isBusy) later = setTimeout(write, PACE_MS)
      else soon = setImmediate(write)
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
  }
}
