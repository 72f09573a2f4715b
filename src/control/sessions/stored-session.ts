/** A session as the server knows it, and who may see it. */
import type { Database, Query } from '../database/port.ts'
import type { Row } from '../database/tables.ts'
import { ControlError } from '../control-error.ts'
import type { Asker } from '../people/scopes.ts'
import { worksOn } from '../tasks/workers.ts'

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

function mayRead({ person, tenant, guestOf }: Asker, session: SessionRow): boolean {
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
  if (found?.trashed === null && (await worksOn(query, asker, id))) return found
  throw missing()
}

export async function own(query: Query, asker: Asker, id: string): Promise<SessionRow> {
  const found = await readable(query, asker, id)
  if (isOwn(asker, found) || (await worksOn(query, asker, id))) return found
  throw new ControlError('forbidden', 'This session is another person’s. Nothing was changed.')
}

/** Locked until the transaction ends. `orWorker`: also for the worker that has its task. */
export async function lockOwn(
  db: Database,
  tx: Query,
  asker: Asker,
  id: string,
  {
    isTrashed = false,
    orWorker = false,
  }: { readonly isTrashed?: boolean | 'either'; readonly orWorker?: boolean } = {},
): Promise<SessionRow> {
  const found = await db.locked(byId(tx, asker.tenant, id)).executeTakeFirst()
  const isWorker =
    orWorker && found !== undefined && !isOwn(asker, found) && (await worksOn(tx, asker, id))
  if (found === undefined || !(isWorker || mayRead(asker, { ...found, trashed: null })))
    throw missing()
  if (isTrashed !== 'either' && isTrashed !== (found.trashed !== null)) throw missing()
  if (isWorker || isOwn(asker, found)) return found
  throw new ControlError('forbidden', 'This session is another person’s. Nothing was changed.')
}

const missing = () => new ControlError('not_found', 'There is no such session.')
