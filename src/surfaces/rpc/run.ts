/** From the command line of a server to its end. Whatever ends it, sessions are closed in an orderly way. */
import { randomBytes } from 'node:crypto'
import { setImmediate as nextRound } from 'node:timers/promises'
import { EngineError } from '../../engine/errors.ts'
import { resolveFar } from '../../commands/find-session.ts'
import type { SessionId } from '../../format/ids.ts'
import { inHome } from '../../format/paths.ts'
import { encodeText } from '../../lib/bytes.ts'
import type { Streams } from '../../lib/json-rpc/peer.ts'
import type { ServerParts } from './parts.ts'
import { createServer, type Server } from './server.ts'
import { serveStdio } from './stdio.ts'
import { listen } from './tcp.ts'

type Listening = {
  /** One client on standard input and output; otherwise TCP. */
  readonly stdio: boolean
  /** 0 means any that is free. */
  readonly port: number
  readonly host: string
  /** A session that is opened before any client asks for it. */
  readonly resume?: string
  /** The same with one of another machine. */
  readonly connect?: string
}

type Surroundings = Streams & {
  /** The token that clients must know, when it was given. */
  readonly token: string | undefined
  /** Fires when the system or the user wants an end. */
  readonly signal: AbortSignal
  note(text: string): void
}

export async function runServer(
  flags: Listening,
  parts: ServerParts,
  around: Surroundings,
): Promise<void> {
  const server = createServer(parts)
  const end = () => void server.stop()
  around.signal.addEventListener('abort', end, { once: true })
  const sweeper = setInterval(
    () => void server.sweep(Date.now()),
    Math.min(parts.idleTimeoutMs ?? SWEEP_MS, SWEEP_MS),
  )
  try {
    if (flags.resume !== undefined) await preload(server, flags.resume)
    if (flags.connect !== undefined)
      await openAhead(server, await resolveFar(await server.engine(), flags.connect))
    await (flags.stdio ? serveStdio(server, around) : serveTcp(server, flags, around))
  } finally {
    clearInterval(sweeper)
    await server.stop()
  }
}

const SWEEP_MS = 30_000

async function serveTcp(
  server: Server,
  { port, host }: Listening,
  { token: given, output, note }: Surroundings,
): Promise<void> {
  const { fs } = server.parts.catalogue
  const token = given ?? randomBytes(32).toString('base64url')
  const listening = await listen(server, { port, host, token })
  const tokenFile = inHome('serverToken', { port: listening.port })
  if (given === undefined) {
    await fs.writeAtomic(tokenFile, encodeText(`${token}\n`), { durable: false })
    note(`The connection token is in ${fs.nativePath(tokenFile)}`)
  }
  output.write(`Reprise server listening on port ${listening.port}\n`)
  try {
    await server.stopped
    await nextRound() // the client that asked for the end is answered
    for (const { peer } of server.clients) await peer.flushed()
  } finally {
    await listening.close()
    if (given === undefined) await fs.remove(tokenFile)
  }
}

/** Opens a session before a client asks for it, in the foreground. */
async function preload(server: Server, wanted: string): Promise<void> {
  const found = await server.parts.catalogue.resolve(wanted)
  if (found.kind !== 'found') {
    throw new EngineError(
      found.kind === 'ambiguous' ? 'ambiguous' : 'not_found',
      `--resume: "${wanted}" is ${found.kind === 'ambiguous' ? 'more than one session' : 'no session'} of this home. Nothing was started.`,
    )
  }
  await openAhead(server, found.id)
}

async function openAhead(server: Server, id: SessionId): Promise<void> {
  const { resumeSession } = await import('./methods/session.ts')
  await resumeSession(server, undefined, id, {})
  const session = server.find(id)
  if (session !== undefined) session.isPreloaded = true
  server.bringForward(id)
}
