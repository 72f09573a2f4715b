/**
 * A guest: a person with the link of one session sees it, redacted, until the link ends by itself or by hand. The link
 * opens a token that is made with it, so that ending the token ends the link, used or not.
 */
import type { Transaction } from 'kysely'
import { ControlError } from '../control-error.ts'
import type { Database } from '../database/port.ts'
import type { Tables } from '../database/tables.ts'
import { record } from './audit.ts'
import type { Asker } from './scopes.ts'
import { hashOf, newSecret } from './secret.ts'
import { createToken, tokenText } from './tokens.ts'

/** The caller has seen that the session is the asker's. */
export const makeGuestLink = (
  db: Database,
  asker: Asker,
  { session, ms }: { readonly session: string; readonly ms: number },
  now: number,
): Promise<{ readonly id: string; readonly code: string; readonly ends: number }> =>
  db.transact(async (tx) => {
    const { tenant, person } = asker
    const ends = now + ms
    const wish = { tenant, person, name: 'guest', scopes: ['watch'] as const, session, ends }
    const { token } = await createToken(tx, wish, now)
    const code = newSecret()
    await tx
      .insertInto('logins')
      .values({
        hash: hashOf(code),
        kind: 'guest',
        user_code: null,
        tenant,
        person,
        role: null,
        name: 'guest',
        machine: null,
        scopes: 'watch',
        state: 'waiting',
        ends,
        token: token.id,
      })
      .execute()
    await record(tx, asker, { action: 'guest.invited', subject: `${session} ${token.id}` }, now)
    return { id: token.id, code, ends }
  })

/** Its secret is made now, and told once. */
export async function openGuest(
  tx: Transaction<Tables>,
  { tenant, id }: { readonly tenant: string; readonly id: string },
): Promise<{ readonly token: string; readonly tenant: string; readonly session: string }> {
  const secret = newSecret()
  const row = await tx
    .updateTable('tokens')
    .set({ hash: hashOf(secret) })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('revoked', 'is', null)
    .returning('session')
    .executeTakeFirst()
  if (row === undefined || row.session === null)
    throw new ControlError('unauthorized', 'This link has ended.')
  return { token: tokenText({ tenant, id, secret }), tenant, session: row.session }
}
