/** How messages become bytes: all in which the protocols over JSON-RPC differ. */
export interface Framing {
  encode(message: unknown): Buffer
  /** The same for a message that is JSON already, without newlines of its own. */
  wrap(parts: readonly Uint8Array[]): Buffer
  openReader(maxBytes: number): FrameReader
  /** The notification that takes a request back, and its field with the id. */
  readonly cancel: { readonly method: string; readonly field: string }
}

export interface FrameReader {
  /** The messages that these bytes complete, one by one. Throws `BrokenFrame` after those that came whole before it. */
  push(chunk: Buffer): Iterable<string>
  maxBytes: number
}

/** Where the next message begins is not known any more: the connection is of no use. */
export class BrokenFrame extends Error {
  override readonly name = 'BrokenFrame'
}
