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
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  type Configuration,
  type IDToken,
} from 'openid-client'
import { ControlError } from '../control-error.ts'
import type { Database, Query } from '../database/port.ts'
import type { Row } from '../database/tables.ts'
import { errorText } from '../../lib/error-text.ts'
import { isLoopback } from '../../lib/listen-http.ts'
import { addPerson, findPerson } from './people.ts'
import { hashOf, newSecret } from './secret.ts'

const LOGIN_MS = 10 * 60 * 1000

type OidcOptions = {
  readonly issuer: string
  readonly clientId: string
  readonly clientSecret: string | undefined
  readonly tenant: string
  /** Who has this claim may join; without it only those who are known come in. */
  readonly join?: { readonly claim: string; readonly value: string } | undefined
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
        scope: 'openid profile email',
        state,
        nonce: begun.nonce,
        code_challenge: await calculatePKCECodeChallenge(begun.verifier),
        code_challenge_method: 'S256',
      })
      return { location: location.href, state }
    },
    async finish(db, { url, state }, now) {
      const { verifier, nonce, userCode } = await taken(db.query, state, now)
      const claims = await claimsOf(await configured(), url, { verifier, nonce, state })
      const person = await db.transact((tx) => personOf(tx, options, claims, now))
      return { person, userCode }
    },
  }
}

async function discover({ issuer, clientId, clientSecret }: OidcOptions): Promise<Configuration> {
  const server = new URL(issuer)
  const isHere = server.protocol === 'http:' && isLoopback(server.hostname)
  try {
    return await discovery(server, clientId, clientSecret, undefined, {
      execute: isHere ? [allowInsecureRequests] : [],
    })
  } catch (cause) {
    throw new ControlError(
      'unavailable',
      `The identity provider ${issuer} does not answer as one (${errorText(cause)}). Nothing was changed; try again.`,
      { cause },
    )
  }
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

async function claimsOf(
  config: Configuration,
  url: URL,
  { verifier, nonce, state }: Pick<Begun, 'verifier' | 'nonce'> & { readonly state: string },
): Promise<IDToken> {
  try {
    const tokens = await authorizationCodeGrant(config, url, {
      pkceCodeVerifier: verifier,
      expectedState: state,
      expectedNonce: nonce,
      idTokenExpected: true,
    })
    const claims = tokens.claims()
    if (claims === undefined) throw new Error('no identity was given')
    return claims
  } catch (cause) {
    throw new ControlError(
      'unauthorized',
      `The identity provider did not confirm this sign-in (${errorText(cause)}). Nothing was changed.`,
      { cause },
    )
  }
}

async function personOf(
  tx: Query,
  { tenant, join }: OidcOptions,
  claims: IDToken,
  now: number,
): Promise<Row<'people'>> {
  const { iss: issuer, sub: subject } = claims
  const known = await tx
    .selectFrom('identities')
    .select('person')
    .where('tenant', '=', tenant)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  const person = known && (await findPerson(tx, tenant, known.person))
  if (person !== undefined) return person
  if (known !== undefined)
    throw new ControlError('forbidden', 'This person has left the team. Nothing was changed.')
  if (join === undefined || !holds(claims[join.claim], join.value))
    throw new ControlError(
      'forbidden',
      'The identity provider knows you; this team does not. Ask its owner to let you join. Nothing was changed.',
    )
  const made = await addPerson(tx, { tenant, name: nameIn(claims), role: 'member' }, now)
  await tx
    .insertInto('identities')
    .values({ tenant, issuer, subject, person: made.id, made: now })
    .execute()
  return made
}

const holds = (claim: unknown, value: string): boolean =>
  Array.isArray(claim) ? claim.includes(value) : claim === value

const nameIn = ({ name, preferred_username: user, email, sub }: IDToken): string =>
  [name, user, email].find((each) => typeof each === 'string' && each !== '')?.toString() ?? sub
