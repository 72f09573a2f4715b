/**
 * An identity provider on loopback: it knows one person, whoever asks, and holds to the protocol. Its ID token has the
 * subject alone; the rest is told to who asks for it with the access token, as far as the scopes go.
 */
import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

export type Claims = Readonly<Record<string, unknown>> & { readonly sub: string }

export type IdentityProvider = AsyncDisposable & {
  readonly issuer: string
  /** Who signs in from now on. */
  claims: Claims
}

const base64url = (value: object | string): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url')

export async function startIdentityProvider(first: Claims): Promise<IdentityProvider> {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const codes = new Map<
    string,
    { challenge: string; nonce: string; client: string; scope: string }
  >()
  const scopes: Readonly<Record<string, string>> = {
    name: 'profile',
    email: 'email',
    groups: 'groups',
  }
  const grants = new Map<string, string>()
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '/', provider.issuer)
    const asked = url.searchParams
    const json = (value: object, status = 200) => {
      response.writeHead(status, { 'content-type': 'application/json' })
      response.end(JSON.stringify(value))
    }
    if (url.pathname === '/.well-known/openid-configuration')
      return json({
        issuer: provider.issuer,
        authorization_endpoint: `${provider.issuer}/authorize`,
        token_endpoint: `${provider.issuer}/token`,
        userinfo_endpoint: `${provider.issuer}/me`,
        scopes_supported: ['openid', ...Object.values(scopes)],
        jwks_uri: `${provider.issuer}/jwks`,
        response_types_supported: ['code'],
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256'],
        code_challenge_methods_supported: ['S256'],
      })
    if (url.pathname === '/jwks')
      return json({ keys: [{ ...publicKey.export({ format: 'jwk' }), alg: 'RS256', kid: 'k' }] })
    if (url.pathname === '/authorize') {
      const code = randomUUID()
      const text = (name: string) => asked.get(name) ?? ''
      codes.set(code, {
        challenge: text('code_challenge'),
        nonce: text('nonce'),
        client: text('client_id'),
        scope: text('scope'),
      })
      const back = new URL(text('redirect_uri'))
      back.searchParams.set('code', code)
      back.searchParams.set('state', text('state'))
      response.writeHead(302, { location: back.href })
      return response.end()
    }
    if (url.pathname === '/me') {
      const scope = grants.get(request.headers.authorization?.slice('Bearer '.length) ?? '')
      if (scope === undefined) return json({ error: 'invalid_token' }, 401)
      const told = Object.entries(provider.claims).filter(
        ([claim]) => claim === 'sub' || scope.split(' ').includes(scopes[claim] ?? claim),
      )
      return json(Object.fromEntries(told))
    }
    const basic = `Basic ${Buffer.from('reprise:between+us').toString('base64')}`
    if (request.headers.authorization !== basic) return json({ error: 'invalid_client' }, 401)
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const body = new URLSearchParams(Buffer.concat(chunks).toString())
    const found = codes.get(body.get('code') ?? '')
    codes.delete(body.get('code') ?? '')
    const proof = createHash('sha256')
      .update(body.get('code_verifier') ?? '')
      .digest('base64url')
    if (found?.challenge !== proof) return json({ error: 'invalid_grant' }, 400)
    const now = Math.floor(Date.now() / 1000)
    const head = base64url({ alg: 'RS256', kid: 'k' })
    const claims = base64url({
      iss: provider.issuer,
      aud: found.client,
      nonce: found.nonce,
      iat: now,
      exp: now + 300,
      sub: provider.claims.sub,
    })
    const signature = sign('sha256', Buffer.from(`${head}.${claims}`), privateKey)
    const access = randomUUID()
    grants.set(access, found.scope)
    return json({
      access_token: access,
      token_type: 'bearer',
      id_token: `${head}.${claims}.${signature.toString('base64url')}`,
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const provider: IdentityProvider = {
    issuer: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    claims: first,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  return provider
}
