/** One connection: who is at the other end, whether it may be there, and what it asks for. */
import { createHash, timingSafeEqual } from 'node:crypto'
import { contentLength } from '../../lib/json-rpc/content-length.ts'
import { RpcFailure, rpcCodes } from '../../lib/json-rpc/failure.ts'
import { openPeer, type Streams } from '../../lib/json-rpc/peer.ts'
import { createClient, type Client } from './client.ts'
import { AUTHENTICATION_FAILED, AUTHENTICATION_REQUIRED, asRpcFailure, isFault } from './failure.ts'
import type { Call } from './method.ts'
import type { Server } from './server.ts'

type Connection = Streams & {
  /** What the client has to know before it is heard. Without it everybody is. */
  readonly token?: string
}

const MAX_ATTEMPTS = 3
/** How long a client that must go may take to read why. */
const PATIENCE_MS = 1000

export function serve(server: Server, { token, ...streams }: Connection): Client {
  const { limits } = server.parts
  let failures = 0
  const first =
    token === undefined ? limits : { ...limits, maxFrameBytes: limits.maxStrangerFrameBytes }
  const peer = openPeer(streams, contentLength, { request: handle, failure: asRpcFailure }, first)
  const client = createClient(peer, token === undefined)
  server.clients.add(client)
  server.speakWith = (others) => serve(server, others)
  const tooLate =
    token === undefined
      ? undefined
      : setTimeout(
          () => client.isTrusted || peer.close('It did not connect in time.'),
          limits.connectMs,
        )
  void peer.ended.then(({ message }) => {
    clearTimeout(tooLate)
    server.parts.log('debug', `A connection ended: ${message}`)
    server.disconnect(client)
    hangUp(streams, peer.flushed())
  })

  async function handle(name: string, params: unknown, signal: AbortSignal): Promise<unknown> {
    if (name === 'connect') greet(params)
    else if (!client.isTrusted)
      throw new RpcFailure(AUTHENTICATION_REQUIRED, 'AUTHENTICATION_REQUIRED')
    const call = { server, client, signal }
    try {
      const result = await run(call, name, params)
      // After the answer, which goes in the next round: the client is not kept waiting for it.
      if (name === 'connect') setImmediate(() => setImmediate(() => void tryFirstCalls(call)))
      return result
    } catch (error) {
      if (isFault(error)) server.parts.log('error', `${name}: ${stackOf(error)}`)
      throw error
    }
  }

  function greet(params: unknown): void {
    if (token === undefined || client.isTrusted) return
    const given = (params as { token?: unknown } | null)?.token
    if (typeof given !== 'string' || !isSame(given, token)) {
      failures += 1
      if (failures >= MAX_ATTEMPTS) setImmediate(() => peer.close('It does not know the token.'))
      throw new RpcFailure(AUTHENTICATION_FAILED, 'AUTHENTICATION_FAILED')
    }
    client.isTrusted = true
    peer.allow(limits.maxFrameBytes)
  }
  return client
}

function hangUp({ input, output }: Streams, flushed: Promise<void>): void {
  const destroy = () => {
    clearTimeout(late)
    input.destroy()
    output.destroy()
  }
  const late = setTimeout(destroy, PATIENCE_MS)
  void flushed.then(destroy)
}

/** Loaded with the first request, so that the server listens before it knows what it can be asked. */
let loading: Promise<typeof import('./methods.ts')> | undefined

async function run(call: Call, name: string, params: unknown): Promise<unknown> {
  const { methods } = await (loading ??= import('./methods.ts'))
  const found = Object.hasOwn(methods, name) ? methods[name] : undefined
  if (found === undefined)
    throw new RpcFailure(rpcCodes.unknownMethod, `Unhandled method ${name}`, { method: name })
  return found.run(call, name, params)
}

/** What clients ask first and often. */
const FIRST_CALLS = [
  'session.getMetadata',
  'sessions.checkInUse',
  'sessions.findByPrefix',
  'session.getLastId',
]
/** Until the code of a call is as fast as it gets without much use. */
const TRIES = 8

/** Asked here of one session: the first that a client asks about would take five times as long as the next. */
async function tryFirstCalls(call: Call): Promise<void> {
  const { log, prepare } = call.server.parts
  try {
    const id = await prepare()
    if (id === undefined) return
    const params = { sessionId: id, sessionIds: [id], prefix: id }
    for (let time = 0; time < TRIES; time++)
      for (const name of FIRST_CALLS) await run(call, name, params)
  } catch (error) {
    // Met again, and told, by the call that needs it.
    log('debug', `A first look at the home failed: ${stackOf(error)}`)
  }
}

/** Takes as long for a wrong token as for a right one. */
const isSame = (one: string, other: string) => timingSafeEqual(digest(one), digest(other))
const digest = (text: string) => createHash('sha256').update(text).digest()

const stackOf = (error: unknown) =>
  error instanceof Error ? (error.stack ?? error.message) : String(error)
