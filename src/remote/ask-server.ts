/**
 * One request to Mission Control: with the token, with a deadline, and with an answer that is checked before it is
 * believed. Whatever goes wrong is a `RemoteError`.
 */
import type { z } from 'zod'
import { defined } from '../lib/defined.ts'
import { errorText } from '../lib/error-text.ts'
import { OversizedAnswer, guardedFetch } from '../lib/guarded-fetch.ts'
import { RemoteError, type RemoteTrouble } from './remote-error.ts'

export type ServerAddress = {
  readonly url: string
  readonly token?: string
  /** Where the server is this very process. Default: over the network. */
  readonly fetch?: typeof fetch
}

export type Asked = {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE'
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly json?: unknown
  readonly bytes?: Uint8Array<ArrayBuffer>
  readonly signal?: AbortSignal
  /** Until the answer begins and, unless it is a stream, ends. 0: as long as it takes. */
  readonly timeoutMs?: number
  /** Of the answer. */
  readonly mostBytes?: number
}

const DEADLINE_MS = 30_000
/** A page of a log has one MB and a record, which has 16 at most. */
const MOST_ANSWER_BYTES = 24 * 1024 * 1024

export async function askServer(
  { url, token, fetch }: ServerAddress,
  path: string,
  asked: Asked = {},
): Promise<Response> {
  const { method = 'GET', headers, json, bytes, signal, timeoutMs = DEADLINE_MS } = asked
  const { mostBytes = MOST_ANSWER_BYTES } = asked
  const ask = guardedFetch({ mostBytes, ...defined({ fetch }) })
  const deadline = timeoutMs === 0 ? undefined : AbortSignal.timeout(timeoutMs)
  const signals = [signal, deadline].filter((each) => each !== undefined)
  let response: Response
  try {
    response = await ask(new URL(`.${path}`, url.endsWith('/') ? url : `${url}/`), {
      method,
      signal: AbortSignal.any(signals),
      headers: {
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...defined({ body: bytes }),
    })
  } catch (cause) {
    if (cause instanceof OversizedAnswer) throw tooLong(url, cause)
    throw new RemoteError('unreachable', `${url} does not answer (${reasonOf(cause)}).`, { cause })
  }
  if (!response.ok) throw await refusalOf(response, url)
  return response
}

export const askJson = async <T>(
  address: ServerAddress,
  path: string,
  schema: z.ZodType<T>,
  asked: Asked = {},
): Promise<T> => (await askTimed(address, path, schema, asked)).answer

/** `gapMs`: so much later it is by this machine's clock than by the server's. */
export async function askTimed<T>(
  address: ServerAddress,
  path: string,
  schema: z.ZodType<T>,
  asked: Asked = {},
): Promise<{ readonly answer: T; readonly gapMs: number }> {
  const response = await askServer(address, path, asked)
  const gapMs = Date.now() - Date.parse(response.headers.get('date') ?? '')
  const parsed = schema.safeParse(parseJson(await textOf(response, address)))
  if (parsed.success) return { answer: parsed.data, gapMs: Math.abs(gapMs) > SAME_MS ? gapMs : 0 }
  throw new RemoteError('refused', `${address.url} did not answer as Mission Control does.`)
}

/** An answer takes a while, and tells whole seconds. */
const SAME_MS = 10_000

export async function textOf(response: Response, { url }: ServerAddress): Promise<string> {
  return (await bytesOf(response, url)).toString('utf8')
}

export async function bytesOf(response: Response, url: string): Promise<Buffer> {
  try {
    return Buffer.from(await response.arrayBuffer())
  } catch (cause) {
    if (cause instanceof OversizedAnswer) throw tooLong(url, cause)
    throw new RemoteError('unreachable', `The answer broke off (${reasonOf(cause)}).`, { cause })
  }
}

const tooLong = (url: string, cause: OversizedAnswer): RemoteError =>
  new RemoteError('refused', `${url} answers without end. ${cause.message}`, { cause })

/** Undefined for what is no JSON. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // No answer of ours; the schema refuses it with its words.
    return undefined
  }
}

const TROUBLES: Readonly<Record<number, RemoteTrouble>> = {
  401: 'unauthorised',
  403: 'unauthorised',
  404: 'gone',
  408: 'unreachable',
  410: 'gone',
  429: 'unreachable',
}

async function refusalOf(response: Response, url: string): Promise<RemoteError> {
  const told = parseJson(await textOf(response, { url }).catch(() => '')) as  // its status says enough
    { readonly error?: { readonly message?: unknown } } | undefined
  const said = told?.error?.message
  const message = typeof said === 'string' ? said.slice(0, 500) : `HTTP ${response.status}`
  const { status } = response
  if (status === 403 && response.headers.has('producer-epoch'))
    return new RemoteError('overtaken', message, { status })
  const trouble = TROUBLES[status] ?? (status >= 500 ? 'unreachable' : 'refused')
  return new RemoteError(trouble, message, { status })
}

/** What lies below `fetch failed`. */
function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause
  return errorText(inner)
}
