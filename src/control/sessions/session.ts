/** A session as the server knows it, and who may see it. */
import type { Database, Query } from '../database/port.ts'
import type { Row } from '../database/tables.ts'
import { ControlError } from '../control-error.ts'
import type { Asker } from '../people/scopes.ts'

export type SessionRow = Row<'sessions'>

export const SHARINGS = ['private', 'team'] as const
export type Sharing = (typeof SHARINGS)[number]

export const pathOf = (session: string, generation: number): string => `s/${session}/${generation}`

const PATH = /^s\/([^/]+)\/(0|[1-9]\d{0,8})$/

/** Undefined when the path is not one of a session's stream. */
export function sessionIn(
  path: string,
): { readonly id: string; readonly generation: number } | undefined {
  const [, id, generation] = PATH.exec(path) ?? []
  return id === undefined ? undefined : { id, generation: Number(generation) }
}

/** Who appends: one machine, for one session. */
export const producerOf = (machine: string, session: string): string => `${machine}/${session}`

export function mayRead({ person, tenant, guestOf }: Asker, session: SessionRow): boolean {
  if (session.tenant !== tenant || session.trashed !== null) return false
  if (guestOf !== undefined) return session.id === guestOf
  return session.person === person || session.sharing === 'team'
}

export const isOwn = ({ person, tenant }: Asker, session: SessionRow): boolean =>
  session.tenant === tenant && session.person === person

const byId = (query: Query, tenant: string, id: string) =>
  query.selectFrom('sessions').selectAll().where('tenant', '=', tenant).where('id', '=', id)

/** One that the asker may not see is answered like one that is not there. */
export async function readable(query: Query, asker: Asker, id: string): Promise<SessionRow> {
  const found = await byId(query, asker.tenant, id).executeTakeFirst()
  if (found !== undefined && mayRead(asker, found)) return found
  throw missing()
}

export async function own(query: Query, asker: Asker, id: string): Promise<SessionRow> {
  const found = await readable(query, asker, id)
  if (isOwn(asker, found)) return found
  throw new ControlError('forbidden', 'This session is another person’s. Nothing was changed.')
}

/** Locked until the transaction ends. */
export async function lockOwn(
  db: Database,
  tx: Query,
  asker: Asker,
  id: string,
  { isTrashed = false }: { readonly isTrashed?: boolean | 'either' } = {},
): Promise<SessionRow> {
  const found = await db.locked(byId(tx, asker.tenant, id)).executeTakeFirst()
  if (found === undefined || !mayRead(asker, { ...found, trashed: null })) throw missing()
  if (isTrashed !== 'either' && isTrashed !== (found.trashed !== null)) throw missing()
  if (isOwn(asker, found)) return found
  throw new ControlError('forbidden', 'This session is another person’s. Nothing was changed.')
}

const missing = () => new ControlError('not_found', 'There is no such session.')

/** What the asker may see, the last changed first. */
export const sessionsOf = (
  query: Query,
  { tenant, person, guestOf }: Asker,
  limit: number,
): Promise<SessionRow[]> =>
  query
    .selectFrom('sessions')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('trashed', 'is', null)
    .where((is) =>
      guestOf === undefined
        ? is.or([is('person', '=', person), is('sharing', '=', 'team')])
        : is('id', '=', guestOf),
    )
    .orderBy('changed', 'desc')
    .limit(limit)
    .execute()
