/**
 * A `Content-Length` header, an empty line, and that many bytes of JSON, as the Copilot SDK and language servers have
 * it. Nothing that the other side sends makes this hold more than one message of the allowed size.
 */
import { BrokenFrame, type FrameReader, type Framing } from './framing.ts'

const MAX_HEADER_BYTES = 1024
const END_OF_HEADER = '\r\n\r\n'

export const contentLength: Framing = {
  encode,
  wrap,
  openReader,
  cancel: { method: '$/cancelRequest', field: 'id' },
}

function encode(message: unknown): Buffer {
  const body = JSON.stringify(message)
  const length = Buffer.byteLength(body)
  const header = `Content-Length: ${length}${END_OF_HEADER}`
  const frame = Buffer.allocUnsafe(header.length + length)
  frame.write(header, 0, 'latin1')
  frame.write(body, header.length, 'utf8')
  return frame
}

function wrap(parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0)
  const header = Buffer.from(`Content-Length: ${length}${END_OF_HEADER}`)
  return Buffer.concat([header, ...parts], header.length + length)
}

function openReader(maxBytes: number): FrameReader {
  let chunks: Buffer[] = []
  let size = 0
  /** The length of the body that is being read; undefined while its header is. */
  let wanted: number | undefined

  const reader: FrameReader = {
    maxBytes,
    *push(chunk) {
      chunks.push(chunk)
      size += chunk.length
      if (wanted !== undefined && size < wanted) return
      let rest = chunks.length === 1 ? chunk : Buffer.concat(chunks)
      for (;;) {
        if (wanted === undefined) {
          const end = rest.subarray(0, MAX_HEADER_BYTES).indexOf(END_OF_HEADER, 0, 'latin1')
          if (end < 0) break
          wanted = lengthIn(rest.toString('latin1', 0, end), reader.maxBytes)
          rest = rest.subarray(end + END_OF_HEADER.length)
        }
        if (rest.length < wanted) break
        const body = rest.toString('utf8', 0, wanted)
        rest = rest.subarray(wanted)
        wanted = undefined
        yield body
      }
      if (wanted === undefined && rest.length >= MAX_HEADER_BYTES)
        throw new BrokenFrame(`A header has at most ${MAX_HEADER_BYTES} bytes.`)
      chunks = rest.length === 0 ? [] : [rest]
      size = rest.length
    },
  }
  return reader
}

function lengthIn(header: string, maxBytes: number): number {
  let length: number | undefined
  for (const line of header.split('\r\n')) {
    const [, name = '', told = ''] = /^([\w-]+):(.*)$/.exec(line) ?? []
    const [field, value] = [name.toLowerCase(), told.trim()]
    // Anything else speaks another protocol; a browser's request must not pass for a message.
    if (field !== 'content-length' && field !== 'content-type')
      throw new BrokenFrame('A header may hold Content-Length and Content-Type and nothing else.')
    if (field !== 'content-length') continue
    if (length !== undefined || !/^\d{1,10}$/.test(value))
      throw new BrokenFrame('A header needs exactly one Content-Length, a whole number.')
    length = Number(value)
  }
  if (length === undefined) throw new BrokenFrame('A header without Content-Length.')
  if (length > maxBytes)
    throw new BrokenFrame(`A message may have ${maxBytes} bytes; this one has ${length}.`)
  return length
}
