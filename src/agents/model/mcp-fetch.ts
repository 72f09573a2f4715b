/**
 * Requests to a tool server that is reached over HTTP: with headers that are good for a while, and with a token where the
 * server wants one. Both come from people or programs, and are kept in memory alone.
 */
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import { guardedFetch } from '../../lib/guarded-fetch.ts'
import type { FreshHeaders, ServerRequests } from './config.ts'

export type Credentials = {
  /** Who is asked for them; undefined: everybody. */
  by?: symbol | undefined
  token?: string | undefined
  headers?: FreshHeaders & { readonly untilMs: number }
  /** The server refused us for want of a token. */
  isRefused?: boolean
}

/** A picture that a tool gives is one event. */
export const toolFetch = guardedFetch({ mostBytes: 32 * 1024 * 1024 })

type Fetch = (input: string | URL, init?: RequestInit) => Promise<Response>

export function credentialFetch(
  serverName: string,
  serverUrl: string,
  credentials: Credentials,
  requests: () => ServerRequests,
): Fetch {
  let asking: Promise<boolean> | undefined
  const at = () => ({ serverName, serverUrl, by: credentials.by })

  async function freshHeaders(reason: 'startup' | 'ttl-expired' | 'auth-failed'): Promise<boolean> {
    const found = await requests().headers?.({ ...at(), reason })
    if (found === undefined) return false
    const untilMs = found.ttlMs === undefined ? Infinity : Date.now() + found.ttlMs
    credentials.headers = { ...found, untilMs }
    return true
  }

  /** Several requests may be refused at once: people are asked once. */
  async function betterCredentials(refused: Response): Promise<boolean> {
    const { promise, resolve } = deferred<boolean>()
    if (asking !== undefined) return asking
    asking = promise
    try {
      const isBetter =
        (await freshHeaders('auth-failed')) || (await newToken(await refusalOf(refused)))
      resolve(isBetter)
      return isBetter
    } catch (error) {
      resolve(false)
      throw error
    } finally {
      asking = undefined
    }
  }

  async function newToken(refusal: Refusal): Promise<boolean> {
    const reason = credentials.token === undefined ? 'initial' : 'reauth'
    const token = await requests().authorise?.({ ...at(), reason, ...refusal })
    if (token === undefined) return false
    credentials.token = token
    return true
  }

  return async (input, init) => {
    const { headers } = credentials
    if (headers === undefined) await freshHeaders('startup')
    else if (headers.untilMs <= Date.now()) await freshHeaders('ttl-expired')
    const answer = await toolFetch(input, withCredentials(init, credentials))
    credentials.isRefused = answer.status === 401
    if (!credentials.isRefused || !(await betterCredentials(answer.clone()))) return answer
    await answer.body?.cancel()
    const again = await toolFetch(input, withCredentials(init, credentials))
    credentials.isRefused = again.status === 401
    return again
  }
}

export function withCredentials(
  init: RequestInit = {},
  { token, headers }: Credentials,
): RequestInit {
  const all = new Headers(init.headers)
  for (const [name, value] of Object.entries(headers?.headers ?? {})) all.set(name, value)
  if (token !== undefined) all.set('authorization', `Bearer ${token}`)
  return { ...init, headers: all }
}

type Refusal = Awaited<ReturnType<typeof refusalOf>>

const MOST_BODY = 4096

/** What a person or a program must know to get a token. */
export async function refusalOf(answer: Response) {
  const { extractWWWAuthenticateParams } = await import('@modelcontextprotocol/sdk/client/auth.js')
  const { resourceMetadataUrl, scope, error } = extractWWWAuthenticateParams(answer)
  return {
    httpResponse: {
      statusCode: answer.status,
      headers: Array.from(answer.headers, ([name, value]) => ({ name, value })),
      body: (await answer.text()).slice(0, MOST_BODY),
    },
    wwwAuthenticateParams: defined({
      resourceMetadataUrl: resourceMetadataUrl?.href,
      scope,
      error,
    }),
  }
}
