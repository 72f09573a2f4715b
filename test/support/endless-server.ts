/** A server on the loopback whose answers do not end, plain or compressed. It sends as fast as it is read. */
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'

export interface EndlessServer extends AsyncDisposable {
  readonly url: string
}

type Answer = { readonly type: string; readonly piece: string; readonly isZipped?: boolean }

/** `piece` is sent again and again. */
export async function startEndless({ type, piece, isZipped }: Answer): Promise<EndlessServer> {
  const chunk = Buffer.from(piece.repeat(Math.ceil(65_536 / piece.length)))
  const server = createServer((_request, response) => {
    const zipped = isZipped === true ? { 'content-encoding': 'gzip' } : {}
    response.writeHead(200, { 'content-type': type, ...zipped })
    const source = Readable.from(forEver(chunk))
    const out = isZipped === true ? source.pipe(createGzip({ level: 1 })) : source
    out.pipe(response)
    response.on('close', () => source.destroy())
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

function* forEver(chunk: Buffer): Generator<Buffer> {
  for (;;) yield chunk
}
