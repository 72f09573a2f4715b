/**
 * A fresh link for the web server of a home that runs already: asked of it with the token of the home, and shown with a
 * QR code where a person looks. The running server notes where it is reached, and takes the note away when it ends.
 */
import { request as requestHttp, type IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { text } from 'node:stream/consumers'
import { once } from 'node:events'
import { renderUnicodeCompact } from 'uqr'
import { EngineError } from '../engine/errors.ts'
import { inHome } from '../format/paths.ts'
import type { SessionFs } from '../fs/session-fs.ts'
import { decodeText, encodeText } from '../lib/bytes.ts'
import { isLoopback } from '../lib/listen-http.ts'
import { isRunning } from '../lib/process-identity.ts'
import { tokenOf } from '../surfaces/web/keys.ts'

/** `cert`: what it shows of itself, so that no other server is given the token. */
type Note = {
  readonly url: string
  /** The address that it is bound to: its name may lead elsewhere from here, or nowhere. */
  readonly host: string
  readonly pid: number
  readonly cert?: string
}

const NOTE = inHome('webServer')

export async function noteServer(fs: SessionFs, note: Omit<Note, 'pid'>): Promise<AsyncDisposable> {
  const own: Note = { ...note, pid: process.pid }
  const before = await readNote(fs)
  await fs.writeAtomic(NOTE, encodeText(`${JSON.stringify(own)}\n`), { durable: false })
  return {
    async [Symbol.asyncDispose]() {
      // Another server of the home may have begun since: its note stays. One that began before and runs has it again.
      if ((await readNote(fs))?.pid !== process.pid) return
      if (before !== undefined && isRunning(before.pid))
        await fs.writeAtomic(NOTE, encodeText(`${JSON.stringify(before)}\n`), { durable: false })
      else await fs.remove(NOTE)
    },
  }
}

async function readNote(fs: SessionFs): Promise<Note | undefined> {
  const bytes = await fs.read(NOTE)
  try {
    return bytes === undefined ? undefined : (JSON.parse(decodeText(bytes)) as Note)
  } catch {
    // Cut short by a kill: the server that wrote it is gone.
    return undefined
  }
}

export async function printFreshLink(
  fs: SessionFs,
  output: { write(text: string): unknown; readonly isTTY?: boolean },
): Promise<void> {
  const link = (await askRunning(fs, '/api/link', {}))?.link
  if (link === undefined)
    throw new EngineError(
      'not_found',
      'No web server of this home runs. "reprise web" starts one and prints its link.',
    )
  output.write(`${link}\n`)
  if (output.isTTY !== true) return
  output.write(`\n${renderUnicodeCompact(link)}\n\n`)
  output.write(
    'It logs one browser in, once. Links that were printed before and not used are still good.\n',
  )
  if (isLoopback(new URL(link).hostname))
    output.write(
      'Only this machine reaches it. For a phone start it with --allow-remote, TLS and --name.\n',
    )
}

/** What the running server of the home answers with a link; undefined when none runs. */
export async function askRunning(
  fs: SessionFs,
  path: string,
  body: object,
): Promise<LinkAnswer | undefined> {
  const note = await readNote(fs)
  // A server that does not answer is as good as none.
  return note && (await askFor(note, await tokenOf(fs), path, body).catch(() => undefined))
}

type LinkAnswer = { readonly link: string; readonly expiresAt?: string }

async function askFor(
  { url, host, cert }: Note,
  token: string,
  path: string,
  body: object,
): Promise<LinkAnswer> {
  const { protocol, port, host: name } = new URL(url)
  const ask = protocol === 'https:' ? requestHttps : requestHttp
  const sent = ask({
    host: /^(?:0\.0\.0\.0|::|\[::\])$/.test(host) ? '127.0.0.1' : host.replace(/^\[|\]$/g, ''),
    port,
    path,
    method: 'POST',
    headers: {
      host: name,
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
    },
    timeout: LONGEST_WAIT_MS,
    ...(cert !== undefined && {
      ca: cert,
      allowPartialTrustChain: true,
      checkServerIdentity: () => undefined,
    }),
  })
  sent.on('timeout', () => sent.destroy(new Error('It does not answer.')))
  sent.end(JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  const answer = JSON.parse(await text(response)) as Partial<LinkAnswer>
  const { link, ...more } = answer
  if (response.statusCode !== 201 || link === undefined) throw new Error('It gives no link.')
  return { link, ...more }
}

const LONGEST_WAIT_MS = 5000
