/** The way of one browser to the server, through a proxy (SOCKS 5) that can be cut and mended: a train in a tunnel. */
import { once } from 'node:events'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'

export interface Tunnel extends AsyncDisposable {
  /** For a context of playwright. */
  readonly proxy: { readonly server: string; readonly bypass: string }
  cut(): void
  mend(): void
}

export async function openTunnel(): Promise<Tunnel> {
  const sockets = new Set<Socket>()
  let isCut = false
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}) // it was cut; the browser is told by its end
    socket.once('close', () => sockets.delete(socket))
    return socket
  }
  const cutAll = () => sockets.forEach((socket) => socket.destroy())
  const server = createServer((socket) => {
    keep(socket)
    if (isCut) socket.destroy()
    else void serve(socket, keep).catch(() => socket.destroy())
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    proxy: { server: `socks5://127.0.0.1:${port}`, bypass: '<-loopback>' },
    cut() {
      isCut = true
      cutAll()
    },
    mend: () => void (isCut = false),
    async [Symbol.asyncDispose]() {
      server.close()
      cutAll()
    },
  }
}

/** Without a login, and to addresses of this machine alone. */
async function serve(socket: Socket, keep: (socket: Socket) => Socket): Promise<void> {
  await once(socket, 'data')
  socket.write(Buffer.from([5, 0]))
  const [asked] = (await once(socket, 'data')) as [Buffer]
  const port = asked.readUInt16BE(asked.length - 2)
  const there = keep(connect(port, '127.0.0.1'))
  await once(there, 'connect')
  socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]))
  socket.pipe(there).pipe(socket)
}
