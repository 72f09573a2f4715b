/** How much one client may ask for, and how many there may be. */
import { MAX_FRAME_BYTES, MEBIBYTE } from './frames.ts'

export type Limits = {
  readonly maxFrameBytes: number
  /** Until a client has shown its token. */
  readonly maxStrangerFrameBytes: number
  /** Told and not read: beyond it the client is given up. */
  readonly maxBacklogBytes: number
  readonly maxAnswerBytes: number
  /** At once, of one client; more wait in the socket. */
  readonly maxRequests: number
  readonly maxConnections: number
  /** How long a client may take to show its token. */
  readonly connectMs: number
}

export const defaultLimits: Limits = {
  maxFrameBytes: MAX_FRAME_BYTES,
  maxStrangerFrameBytes: 64 * 1024,
  maxBacklogBytes: 16 * MEBIBYTE,
  maxAnswerBytes: 256 * MEBIBYTE,
  maxRequests: 256,
  maxConnections: 128,
  connectMs: 10_000,
}
