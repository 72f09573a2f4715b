/** What the machine of a session last said of itself, and how old that is. */
import type { Query } from '../database/port.ts'
import { defined } from '../../lib/defined.ts'
import { moved } from './moved.ts'
import type { SessionRow } from './stored-session.ts'

export const STATES = ['idle', 'working', 'input-needed', 'error'] as const
type State = (typeof STATES)[number]

/** A machine tells of itself every ten seconds; after three that are missing it counts as away. */
const HEARTBEAT_MS = 10_000
const STALE_MS = 3 * HEARTBEAT_MS

type Told = {
  readonly state?: State
  readonly activity?: string
  readonly name?: string
  readonly repository?: string
  readonly branch?: string
  readonly summary?: string
  readonly steerable?: boolean
  /** Events came along. */
  readonly hasChanged?: boolean
}

/** True when something is other than before: a heartbeat that says the same wakes nobody. */
export async function hear(
  query: Query,
  before: Pick<SessionRow, 'tenant' | 'id'> & Partial<SessionRow>,
  { steerable, hasChanged, ...words }: Told,
  now: number,
): Promise<boolean> {
  const told = {
    ...defined(words),
    ...(steerable !== undefined && { steerable: steerable ? 1 : 0 }),
    ...(hasChanged === true && { changed: now }),
  }
  const isNews = Object.entries(told).some(
    ([field, value]) => before[field as keyof SessionRow] !== value,
  )
  await query
    .updateTable('sessions')
    .set((row) => ({ heard: now, ...told, ...(isNews && moved(row, now)) }))
    .where('tenant', '=', before.tenant)
    .where('id', '=', before.id)
    .execute()
  return isNews
}

/** As it is told; `now` is the server's clock, so that a reader can say how old what it sees is. */
export const presenceOf = (session: SessionRow, now: number) => ({
  state: session.state,
  activity: session.activity,
  heardAt: new Date(session.heard).toISOString(),
  staleAt: new Date(session.heard + STALE_MS).toISOString(),
  isStale: session.heard + STALE_MS <= now,
  ageMs: Math.max(0, now - session.heard),
  now: new Date(now).toISOString(),
})

/** Its task is over: lists that say where something can be done do not offer it. */
export const takeNoMore = (
  query: Query,
  { tenant, id }: Pick<SessionRow, 'tenant' | 'id'>,
  now: number,
) =>
  query
    .updateTable('sessions')
    .set((row) => ({ steerable: 0, ...moved(row, now) }))
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .execute()
