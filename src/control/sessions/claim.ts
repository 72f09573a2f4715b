/**
 * The right to append to a session, given to one machine at a time. Each claim has a higher number than the last, and
 * only the highest is listened to: a machine that was overtaken is told so at its next append. The answer says what the
 * server has, so that the machine goes on from there and never by what it remembers.
 */
import type { Database, Tx } from '../database/port.ts'
import { record } from '../people/audit.ts'
import type { Asker } from '../people/scopes.ts'
import { lastRecord } from '../streams/last-record.ts'
import { beginIn } from './begin.ts'
import { lockOwn, pathOf, producerOf } from './stored-session.ts'

export type Claim = {
  readonly session: string
  readonly producer: string
  readonly epoch: number
  readonly generation: number
  readonly path: string
  readonly head: number
  readonly lastEventId: string | null
}

/** By a machine that asks for it; with `begin`, a session that the server has not heard of is begun. */
export const claimForMachine = (
  db: Database,
  asker: Asker,
  { id, begin }: { readonly id: string; readonly begin: boolean },
  now: number,
): Promise<Claim> =>
  db.transact(async (tx) => {
    if (begin) await beginIn(db, tx, asker, { id }, now)
    const claim = await claimIn(db, tx, asker, id, now)
    await record(tx, asker, { action: 'session.claimed', subject: id }, now)
    return claim
  })

export const claimSession = (db: Database, asker: Asker, id: string, now: number): Promise<Claim> =>
  db.transact((tx) => claimIn(db, tx, asker, id, now))

async function claimIn(
  db: Database,
  tx: Tx,
  asker: Asker,
  id: string,
  now: number,
): Promise<Claim> {
  const session = await lockOwn(db, tx, asker, id, { orWorker: true })
  const epoch = session.epoch + 1
  const producer = producerOf(asker.machine, id)
  const path = pathOf(id, session.generation)
  await tx
    .updateTable('sessions')
    .set({ epoch, machine: asker.machine, heard: now })
    .where('tenant', '=', asker.tenant)
    .where('id', '=', id)
    .execute()
  const stream = await tx
    .updateTable('streams')
    .set({ epoch, holder: producer })
    .where('tenant', '=', asker.tenant)
    .where('path', '=', path)
    .returningAll()
    .executeTakeFirstOrThrow()
  return {
    session: id,
    producer,
    epoch,
    generation: session.generation,
    path,
    head: stream.head,
    lastEventId: (await lastRecord(tx, stream)).lastEventId,
  }
}
