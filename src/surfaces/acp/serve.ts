/**
 * Sessions for any editor that speaks the Agent Client Protocol: on a pair of streams, or on a port of this machine for
 * a client that shows its token. When the last client of a session leaves, the session is closed and stays on disk.
 */
import { createServer, type Socket } from 'node:net'
import type { SessionId } from '../../format/ids.ts'
import { deferred } from '../../lib/deferred.ts'
import { lines } from '../../lib/json-rpc/lines.ts'
import { openPeer, type Handlers, type Streams } from '../../lib/json-rpc/peer.ts'
import { leave, type AcpParts, type Client } from './client.ts'
import { asRpcFailure } from './failures.ts'
import { callMethod, hearNotification } from './methods.ts'

export interface AcpServer {
  /** Serves one client; resolves when it has gone and its sessions are closed. */
  serve(streams: Streams): Promise<void>
  /** Listens on the loopback interface. */
  listen(port: number): Promise<Listening>
}

type Listening = AsyncDisposable & { readonly port: number }

const MOST_CLIENTS = 64
/** How long a client that has said its last word is still answered. */
const LAST_ANSWERS_MS = 3000

export function createAcpServer(parts: AcpParts): AcpServer {
  const users = new Map<SessionId, number>()

  async function serve(streams: Streams) {
    const handlers: Handlers = {
      request: (method, params, cancelled) => callMethod(client, method, params, cancelled),
      notification: (method, params) => hearNotification(client, method, params),
      failure: asRpcFailure,
    }
    const peer = openPeer(streams, lines, handlers, { lastAnswersMs: LAST_ANSWERS_MS })
    const client: Client = {
      parts,
      peer,
      users,
      version: 1,
      abilities: undefined,
      isTrusted: parts.token === undefined,
      open: new Map(),
    }
    await peer.ended
    await leave(client)
  }

  async function listen(port: number): Promise<Listening> {
    const sockets = new Set<Socket>()
    const server = createServer((socket) => {
      if (sockets.size >= MOST_CLIENTS) return void socket.destroy()
      sockets.add(socket)
      socket.setNoDelay(true)
      void serve({ input: socket, output: socket }).finally(() => {
        sockets.delete(socket)
        socket.destroy()
      })
    })
    const { promise, resolve, reject } = deferred<void>()
    server.once('error', reject)
    server.listen(port, '127.0.0.1', resolve)
    await promise
    const address = server.address()
    return {
      port: typeof address === 'object' && address !== null ? address.port : port,
      async [Symbol.asyncDispose]() {
        for (const socket of sockets) socket.destroy()
        await new Promise((closed) => server.close(closed))
      },
    }
  }

  return { serve, listen }
}
