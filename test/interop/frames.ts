/** JSON messages with a Content-Length header before each, as language servers and the Copilot CLI speak. */

export function frame(message: object): Buffer {
  const body = Buffer.from(JSON.stringify(message))
  return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body])
}

/** Takes chunks as they come and gives each whole message. */
export function createFrameReader(onMessage: (message: unknown) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0)
  return (chunk) => {
    rest = Buffer.concat([rest, chunk])
    for (;;) {
      const end = rest.indexOf('\r\n\r\n')
      if (end === -1) return
      const length = Number(/content-length: *(\d+)/i.exec(rest.toString('latin1', 0, end))?.[1])
      if (Number.isNaN(length)) throw new Error('A message without its length.')
      const start = end + 4
      if (rest.length < start + length) return
      const body = rest.toString('utf8', start, start + length)
      rest = rest.subarray(start + length)
      onMessage(JSON.parse(body))
    }
  }
}
