/**
 * A rewind: a new generation, forked where the log was cut. The one before it takes no more events and names its
 * successor; nothing is deleted, so a redo is a further generation, forked from the end of the removed one.
 */
import { defined } from '../../lib/defined.ts'
import type { Database } from '../database/port.ts'
import { ControlError } from '../control-error.ts'
import type { Asker } from '../people/scopes.ts'
import { createIn, type Created } from '../streams/create.ts'
import { findStream, lockStream } from '../streams/find.ts'
import { EVENTS_TYPE } from './begin.ts'
import { lockOwn, pathOf } from './stored-session.ts'

type RewindWish = {
  readonly session: string
  /** The new one. */
  readonly generation: number
  /** Which it is forked from, and behind which record. */
  readonly from: number
  readonly head?: number
  /** The producer of the claim. */
  readonly producer: string
  readonly epoch: number
}

type Rewound = Created | { readonly kind: 'stale'; readonly epoch: number }

export const addGeneration = (
  db: Database,
  asker: Asker,
  wish: RewindWish,
  now: number,
): Promise<Rewound> =>
  db.transact(async (tx) => {
    const { tenant } = asker
    const session = await lockOwn(db, tx, asker, wish.session, { orWorker: true })
    const current = await lockStream(db, tx, {
      tenant,
      path: pathOf(session.id, session.generation),
    })
    if (current === undefined) return { kind: 'missing_source' as const }
    if (wish.epoch !== session.epoch || wish.producer !== current.holder)
      return { kind: 'stale' as const, epoch: session.epoch }
    const path = pathOf(session.id, wish.generation)
    const isRepeated = (await findStream(db, tx, { tenant, path }, now)) !== undefined
    if (!isRepeated && wish.generation !== session.generation + 1)
      throw new ControlError(
        'conflict',
        `The next generation of this session is ${session.generation + 1}. Nothing was changed.`,
      )
    const made = await createIn(
      db,
      tx,
      {
        tenant,
        path,
        type: EVENTS_TYPE,
        close: false,
        records: [],
        fork: {
          path: pathOf(session.id, wish.from),
          part: 0,
          ...defined({ head: wish.head }),
        },
        session: {
          session: session.id,
          generation: wish.generation,
          epoch: session.epoch,
          holder: wish.producer,
        },
      },
      now,
    )
    if (made.kind !== 'created') return made
    await tx
      .updateTable('streams')
      .set({ closed: 1, successor: path })
      .where('tenant', '=', tenant)
      .where('id', '=', current.id)
      .execute()
    await tx
      .updateTable('sessions')
      .set({ generation: wish.generation, changed: now, heard: now })
      .where('tenant', '=', tenant)
      .where('id', '=', session.id)
      .execute()
    return made
  })
