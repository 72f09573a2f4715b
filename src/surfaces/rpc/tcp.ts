/**
 * The server for several clients over TCP. It listens on the loopback unless told otherwise, and a client that connects
 * has to know the token: other users and other programs of this machine reach the loopback, too. When it is full, one who
 * has not shown a token goes first, so strangers cannot keep the owner out.
 */
import { createServer as createNetServer, type AddressInfo, type Socket } from 'node:net'
import { EngineError } from '../../engine/errors.ts'
import type { Client } from './client.ts'
import { serve } from './serve.ts'
import type { Server } from './server.ts'

const PATIENCE_MS = 1000

interface Listening {
  readonly port: number
  close(): Promise<void>
}

export async function listen(
  server: Server,
  { port, host, token }: { readonly port: number; readonly host: string; readonly token: string },
): Promise<Listening> {
  if (token === '') throw new EngineError('invalid', 'The connection token is empty.')
  /** Oldest first. */
  const sockets = new Map<Socket, Client>()
  const makeRoom = (): boolean => {
    if (sockets.size < server.parts.limits.maxConnections) return true
    for (const [stranger, { isTrusted }] of sockets) {
      if (isTrusted) continue
      sockets.delete(stranger)
      stranger.destroy()
      return true
    }
    return false
  }
  const net = createNetServer({ noDelay: true }, (socket) => {
    if (!makeRoom()) {
      server.parts.log('warning', 'A connection was refused: there are too many.')
      socket.destroy()
      return
    }
    socket.on('close', () => sockets.delete(socket))
    sockets.set(socket, serve(server, { input: socket, output: socket, token }))
  })
  await new Promise<void>((resolve, reject) => {
    net.once('error', reject)
    net.listen({ port, host }, resolve)
  }).catch((cause: unknown) => {
    throw new EngineError('invalid', `Cannot listen on ${host}:${port}: ${String(cause)}`, {
      cause,
    })
  })
  return {
    port: (net.address() as AddressInfo).port,
    async close() {
      const closed = new Promise((resolve) => net.close(resolve))
      for (const socket of sockets.keys()) socket.end()
      // A client that does not read to the end is not waited for.
      const patience = setTimeout(() => {
        for (const socket of sockets.keys()) socket.destroy()
      }, PATIENCE_MS)
      await closed
      clearTimeout(patience)
    },
  }
}
