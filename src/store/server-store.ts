/**
 * A session store that is fed with events, where no session folders are: of a team, on a server. The same tables, the
 * same search and SQL, and besides one row for each event, and whose session it is on which machine. Where on a
 * machine something was done is left out. Derived and disposable: it says how far it has come, and is fed on from there.
 */
import type { DatabaseSync } from 'node:sqlite'
import { basename, dirname } from 'node:path'
import type { Event, Stranger } from '../format/event.ts'
import type { SessionId } from '../format/ids.ts'
import { openDisk } from '../fs/disk.ts'
import { applyChanges } from './apply.ts'
import { START } from './store-changes.ts'
import type { Connection } from './connection.ts'
import { createFold } from './index-session.ts'
import { mergeDeleted } from './merge.ts'
import { emptyLog, openDatabase } from './open-store.ts'
import { forget, readPlace } from './store-position.ts'
import type { SearchQuery, SearchResult } from './search.ts'
import { sqlOf } from './sql.ts'
import { inTransaction } from './transaction.ts'

type FedSession = {
  readonly id: string
  readonly generation: number
  readonly person: string
  readonly machine: string
  readonly name: string | null
}

/** How far a session is indexed: up to which event of which generation. */
type FedPlace = { readonly generation: number; readonly seq: number }

/** Behind which event these follow, and up to which. */
type Stretch = { readonly after: number; readonly to: number }

export interface FedStore extends Disposable {
  readonly path: string
  /** For reports. */
  readonly connection: Connection
  places(): ReadonlyMap<string, FedPlace>
  /** False: it is elsewhere by now, and nothing was written. */
  feed(session: FedSession, stretch: Stretch, events: readonly (Event | Stranger)[]): boolean
  /** What the people are called by whose sessions these are. */
  name(people: readonly { readonly id: string; readonly name: string }[]): void
  /** No word of them is left in the file. */
  drop(ids: readonly string[]): Promise<void>
  search(query: SearchQuery): Promise<SearchResult>
}

const TABLES = `
CREATE TABLE IF NOT EXISTS events (
  session_id TEXT NOT NULL, seq INTEGER NOT NULL, id TEXT, type TEXT, timestamp TEXT, parent_id TEXT,
  person TEXT, machine TEXT, repository TEXT, branch TEXT, data TEXT, PRIMARY KEY (session_id, seq)
);
CREATE INDEX IF NOT EXISTS events_by_type ON events(type, timestamp);
CREATE TABLE IF NOT EXISTS reprise_fed (
  session_id TEXT PRIMARY KEY, generation INTEGER NOT NULL, seq INTEGER NOT NULL
) WITHOUT ROWID;
`

export async function openFedStore(path: string): Promise<FedStore> {
  const fs = openDisk(dirname(path))
  const name = basename(path)
  const db = await openDatabase({ fs, path: name, native: fs.nativePath(name) })
  const sql = sqlOf(db)
  db.exec(TABLES)
  const columns = sql('SELECT name FROM pragma_table_info(?)').all('sessions')
  for (const column of ['person', 'person_name', 'machine'])
    if (!columns.some((each) => each.name === column))
      db.exec(`ALTER TABLE sessions ADD COLUMN ${column} TEXT`)
  return {
    path: fs.nativePath(name),
    connection: {
      use: async (work) => work(db),
      path: async () => fs.nativePath(name),
      close() {},
    },
    places: () =>
      new Map(
        sql('SELECT session_id AS id, generation, seq FROM reprise_fed')
          .all()
          .map(({ id, generation, seq }) => [
            String(id),
            { generation: Number(generation), seq: Number(seq) },
          ]),
      ),
    feed: (session, stretch, events) =>
      inTransaction(db, () => feedIn(db, session, stretch, events)),
    name(people) {
      const named = sql(
        'UPDATE sessions SET person_name = ?1 WHERE person = ?2 AND person_name IS NOT ?1',
      )
      inTransaction(db, () => {
        for (const { id, name: called } of people) named.run(called, id)
      })
    },
    async drop(ids) {
      inTransaction(db, () => {
        for (const id of ids) dropIn(db, id)
      })
      await mergeDeleted(db)
      emptyLog(db)
    },
    async search(query) {
      const { search } = await import('./search.ts')
      return search(db, query)
    },
    [Symbol.dispose]: () => db.close(),
  }
}

function dropIn(db: DatabaseSync, id: string): void {
  const sql = sqlOf(db)
  forget(sql, id as SessionId)
  for (const table of ['events', 'reprise_fed'])
    sql(`DELETE FROM ${table} WHERE session_id = ?`).run(id)
}

function feedIn(
  db: DatabaseSync,
  session: FedSession,
  { after, to: end }: Stretch,
  events: readonly (Event | Stranger)[],
): boolean {
  const sql = sqlOf(db)
  const { generation, person, machine } = session
  const id = session.id as SessionId
  const there = sql('SELECT generation, seq FROM reprise_fed WHERE session_id = ?').get(id)
  if (there !== undefined && there.generation !== generation) dropIn(db, id)
  else if (Number(there?.seq ?? 0) !== after) return false
  const place = readPlace(sql, id)?.place
  const fold = createFold(place ?? START)
  // Places in the log are numbers of events here: there are no bytes.
  events.forEach((event, at) => fold.push({ event, start: after + at, end: after + at + 1 }))
  const { ops, to } = fold.changes()
  const facts = {
    file: session.name === null ? undefined : { id, name: session.name },
    artifacts: [],
  }
  if (events.length > 0 && to.lastEventId !== null)
    applyChanges(sql, { id, base: place, ops, to }, facts)
  const { repository = null, branch = null } = to.carried
  sql('UPDATE sessions SET cwd = NULL, person = ?, machine = ? WHERE id = ?').run(
    person,
    machine,
    id,
  )
  sql('UPDATE reprise_sessions SET git_root = NULL WHERE session_id = ?').run(id)
  const insert = sql('INSERT OR REPLACE INTO events VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  events.forEach((event, at) => {
    const { id: own, type, timestamp, parentId, data } = event
    const seq = after + at + 1
    const text = JSON.stringify(data)
    const whose = [person, machine, repository, branch] as const
    insert.run(id, seq, own, type, timestamp, parentId, ...whose, text)
  })
  sql('INSERT OR REPLACE INTO reprise_fed VALUES (?, ?, ?)').run(id, generation, end)
  return true
}
