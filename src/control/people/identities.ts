/**
 * Who is meant here by what an identity provider says: the person of that issuer and subject, or a new one where a
 * claim lets them join.
 */
import { ControlError } from '../control-error.ts'
import type { Query } from '../database/port.ts'
import type { Row } from '../database/tables.ts'
import { addPerson, findPerson } from './people.ts'

/** Who has this claim, alone or in a list, joins. */
export type JoinRule = { readonly claim: string; readonly value: string }

type Claims = {
  readonly iss: string
  readonly sub: string
  readonly [claim: string]: unknown
}

export async function knownPerson(
  query: Query,
  tenant: string,
  { iss: issuer, sub: subject }: Claims,
): Promise<Row<'people'> | undefined> {
  const known = await query
    .selectFrom('identities')
    .select('person')
    .where('tenant', '=', tenant)
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  if (known === undefined) return undefined
  const person = await findPerson(query, tenant, known.person)
  if (person !== undefined) return person
  throw new ControlError('forbidden', 'This person has left the team. Nothing was changed.')
}

/** Two browsers of one new person may come back at once. */
export async function joined(
  tx: Query,
  { tenant, join }: { readonly tenant: string; readonly join?: JoinRule | undefined },
  claims: Claims,
  now: number,
): Promise<Row<'people'>> {
  const known = await knownPerson(tx, tenant, claims)
  if (known !== undefined) return known
  if (join === undefined || !holds(claims[join.claim], join.value))
    throw new ControlError(
      'forbidden',
      'The identity provider knows you; this team does not. Ask its owner to let you join. Nothing was changed.',
    )
  const made = await addPerson(tx, { tenant, name: nameIn(claims), role: 'member' }, now)
  await tx
    .insertInto('identities')
    .values({ tenant, issuer: claims.iss, subject: claims.sub, person: made.id, made: now })
    .execute()
  return made
}

const holds = (claim: unknown, value: string): boolean =>
  [claim].flat().some((each) => typeof each !== 'object' && String(each) === value)

const nameIn = ({ name, preferred_username: user, email, sub }: Claims): string =>
  [name, user, email].find((each) => typeof each === 'string' && each !== '')?.toString() ?? sub
