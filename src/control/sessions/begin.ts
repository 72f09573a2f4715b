/** The first a server hears of a session: its row, and the stream of its first generation. */
import type { Database, Query, Tx } from '../database/port.ts'
import { ControlError } from '../control-error.ts'
import { isSessionId } from '../../format/ids.ts'
import type { Asker } from '../people/scopes.ts'
import { settingsOf } from '../people/tenant-settings.ts'
import { defined } from '../../lib/defined.ts'
import { createIn, type Fork } from '../streams/create.ts'
import type { Stream } from '../streams/append-decision.ts'
import { worksOn } from '../tasks/workers.ts'
import { isOwn, pathOf, type SessionRow } from './stored-session.ts'
import { refuseDeleted, takenName } from './trash.ts'

export const EVENTS_TYPE = 'application/json'

type Begun = {
  readonly isNew: boolean
  readonly session: SessionRow
  readonly stream: Stream
}

type BeginWish = { readonly id: string; readonly repository?: string; readonly fork?: Fork }

export const beginSession = (
  db: Database,
  asker: Asker,
  wish: BeginWish,
  now: number,
): Promise<Begun> => db.transact((tx) => beginIn(db, tx, asker, wish, now))

/** In a transaction that goes on. Does nothing when it was begun before. */
export async function beginIn(
  db: Database,
  tx: Tx,
  asker: Asker,
  wish: BeginWish,
  now: number,
): Promise<Begun> {
  // It becomes part of paths here, and on every machine that takes the session over.
  if (!isSessionId(wish.id))
    throw new ControlError('invalid', 'This is no id of a session. Nothing was made.')
  const session: SessionRow = {
    tenant: asker.tenant,
    id: wish.id,
    person: asker.person,
    machine: asker.machine,
    sharing: 'private',
    generation: 0,
    epoch: 0,
    name: null,
    repository: wish.repository ?? null,
    state: 'idle',
    activity: null,
    steerable: 0,
    heard: now,
    made: now,
    changed: now,
    rev: 0,
    moved: now,
    trashed: null,
    pinned: 0,
    branch: null,
    summary: null,
  }
  await refuseDeleted(tx, asker, wish.id)
  await refuseMore(tx, asker.tenant, wish.id)
  await tx
    .insertInto('sessions')
    .values(session)
    .onConflict((on) => on.doNothing())
    .execute()
  const there = await tx
    .selectFrom('sessions')
    .selectAll()
    .where('tenant', '=', asker.tenant)
    .where('id', '=', wish.id)
    .executeTakeFirstOrThrow()
  if (!isOwn(asker, there) && !(await worksOn(tx, asker, wish.id))) throw takenName()
  if (there.trashed !== null)
    throw new ControlError(
      'gone',
      'This session is in the trash of the server. Nothing was changed; POST /api/sessions/{id}/restore brings it back.',
    )
  const made = await createIn(
    db,
    tx,
    {
      tenant: asker.tenant,
      path: pathOf(wish.id, 0),
      type: EVENTS_TYPE,
      close: false,
      records: [],
      ...defined({ fork: wish.fork }),
      session: { session: wish.id, generation: 0, epoch: 0, holder: null },
    },
    now,
  )
  if ('stream' in made)
    return { isNew: made.kind === 'created', session: there, stream: made.stream }
  if (made.kind !== 'conflict')
    throw new ControlError('not_found', 'There is no such place to fork from. Nothing was made.')
  // It was rewound since: its first generation is closed, and it is there all the same.
  const stream = await tx
    .selectFrom('streams')
    .selectAll()
    .where('tenant', '=', asker.tenant)
    .where('path', '=', pathOf(wish.id, 0))
    .executeTakeFirstOrThrow()
  return { isNew: false, session: there, stream }
}

/** A session that is there goes on, whatever the limit. */
async function refuseMore(query: Query, tenant: string, id: string): Promise<void> {
  const { sessions: most } = await settingsOf(query, tenant)
  if (most === undefined) return
  const { count } = await query
    .selectFrom('sessions')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('tenant', '=', tenant)
    .where('id', '!=', id)
    .executeTakeFirstOrThrow()
  if (Number(count) >= most)
    throw new ControlError(
      'slow_down',
      `This tenant may keep ${most} sessions, and has them. Nothing was made; delete some, or raise the limit.`,
    )
}
