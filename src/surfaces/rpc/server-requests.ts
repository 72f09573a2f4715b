/**
 * What tool servers want of the programs of a session: a token, fresh headers, an answer of the model. Those that said
 * that they can give it are asked; the first answer counts, and where nobody can, the server is refused at once. For
 * a server that a program brought, that program alone is asked for what it is signed in with.
 */
import type {
  FreshHeaders,
  Refused,
  Sampling,
  ServerRequests,
  WantedHeaders,
} from '../../agents/model/config.ts'
import type { SessionId } from '../../format/ids.ts'
import { deferred } from '../../lib/deferred.ts'
import { isInterested, type Client } from './client.ts'
import type { Members } from './subscribers.ts'
import type { Told } from './wire.ts'

type Fields = Readonly<Record<string, unknown>>

export interface PendingServerRequests extends ServerRequests {
  /** Each is false when it was answered, or given up, before. Undefined: there is none to give. */
  giveToken(from: Client, requestId: string, token: string | undefined): boolean
  giveHeaders(from: Client, requestId: string, headers: FreshHeaders | undefined): boolean
  giveSample(requestId: string, answer: Fields | undefined): boolean
}

type Asking = {
  readonly ms?: number
  readonly signal?: AbortSignal
  /** Only the client that brought what is marked so; undefined: everybody. */
  readonly by?: symbol | undefined
}
type Waiting = {
  readonly resolve: (given: never) => void
  readonly isMeant: (client: Client) => boolean
}

/** Longer than a person takes to sign in, and than a program to fetch headers. */
const LOGIN_MS = 10 * 60_000
const HEADERS_MS = 30_000

export function createServerRequests(
  sessionId: SessionId,
  members: Members,
  tell: (notice: Told, to?: Client) => void,
  showsPages: () => boolean,
): PendingServerRequests {
  const waiting = new Map<string, Waiting>()

  function asked<T>(
    event: string,
    data: object,
    { ms, signal, by }: Asking = {},
  ): Promise<T | undefined> | undefined {
    const only = by && members.whoBrought({ by })
    const isMeant = (client: Client) => by === undefined || client === only
    if (!members.some(({ client }) => isMeant(client) && isInterested(client, sessionId, event)))
      return undefined
    const requestId = crypto.randomUUID()
    const { promise, resolve } = deferred<T | undefined>()
    waiting.set(requestId, { resolve: resolve as Waiting['resolve'], isMeant })
    const giveUp = () => void given(requestId, undefined)
    const timer = ms === undefined ? undefined : setTimeout(giveUp, ms)
    timer?.unref()
    signal?.addEventListener('abort', giveUp, { once: true })
    tell({ type: event, data: { requestId, ...data } }, only)
    return promise.finally(() => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', giveUp)
    })
  }

  function given(requestId: string, answer: unknown, from?: Client): boolean {
    const asking = waiting.get(requestId)
    if (asking === undefined || (from !== undefined && !asking.isMeant(from))) return false
    waiting.delete(requestId)
    asking.resolve(answer as never)
    return true
  }
  const told = (type: string, requestId: string, outcome: string, isThere: boolean): boolean => {
    if (isThere) tell({ type, data: { requestId, outcome } })
    return isThere
  }

  return {
    get showsPages() {
      return showsPages()
    },
    authorise: async ({ by, ...refused }: Refused) =>
      asked<string>('mcp.oauth_required', refused, { ms: LOGIN_MS, by }),
    headers: async ({ by, ...wanted }: WantedHeaders) =>
      asked<FreshHeaders>('mcp.headers_refresh_required', wanted, { ms: HEADERS_MS, by }),
    async sample({ serverName, mcpRequestId, request }: Sampling, signal) {
      const data = { serverName, mcpRequestId, request }
      const answer = await asked<Fields>('sampling.requested', data, { signal })
      if (answer === undefined) throw new Error('Nobody allowed an answer of the model.')
      return answer
    },
    giveToken: (from, requestId, token) =>
      told(
        'mcp.oauth_completed',
        requestId,
        token === undefined ? 'cancelled' : 'token',
        given(requestId, token, from),
      ),
    giveHeaders: (from, requestId, headers) =>
      told(
        'mcp.headers_refresh_completed',
        requestId,
        headers === undefined ? 'none' : 'headers',
        given(requestId, headers, from),
      ),
    giveSample(requestId, answer) {
      const isThere = given(requestId, answer)
      if (isThere) tell({ type: 'sampling.completed', data: { requestId } })
      return isThere
    },
  }
}
