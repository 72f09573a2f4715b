/**
 * What can be searched, asked in SQL and reported on: one file for what a team shares, one for each person's own
 * sessions, on this node's own disk. A question opens only files that the asker may read, so that nothing in a query
 * can reach further. They are fed when they are asked, say how far behind they are, and may be lost at any time.
 */
import { parseJson } from '../../lib/limit-depth.ts'
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { setImmediate as giveWay } from 'node:timers/promises'
import { recognise } from '../../format/event.ts'
import { errorText } from '../../lib/error-text.ts'
import { inTurn } from '../../lib/keyed-mutex.ts'
import { openFedStore, type FedStore } from '../../store/server-store.ts'
import type { Database } from '../database/port.ts'
import { peopleOf } from '../people/people.ts'
import type { Asker } from '../people/scopes.ts'
import { pathOf, type SessionRow } from '../sessions/stored-session.ts'
import { eventCounts } from '../sessions/heads.ts'
import { findStream } from '../streams/find.ts'
import { readPage, type Page } from '../streams/read.ts'

/** Whose sessions: one's own, or what is shared with the team. */
export type Audience = 'mine' | 'team'

/** What is not in the store yet. */
export type Behind = { readonly sessions: number; readonly events: number }

export interface Stores extends AsyncDisposable {
  use<T>(
    asker: Pick<Asker, 'tenant' | 'person'>,
    audience: Audience,
    work: (store: FedStore, behind: Behind) => Promise<T>,
  ): Promise<T>
}

/** So long a question waits for what is new; what is left is fed with the next one. */
const PATIENCE_MS = 5000

type StoresOptions = {
  readonly folder: string
  readonly now: () => number
  readonly onTrouble: (message: string) => void
}

export function openStores(db: Database, { folder, now, onTrouble }: StoresOptions): Stores {
  const open = new Map<string, Promise<FedStore>>()
  return {
    async use(asker, audience, work) {
      const name = fileOf(asker, audience)
      const fed = await inTurn(`${folder} ${name}`, async () => {
        const opening = open.get(name) ?? openFedStore(join(folder, name))
        open.set(name, opening)
        const store = await opening.catch((cause: unknown) => {
          // The next question tries again.
          open.delete(name)
          throw cause
        })
        const rows = await rowsOf(db, asker, audience)
        const behind = await feed(db, asker.tenant, store, rows, { now, onTrouble })
        store.name(await peopleOf(db.query, asker.tenant))
        return { store, behind }
      })
      return work(fed.store, fed.behind)
    },
    async [Symbol.asyncDispose]() {
      const opened = await Promise.allSettled(open.values())
      for (const each of opened) if (each.status === 'fulfilled') each.value[Symbol.dispose]()
    },
  }
}

/** No name of a tenant or a person is part of a path. */
const fileOf = ({ tenant, person }: Pick<Asker, 'tenant' | 'person'>, audience: Audience) =>
  `${createHash('sha256')
    .update(JSON.stringify(audience === 'team' ? [tenant] : [tenant, person]))
    .digest('hex')
    .slice(0, 32)}.db`

const rowsOf = (
  db: Database,
  { tenant, person }: Pick<Asker, 'tenant' | 'person'>,
  audience: Audience,
): Promise<SessionRow[]> => {
  const rows = db.query
    .selectFrom('sessions')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('trashed', 'is', null)
  return (
    audience === 'team' ? rows.where('sharing', '=', 'team') : rows.where('person', '=', person)
  ).execute()
}

async function feed(
  db: Database,
  tenant: string,
  store: FedStore,
  rows: readonly SessionRow[],
  { now, onTrouble }: Omit<StoresOptions, 'folder'>,
): Promise<Behind> {
  const places = store.places()
  const wanted = new Set(rows.map(({ id }) => id))
  const gone = [...places.keys()].filter((id) => !wanted.has(id))
  if (gone.length > 0) await store.drop(gone)
  const until = now() + PATIENCE_MS
  const behind = { sessions: 0, events: 0 }
  const counts = await eventCounts(db.query, tenant)
  for (const session of rows) {
    const { id, generation } = session
    const known = places.get(id)
    if (known?.generation === generation && known.seq === counts.get(id)) continue
    const path = pathOf(id, generation)
    const stream = await findStream(db, db.query, { tenant, path }, now())
    if (stream === undefined) continue
    const place = known
    let seq = place?.generation === generation && place.seq <= stream.head ? place.seq : 0
    if (place !== undefined && seq === 0 && place.seq > 0) await store.drop([id])
    while (seq < stream.head && now() < until) {
      const page = await readPage(db.query, stream, seq)
      // Another node of this machine may be at the same file: it has done it then.
      if (page.records.length === 0 || !take(session, page, seq)) break
      seq = page.next
      // SQLite does not give way by itself: who asks something else meanwhile is answered.
      await giveWay()
    }
    if (seq < stream.head) {
      behind.sessions += 1
      behind.events += stream.head - seq
    }
  }
  return behind

  /** One log that cannot be indexed takes no other along: it is behind. */
  function take(session: SessionRow, { records, next }: Page, seq: number): boolean {
    try {
      const events = records.flatMap(({ bytes }) => {
        const found = recognise(parseJson(Buffer.from(bytes).toString()))
        return found.kind === 'damage' ? [] : found.event
      })
      return store.feed(session, { after: seq, to: next }, events)
    } catch (cause) {
      onTrouble(`Session ${session.id} is not in what is searched. (${errorText(cause)})`)
      return false
    }
  }
}
