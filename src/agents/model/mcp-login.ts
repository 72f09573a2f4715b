/**
 * Signs in with a tool server by OAuth: the person opens an address, the server of the tool server sends them back to a
 * port of this machine, and what comes is a token, kept in memory alone.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js'
import type { OAuthClientInformationMixed } from '@modelcontextprotocol/sdk/shared/auth.js'
import { deferred } from '../../lib/deferred.ts'
import { defined } from '../../lib/defined.ts'
import type { LoginWish } from './config.ts'
import { toolFetch } from './mcp-fetch.ts'

type Login = {
  /** To be opened by the person; undefined when none had to be asked. */
  readonly authorizationUrl?: string
  readonly token: Promise<string>
}

const PATIENCE_MS = 10 * 60_000

export async function login(serverUrl: string, wish: LoginWish): Promise<Login> {
  const { auth } = await import('@modelcontextprotocol/sdk/client/auth.js')
  if (wish.grantType === 'client_credentials') return withoutPerson(serverUrl, wish)
  const { promise: code, resolve, reject } = deferred<string>()
  const state = crypto.randomUUID()
  const landing = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://127.0.0.1')
    const given = url.searchParams.get('code')
    if (url.pathname !== '/callback' || url.searchParams.get('state') !== state) {
      response.writeHead(404).end()
      return
    }
    const text = wish.successMessage ?? 'You are signed in. You can close this window.'
    response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(given === null ? 'The sign-in was refused.' : text)
    if (given === null) reject(new Error(url.searchParams.get('error') ?? 'it was refused'))
    else resolve(given)
  })
  await new Promise<void>((listening) => landing.listen(0, '127.0.0.1', () => listening()))
  const { port } = landing.address() as AddressInfo
  const timer = setTimeout(
    () => reject(new Error('nobody signed in within ten minutes')),
    PATIENCE_MS,
  )
  timer.unref()
  landing.unref()
  const provider = providerFor(`http://127.0.0.1:${port}/callback`, state, wish)
  const end = () => {
    clearTimeout(timer)
    landing.close()
    landing.closeAllConnections()
  }
  try {
    await auth(provider.port, { serverUrl, fetchFn: toolFetch })
  } catch (error) {
    end()
    throw error
  }
  const token = code
    .then(async (authorizationCode) => {
      await auth(provider.port, { serverUrl, authorizationCode, fetchFn: toolFetch })
      return provider.token()
    })
    .finally(end)
  return { token, ...defined({ authorizationUrl: provider.address() }) }
}

async function withoutPerson(serverUrl: string, wish: LoginWish): Promise<Login> {
  const [{ auth }, { ClientCredentialsProvider }] = await Promise.all([
    import('@modelcontextprotocol/sdk/client/auth.js'),
    import('@modelcontextprotocol/sdk/client/auth-extensions.js'),
  ])
  const provider = new ClientCredentialsProvider({
    clientId: wish.clientId ?? '',
    clientSecret: wish.clientSecret ?? '',
  })
  await auth(provider, { serverUrl, fetchFn: toolFetch })
  const token = provider.tokens()?.access_token
  if (token === undefined) throw new Error('the server gave no token')
  return { token: Promise.resolve(token) }
}

function providerFor(redirectUrl: string, state: string, wish: LoginWish) {
  const { clientId: client_id, clientSecret: client_secret } = wish
  let information: OAuthClientInformationMixed | undefined =
    client_id === undefined ? undefined : { client_id, ...defined({ client_secret }) }
  let tokens: { access_token: string; token_type: string } | undefined
  let verifier = ''
  let address: string | undefined
  const port: OAuthClientProvider = {
    redirectUrl,
    clientMetadata: {
      client_name: wish.clientName ?? 'Reprise',
      redirect_uris: [redirectUrl],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: client_secret === undefined ? 'none' : 'client_secret_post',
    },
    state: () => state,
    clientInformation: () => information,
    saveClientInformation(given) {
      information = given
    },
    tokens: () => tokens,
    saveTokens(given) {
      tokens = given
    },
    redirectToAuthorization(url) {
      address = url.href
    },
    saveCodeVerifier(given) {
      verifier = given
    },
    codeVerifier: () => verifier,
  }
  return {
    port,
    address: () => address,
    token(): string {
      if (tokens === undefined) throw new Error('the server gave no token')
      return tokens.access_token
    },
  }
}
