/**
 * Everything that a store says, in one order: every table but what the file system was last seen to say, and
 * without the numbers that only tell in which order rows were written.
 */
import { DatabaseSync } from 'node:sqlite'

const SURROGATE = new Set(['id', 'key', 'session_key'])
const SKIPPED =
  /^(?:sqlite_|search_index_|reprise_(?:words|stamps|home|documents)$|schema_version$)/

export type Dump = Readonly<Record<string, readonly string[]>>

/** Throws when FTS finds itself out of step with its rows. */
export function dumpStore(path: string): Dump {
  const db = new DatabaseSync(path)
  try {
    db.exec("INSERT INTO search_index (search_index, rank) VALUES ('integrity-check', 1)")
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
      .all()
      .map(({ name }) => String(name))
      .filter((name) => !SKIPPED.test(name))
    const dump = tables.map((name) => [name, rowsOf(db, `SELECT * FROM ${name}`)] as const)
    const documents = `SELECT c.session_id, d.turn_index, d.source, d.at_ms, d.border, s.session_id AS owner,
        s.source_type, s.source_id, s.content, s.parts
      FROM reprise_documents d
      FULL JOIN search_index s ON s.rowid = d.id
      LEFT JOIN reprise_cursors c ON c.key = d.session_key`
    return { ...Object.fromEntries(dump), documents: rowsOf(db, documents) }
  } finally {
    db.close()
  }
}

/** `sessions.id` is the session's own; every other id is the row's. */
const rowsOf = (db: DatabaseSync, query: string): string[] =>
  db
    .prepare(query)
    .all()
    .map((row) => {
      const isSession = 'cwd' in row
      const entries = Object.entries(row).filter(([name]) => isSession || !SURROGATE.has(name))
      return JSON.stringify(Object.fromEntries(entries))
    })
    .sort()
