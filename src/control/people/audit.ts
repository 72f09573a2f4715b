/** Who did what to whom, for as long as the tenant is there. Never content. */
import type { Query } from '../database/port.ts'
import type { Asker } from './scopes.ts'
import { newId } from './secret.ts'

type Action =
  | 'session.deleted'
  | 'session.trashed'
  | 'session.restored'
  | 'tenant.changed'
  | 'session.shared'
  | 'session.claimed'
  | 'session.granted'
  | 'session.grant_ended'
  | 'command.queued'
  | 'task.started'
  | 'task.cancelled'
  | 'guest.invited'
  | 'person.invited'
  | 'login.approved'
  | 'login.refused'
  | 'token.created'
  | 'token.revoked'
  | 'person.added'
  | 'person.ended'
  | 'person.renamed'

export async function record(
  query: Query,
  { tenant, person, token }: Pick<Asker, 'tenant' | 'person' | 'token'>,
  what: { readonly action: Action; readonly subject: string },
  now: number,
): Promise<void> {
  await query
    .insertInto('audit')
    .values({ tenant, at: now, id: newId(), person, token, ...what })
    .execute()
}

/** The newest first. */
export const auditOf = (query: Query, tenant: string, limit: number) =>
  query
    .selectFrom('audit')
    .select(['at', 'person', 'token', 'action', 'subject'])
    .where('tenant', '=', tenant)
    .orderBy('at', 'desc')
    .orderBy('id')
    .limit(limit)
    .execute()
