/** Tokens: one for each machine or program of a person, with its own scopes, its end and its last use. */
import type { Query } from '../database/port.ts'
import type { Row } from '../database/tables.ts'
import { ControlError } from '../control-error.ts'
import { findPerson } from './people.ts'
import { allowed, isRole, scopesIn, type Asker, type Scope } from './scopes.ts'
import { hashOf, isSameHash, newId, newSecret } from './secret.ts'

type TokenWish = {
  readonly tenant: string
  readonly person: string
  readonly name: string
  readonly machine?: string
  readonly scopes: readonly Scope[]
  readonly ends?: number
  /** For a guest: the one session that it opens. */
  readonly session?: string
}

/** The text is told once; nothing can make it again. */
export async function createToken(
  query: Query,
  wish: TokenWish,
  now: number,
): Promise<{ readonly text: string; readonly token: Row<'tokens'> }> {
  const person = await findPerson(query, wish.tenant, wish.person)
  if (person === undefined)
    throw new ControlError('not_found', 'There is no such person. No token was made.')
  const most = isRole(person.role) ? allowed[person.role] : []
  const beyond = wish.scopes.filter((scope) => !most.includes(scope))
  if (beyond.length > 0)
    throw new ControlError(
      'forbidden',
      `A ${person.role} cannot have: ${beyond.join(', ')}. No token was made.`,
    )
  const secret = newSecret()
  const token = {
    tenant: wish.tenant,
    id: newId(),
    person: wish.person,
    name: wish.name,
    machine: wish.machine ?? null,
    scopes: wish.scopes.join(),
    hash: hashOf(secret),
    made: now,
    ends: wish.ends ?? null,
    used: null,
    revoked: null,
    session: wish.session ?? null,
  }
  await query.insertInto('tokens').values(token).execute()
  return { text: tokenText({ ...token, secret }), token }
}

/** So that a scanner of secrets knows one. */
const PREFIX = 'reprise_'
export const tokenText = ({
  tenant,
  id,
  secret,
}: {
  readonly tenant: string
  readonly id: string
  readonly secret: string
}): string => `${PREFIX}${tenant}.${id}.${secret}`

const TOKEN = /^reprise_([\w-]+)\.(\w+)\.([\w-]{43})$/

/** Whose it says to be; whether it is, only their database knows. */
export const tenantIn = (text: string): string | undefined => TOKEN.exec(text)?.[1]

/** Undefined when it is none, has ended, was revoked, or its person has left. */
export async function askerOf(query: Query, text: string, now: number): Promise<Asker | undefined> {
  const [, tenant = '', id = '', secret = ''] = TOKEN.exec(text) ?? []
  if (secret === '') return undefined
  const row = await query
    .selectFrom('tokens')
    .innerJoin('people', (join) =>
      join.onRef('people.tenant', '=', 'tokens.tenant').onRef('people.id', '=', 'tokens.person'),
    )
    .select(['tokens.hash', 'tokens.ends', 'tokens.revoked', 'tokens.scopes', 'tokens.machine'])
    .select([
      'tokens.session',
      'tokens.name',
      'tokens.used',
      'people.role',
      'people.id as person',
      'people.ended',
    ])
    .where('tokens.tenant', '=', tenant)
    .where('tokens.id', '=', id)
    .executeTakeFirst()
  if (row === undefined || !isSameHash(row.hash, hashOf(secret))) return undefined
  if (row.revoked !== null || row.ended !== null || (row.ends !== null && row.ends <= now))
    return undefined
  if (!isRole(row.role)) return undefined
  const most = allowed[row.role]
  if (row.used === null || now - row.used > USED_MS)
    // A database that is full can still be read: who asks is known without it.
    await noteUse(query, tenant, id, now).catch(() => undefined)
  const scopes = (scopesIn(row.scopes) ?? []).filter((scope) => most.includes(scope))
  // Not the person who made the link: nothing of theirs is the guest's.
  if (row.session !== null)
    return {
      tenant,
      person: `guest ${id}`,
      role: 'viewer',
      token: id,
      machine: 'guest',
      scopes: ['watch'],
      guestOf: row.session,
    }
  return {
    tenant,
    person: row.person,
    role: row.role,
    token: id,
    machine: row.machine ?? row.name,
    scopes,
  }
}

/** The last use is told to the minute: not every request writes. */
const USED_MS = 60_000

async function noteUse(query: Query, tenant: string, id: string, now: number): Promise<void> {
  await query
    .updateTable('tokens')
    .set({ used: now })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .execute()
}

/** Without their hashes. */
export const tokensOf = (query: Query, tenant: string) =>
  query
    .selectFrom('tokens')
    .select(['id', 'person', 'name', 'machine', 'scopes', 'session', 'made', 'ends', 'used'])
    .select('revoked')
    .where('tenant', '=', tenant)
    .orderBy('made')
    .execute()

/** Null: it does not end by itself. */
export async function endOf(
  query: Query,
  { tenant, id }: { readonly tenant: string; readonly id: string },
): Promise<number | null> {
  const row = await query
    .selectFrom('tokens')
    .select('ends')
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.ends ?? null
}

/** False when there is none. */
export async function revokeToken(
  query: Query,
  { tenant, id }: { readonly tenant: string; readonly id: string },
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('tokens')
    .set({ revoked: now })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('revoked', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
