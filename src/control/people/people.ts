/** Tenants and the people in them. */
import type { Query } from '../database/port.ts'
import type { Row } from '../database/tables.ts'
import type { Role } from './scopes.ts'
import { newId } from './secret.ts'

export const tenantsOf = (query: Query): Promise<Row<'tenants'>[]> =>
  query.selectFrom('tenants').selectAll().orderBy('id').execute()

export async function addTenant(
  query: Query,
  { id, name }: { readonly id: string; readonly name: string },
  now: number,
): Promise<void> {
  await query
    .insertInto('tenants')
    .values({ id, name, made: now })
    .onConflict((on) => on.doNothing())
    .execute()
}

export async function addPerson(
  query: Query,
  { tenant, name, role }: { readonly tenant: string; readonly name: string; readonly role: Role },
  now: number,
): Promise<Row<'people'>> {
  const person = { tenant, id: newId(), name, role, made: now, ended: null }
  await query.insertInto('people').values(person).execute()
  return person
}

export const peopleOf = (query: Query, tenant: string): Promise<Row<'people'>[]> =>
  query.selectFrom('people').selectAll().where('tenant', '=', tenant).orderBy('made').execute()

/** Undefined when there is none, or they have left. */
export async function findPerson(
  query: Query,
  tenant: string,
  id: string,
): Promise<Row<'people'> | undefined> {
  const found = await query
    .selectFrom('people')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .executeTakeFirst()
  return found?.ended === null ? found : undefined
}

/** False when there is nobody of that id, or they have left. */
export async function renamePerson(
  query: Query,
  { tenant, id, name }: { readonly tenant: string; readonly id: string; readonly name: string },
): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('people')
    .set({ name })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('ended', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Their tokens are of no use from the next request on. False when there is nobody of that id. */
export async function endPerson(
  query: Query,
  { tenant, id }: { readonly tenant: string; readonly id: string },
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('people')
    .set({ ended: now })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .where('ended', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
