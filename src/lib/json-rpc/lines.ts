/** A message a line, as the Agent Client Protocol has it. Blank lines are skipped. */
import { BrokenFrame, type FrameReader, type Framing } from './framing.ts'

const NEWLINE = 0x0a

export const lines: Framing = {
  encode: (message) => Buffer.from(`${JSON.stringify(message)}\n`),
  wrap: (parts) => Buffer.concat([...parts, Buffer.of(NEWLINE)]),
  openReader: openLineReader,
  cancel: { method: '$/cancel_request', field: 'requestId' },
}

/** Splits on the newline byte alone: other line separators may stand inside a message. */
function openLineReader(maxBytes: number): FrameReader {
  let parts: Buffer[] = []
  let size = 0
  const reader: FrameReader = {
    maxBytes,
    *push(chunk) {
      for (let start = 0; ;) {
        const end = chunk.indexOf(NEWLINE, start)
        const piece = chunk.subarray(start, end === -1 ? undefined : end)
        size += piece.length
        if (size > reader.maxBytes)
          throw new BrokenFrame(`A message has more than ${reader.maxBytes} bytes.`)
        parts.push(piece)
        if (end === -1) return
        const line = Buffer.concat(parts).toString('utf8')
        parts = []
        size = 0
        start = end + 1
        if (line.trim() !== '') yield line
      }
    },
  }
  return reader
}
