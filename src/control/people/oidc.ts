/**
 * People who come in by an identity provider. Their browser proves there who they are; here they are found by what the
 * provider calls them for good (issuer and subject), never by a name or an address that may change hands. Who is not
 * known yet joins when a configured claim says so.
 */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  ClientSecretPost,
  customFetch,
  discovery,
  fetchUserInfo,
  None,
  randomNonce,
  randomPKCECodeVerifier,
  type ClientAuth,
  type Configuration,
  type IDToken,
  type ServerMetadata,
} from 'openid-client'
import { ControlError } from '../control-error.ts'
import type { Database, Query } from '../database/port.ts'
import type { Row } from '../database/tables.ts'
import { errorText } from '../../lib/error-text.ts'
import { guardedFetch, refusedIn } from '../../lib/guarded-fetch.ts'
import { isLoopback } from '../../lib/listen-http.ts'
import { joined, knownPerson, type JoinRule } from './identities.ts'
import { hashOf, newSecret } from './secret.ts'

const LOGIN_MS = 10 * 60 * 1000
/** Of what a provider says: keys, claims, itself. */
const guarded = guardedFetch({ mostBytes: 2 * 1024 * 1024 })

type OidcOptions = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly tenant: string
  /** Who has this claim may join; without it only those who are known come in. */
  readonly join?: JoinRule | undefined
}

export interface Oidc {
  readonly issuer: string
  /** Where the browser goes, and the state that it has to bring back. */
  begin(
    db: Database,
    wish: { readonly redirectUri: string; readonly userCode: string },
    now: number,
  ): Promise<{ readonly location: string; readonly state: string }>
  /** Who came back, and for which machine. Each state is taken once. */
  finish(
    db: Database,
    came: { readonly url: URL; readonly state: string },
    now: number,
  ): Promise<{ readonly person: Row<'people'>; readonly userCode: string }>
}

type Begun = { readonly verifier: string; readonly nonce: string; readonly userCode: string }

/** The provider is asked at the first login: a server starts without it. */
export function openOidc(options: OidcOptions): Oidc {
  let found: Promise<Configuration> | undefined
  const configured = (): Promise<Configuration> => {
    found ??= discover(options)
    // It may be away now and there later.
    found.catch(() => (found = undefined))
    return found
  }
  return {
    issuer: options.issuer,
    async begin(db, { redirectUri, userCode }, now) {
      const config = await configured()
      const state = newSecret()
      const begun: Begun = { verifier: randomPKCECodeVerifier(), nonce: randomNonce(), userCode }
      await db.query
        .insertInto('logins')
        .values({
          hash: hashOf(state),
          kind: 'oidc',
          tenant: options.tenant,
          name: JSON.stringify(begun),
          user_code: null,
          person: null,
          role: null,
          machine: null,
          scopes: '',
          state: 'waiting',
          ends: now + LOGIN_MS,
        })
        .execute()
      const location = buildAuthorizationUrl(config, {
        redirect_uri: redirectUri,
        scope: scopeOf(config.serverMetadata(), options),
        state,
        nonce: begun.nonce,
        code_challenge: await calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
      })
      return { location: location.href, state }
    },
    async finish(db, { url, state }, now) {
      const { verifier, nonce, userCode } = await taken(db.query, state, now)
      const config = await configured()
      const { claims, accessToken } = await signedIn(config, url, { verifier, nonce, state })
      const known = await knownPerson(db.query, options.tenant, claims)
      if (known !== undefined) return { person: known, userCode }
      const told = await userInfo(config, accessToken, claims)
      const person = await db.transact((tx) => joined(tx, options, told, now))
      return { person, userCode }
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcOptions): Promise<Configuration> {
  const server = new URL(issuer)
  const isHere = server.protocol === 'http:' && isLoopback(server.hostname)
  try {
    return await discovery(server, clientId, undefined, clientAuth(clientSecret), {
      execute: isHere ? [allowInsecureRequests] : [],
      // Kept for every later request, too.
      [customFetch]: (url, asked) => guarded(url, asked as RequestInit),
    })
  } catch (cause) {
    throw new ControlError(
      'unavailable',
      `The identity provider ${issuer} does not answer as one (${errorText(refusedIn(cause) ?? cause)}). Nothing was changed; try again.`,
      { cause },
    )
  }
}

/** In the way that every provider has (RFC 6749, 2.3.1), unless it says that it has only the other. */
function clientAuth(secret: string | undefined): ClientAuth {
  if (secret === undefined) return None()
  const basic = ClientSecretBasic(secret)
  const post = ClientSecretPost(secret)
  return (server, client, body, headers) => {
    const ways = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic']
    const proves = ways.includes('client_secret_basic') ? basic : post
    proves(server, client, body, headers)
  }
}

/** A claim by which people join is often behind a scope of its own name, which is asked for where there is one. */
function scopeOf({ scopes_supported: known = [] }: ServerMetadata, { join }: OidcOptions): string {
  const usual = ['openid', 'profile', 'email']
  const own = known.filter((scope) => scope === join?.claim && !usual.includes(scope))
  return [...usual, ...own].join(' ')
}

async function taken(query: Query, state: string, now: number): Promise<Begun> {
  const row = await query
    .deleteFrom('logins')
    .where('hash', '=', hashOf(state))
    .where('kind', '=', 'oidc')
    .where('ends', '>', now)
    .returning('name')
    .executeTakeFirst()
  if (row !== undefined) return JSON.parse(row.name) as Begun
  throw new ControlError('expired', 'This sign-in has ended or was used before. Begin again.')
}

async function signedIn(
  config: Configuration,
  url: URL,
  { verifier, nonce, state }: Pick<Begun, 'verifier' | 'nonce'> & { readonly state: string },
): Promise<{ readonly claims: IDToken; readonly accessToken: string }> {
  return confirmed(async () => {
    const tokens = await authorizationCodeGrant(config, url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new Error('no identity was given')
    return { claims, accessToken: tokens.access_token }
  })
}

/** Names and groups stand in the ID token at some providers; by the protocol they are asked for (OpenID Core, 5.4). */
async function userInfo(
  config: Configuration,
  accessToken: string,
  claims: IDToken,
): Promise<IDToken> {
  if (config.serverMetadata().userinfo_endpoint === undefined) return claims
  const told = await confirmed(() => fetchUserInfo(config, accessToken, claims.sub))
  return { ...told, ...claims }
}

async function confirmed<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (cause) {
    throw new ControlError(
      'unauthorized',
      `The identity provider did not confirm this sign-in (${errorText(refusedIn(cause) ?? cause)}). Nothing was changed.`,
      { cause },
    )
  }
}
