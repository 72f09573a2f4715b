/** What the machine of a session last said of itself, and how old that is. */
import type { Query } from '../database/port.ts'
import { defined } from '../../lib/defined.ts'
import type { SessionRow } from './session.ts'

export const STATES = ['idle', 'working', 'input-needed', 'error'] as const
export type State = (typeof STATES)[number]

/** A machine tells of itself every ten seconds; after three that are missing it counts as away. */
export const HEARTBEAT_MS = 10_000
export const STALE_MS = 3 * HEARTBEAT_MS

export type Told = {
  readonly state?: State
  readonly activity?: string
  readonly name?: string
  readonly repository?: string
  readonly steerable?: boolean
  /** Events came along. */
  readonly hasChanged?: boolean
}

export async function hear(
  query: Query,
  { tenant, id }: Pick<SessionRow, 'tenant' | 'id'>,
  { state, activity, name, repository, steerable, hasChanged }: Told,
  now: number,
): Promise<void> {
  await query
    .updateTable('sessions')
    .set({
      heard: now,
      ...defined({ state, activity, name, repository }),
      ...(steerable !== undefined && { steerable: steerable ? 1 : 0 }),
      ...(hasChanged === true && { changed: now }),
    })
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .execute()
}

/** As it is told to a reader; `now` is the server's clock, so that a reader can say how old it is. */
export const presenceOf = (session: SessionRow, now: number) => ({
  state: session.state,
  activity: session.activity,
  heardAt: new Date(session.heard).toISOString(),
  staleAt: new Date(session.heard + STALE_MS).toISOString(),
  isStale: session.heard + STALE_MS <= now,
  now: new Date(now).toISOString(),
})
