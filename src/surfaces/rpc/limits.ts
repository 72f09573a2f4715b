/** How much one client may ask for, and how many there may be. */
import type { PeerLimits } from '../../lib/json-rpc/peer.ts'

export type Limits = Required<PeerLimits> & {
  /** Until a client has shown its token. */
  readonly maxStrangerFrameBytes: number
  readonly maxConnections: number
  /** How long a client may take to show its token. */
  readonly connectMs: number
  /** How long a question waits while no client is connected that could answer it. */
  readonly answerMs: number
}

const MEBIBYTE = 1024 * 1024

export const defaultLimits: Limits = {
  // The answer of a client that owns the files of a session may be a whole log.
  maxFrameBytes: 256 * MEBIBYTE,
  maxStrangerFrameBytes: 64 * 1024,
  maxBacklogBytes: 16 * MEBIBYTE,
  maxAnswerBytes: 256 * MEBIBYTE,
  maxRequests: 256,
  lastAnswersMs: 3000,
  maxConnections: 128,
  connectMs: 10_000,
  answerMs: 30 * 60_000,
}
