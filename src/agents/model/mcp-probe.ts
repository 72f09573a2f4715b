/** Asks a tool server whether it wants a token, without opening a session with it. */
import { errorText } from '../../lib/error-text.ts'
import type { McpServer, Probed } from './config.ts'
import { refusalOf, toolFetch, withCredentials, type Credentials } from './mcp-fetch.ts'

const PATIENCE_MS = 10_000

export async function probe(
  { url, headers }: Extract<McpServer, { readonly url: string }>,
  credentials: Credentials,
): Promise<Probed> {
  const init = {
    method: 'POST',
    headers: {
      ...headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: '{"jsonrpc":"2.0","id":0,"method":"ping"}',
    signal: AbortSignal.timeout(PATIENCE_MS),
  }
  try {
    const answer = await toolFetch(url, withCredentials(init, credentials))
    const { status } = answer
    const refusal = await refusalOf(answer)
    const { httpResponse } = refusal
    if (status === 401) {
      const reason = credentials.token === undefined ? 'initial' : 'refresh'
      return { status: 'needs-auth', reason, ...refusal }
    }
    if (status >= 500) return { status: 'failed', error: `It answers ${status}.`, httpResponse }
    const isKnown = credentials.token !== undefined
    return { status: isKnown ? 'authenticated' : 'no-auth-required', httpResponse }
  } catch (error) {
    return { status: 'failed', error: errorText(error) }
  }
}
