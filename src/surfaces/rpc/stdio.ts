/** The server for one client, which started it and talks to it by its standard input and output. */
import { Socket } from 'node:net'
import type { Writable } from 'node:stream'
import { setImmediate as nextRound } from 'node:timers/promises'
import type { Streams } from '../../lib/json-rpc/peer.ts'
import { serve } from './serve.ts'
import type { Server } from './server.ts'

/** Resolves when the client has gone or the server was asked to end. */
export async function serveStdio(server: Server, streams: Streams): Promise<void> {
  const { peer } = serve(server, streams)
  await Promise.race([peer.ended, server.stopped])
  await server.stop()
  await nextRound() // the client that asked for the end is answered
  await peer.flushed()
}

/**
 * Standard output that does not block: Node writes to a pipe and waits, and a client that does not read would
 * stop every session.
 */
export function unblockedStdout(fallback: Writable): Writable {
  try {
    return new Socket({ fd: 1, readable: false, writable: true })
  } catch {
    // A file, or a terminal.
    return fallback
  }
}
