/**
 * Brings a database to the schema of this version, one small step after the other, all or none. A database
 * of a later version is not touched.
 */
import type { DatabaseSync } from 'node:sqlite'
import { OWN_TABLES, SEARCH_TABLES, SESSION_TABLES, VECTOR_TABLE } from './schema.ts'

type Migration = (db: DatabaseSync) => void

/** In order; the number of a step is its place, from 1. A step that was released is never changed.
 * The third: what made an agent go on by itself is no turn of a person, so all is read again; the sixth: what an agent
 * thought is found too. */
const migrations: readonly Migration[] = [
  createTables,
  tellCopiesAndFailures,
  dropDerived,
  addVectors,
  tellStops,
  dropDerived,
  tellTakenBack,
]

export const SCHEMA_VERSION = migrations.length

/** In the header of the file: tells our databases from those of other programs. "RPRS". */
export const APPLICATION_ID = 0x52505253

export class LaterSchema extends Error {
  override readonly name = 'LaterSchema'
}

/** True when there was something to do. */
export function migrate(db: DatabaseSync): boolean {
  if (versionOf(db) === SCHEMA_VERSION) return false
  db.exec('BEGIN IMMEDIATE')
  try {
    // Another process may have done it while this one waited.
    const version = refuseLater(db)
    for (const step of migrations.slice(version)) step(db)
    db.exec('DELETE FROM schema_version')
    db.prepare('INSERT INTO schema_version (version) VALUES (?)').run(SCHEMA_VERSION)
    db.exec('COMMIT')
    return version < SCHEMA_VERSION
  } catch (cause) {
    if (db.isTransaction) db.exec('ROLLBACK')
    throw cause
  }
}

/** The version, if it is none of a later one. */
export function refuseLater(db: DatabaseSync): number {
  const version = versionOf(db)
  if (version <= SCHEMA_VERSION) return version
  throw new LaterSchema(
    `The session store was written by a later version (schema ${version}, here ${SCHEMA_VERSION}). It was left untouched.`,
  )
}

export function versionOf(db: DatabaseSync): number {
  const table = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_version'").get()
  if (table === undefined) return 0
  const row = db.prepare('SELECT max(version) AS version FROM schema_version').get()
  return Number(row?.version ?? 0)
}

function createTables(db: DatabaseSync): void {
  db.exec('CREATE TABLE schema_version (version INTEGER NOT NULL)')
  db.exec(SESSION_TABLES)
  createSearch(db)
  db.exec(OWN_TABLES)
}

/**
 * What a fork has copied is found in the session that it was copied from; a turn says why it failed; dollars are no
 * premium requests. What was indexed before knew less of it, and is read again.
 */
function tellCopiesAndFailures(db: DatabaseSync): void {
  db.exec('CREATE INDEX reprise_turns_event ON reprise_turns(event_id)')
  db.exec('ALTER TABLE reprise_turns ADD COLUMN failure TEXT')
  db.exec('ALTER TABLE assistant_usage_events ADD COLUMN dollars REAL')
  dropDerived(db)
}

/** What sessions mean, for those who have named a model for it. */
function addVectors(db: DatabaseSync): void {
  db.exec(VECTOR_TABLE)
}

/** A turn says that a person stopped it. What was indexed before did not know, and is read again. */
function tellStops(db: DatabaseSync): void {
  db.exec('ALTER TABLE reprise_turns ADD COLUMN stopped INTEGER')
  dropDerived(db)
}

/** What turns used that were taken back stays: by the event that began the turn, empty where that is not known. */
function tellTakenBack(db: DatabaseSync): void {
  db.exec('ALTER TABLE assistant_usage_events ADD COLUMN taken_back TEXT')
  db.exec(
    'CREATE INDEX reprise_taken_back ON assistant_usage_events(taken_back) WHERE taken_back IS NOT NULL',
  )
  dropDerived(db)
}

/** The context board is not made from logs, and stays. */
export function dropDerived(db: DatabaseSync): void {
  emptySearch(db)
  for (const table of DERIVED) db.exec(`DELETE FROM ${table}`)
}

/** Each before what it refers to. */
const DERIVED = [
  'reprise_documents',
  'reprise_artifacts',
  'reprise_tool_calls',
  'reprise_turns',
  'reprise_sessions',
  'reprise_cursors',
  'reprise_stamps',
  'reprise_home',
  'assistant_usage_events',
  'session_refs',
  'session_files',
  'checkpoints',
  'turns',
  'sessions',
]

function createSearch(db: DatabaseSync): void {
  db.exec(SEARCH_TABLES)
  // What one transaction adds is sorted in memory and written once, up to this many bytes.
  db.exec(`INSERT INTO search_index (search_index, rank) VALUES ('hashsize', ${32 * 1024 * 1024})`)
}

/** FTS would take out every word of every row by itself. */
function emptySearch(db: DatabaseSync): void {
  db.exec('DROP TABLE reprise_words; DROP TABLE search_index')
  createSearch(db)
}
