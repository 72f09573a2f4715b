/** Who besides its person may steer a session, and with which kinds of command. Given by its person, taken back at any time. */
import { isKind, type Kind } from '../commands/kinds.ts'
import { ControlError } from '../control-error.ts'
import type { Database, Query } from '../database/port.ts'
import { record } from '../people/audit.ts'
import { findPerson } from '../people/people.ts'
import type { Asker } from '../people/scopes.ts'
import { moved } from './moved.ts'
import { isOwn, lockOwn, readable, type SessionRow } from './stored-session.ts'

type Grant = { readonly person: string; readonly kinds: readonly Kind[] }

/** Without kinds it is taken back. */
export const grantSteering = (
  db: Database,
  asker: Asker,
  { id, person, kinds }: Grant & { readonly id: string },
  now: number,
): Promise<readonly Grant[]> =>
  db.transact(async (tx) => {
    const { tenant } = asker
    await lockOwn(db, tx, asker, id)
    if ((await findPerson(tx, tenant, person)) === undefined)
      throw new ControlError('not_found', 'There is no such person. Nothing was granted.')
    await tx
      .deleteFrom('grants')
      .where('tenant', '=', tenant)
      .where('session', '=', id)
      .where('person', '=', person)
      .execute()
    if (kinds.length > 0)
      await tx
        .insertInto('grants')
        .values({ tenant, session: id, person, kinds: kinds.join(), made: now })
        .execute()
    await tx
      .updateTable('sessions')
      .set((row) => moved(row, now))
      .where('tenant', '=', tenant)
      .where('id', '=', id)
      .execute()
    const action = kinds.length > 0 ? 'session.granted' : 'session.grant_ended'
    await record(tx, asker, { action, subject: `${id} ${person} ${kinds.join()}`.trim() }, now)
    return grantsOf(tx, { tenant, id })
  })

export async function grantsOf(
  query: Query,
  { tenant, id }: Pick<SessionRow, 'tenant' | 'id'>,
): Promise<readonly Grant[]> {
  const rows = await query
    .selectFrom('grants')
    .select(['person', 'kinds'])
    .where('tenant', '=', tenant)
    .where('session', '=', id)
    .orderBy('made')
    .execute()
  return rows.map(({ person, kinds }) => ({ person, kinds: kinds.split(',').filter(isKind) }))
}

/** What the asker may want done there; all kinds for its own person. One that may not be seen is not there. */
export async function steerable(
  query: Query,
  asker: Asker,
  id: string,
): Promise<{ readonly session: SessionRow; readonly kinds: readonly Kind[] | 'all' }> {
  const session = await readable(query, asker, id)
  if (isOwn(asker, session)) return { session, kinds: 'all' }
  const grant = (await grantsOf(query, session)).find(({ person }) => person === asker.person)
  return { session, kinds: grant?.kinds ?? [] }
}
