/**
 * Limits a query to one repository, without a right more for the query. Before the authorizer is set, the worker
 * lays a temporary view over each table, under the table's own name, so that `turns` means the turns of this
 * repository. Only these views may then read the tables themselves: SQLite tells the authorizer through which view
 * a read comes. A common table expression can take any name and looks like a view there, so the view that reads has
 * a name that nobody can guess and that is used for one query only.
 *
 * Full text search works through the views: SQLite flattens them, and MATCH, bm25() and snippet() see the real table.
 *
 * A scope narrows what comes back, and the caller may ask wider. It is no wall between people: SQLite may test a
 * condition of the query on a row before it drops the row.
 */
import { randomUUID } from 'node:crypto'
import type { DatabaseSync } from 'node:sqlite'
import { STORE_TABLES } from './allowed.ts'

export interface Scope {
  /** The tables that a scoped query can read. */
  readonly tables: ReadonlySet<string>
  isOurView(name: string): boolean
}

export function layScope(db: DatabaseSync, repository: string): Scope {
  const prefix = `only_${randomUUID().replaceAll('-', '')}_`
  const ours = `SELECT id FROM main.sessions WHERE repository = ${literal(repository)}`
  const tables = new Set<string>()
  for (const table of STORE_TABLES) {
    const columns = columnsOf(db, table)
    const condition = columns.includes('session_id')
      ? `session_id IN (${ours})`
      : columns.includes('repository')
        ? `repository = ${literal(repository)}`
        : undefined
    if (condition === undefined) continue
    const list = columns.map(identifier).join(', ')
    const inner = identifier(prefix + table)
    db.exec(
      `CREATE TEMP VIEW ${inner} AS SELECT ${list} FROM main.${identifier(table)} WHERE ${condition};
       CREATE TEMP VIEW ${identifier(table)} AS SELECT ${list} FROM temp.${inner};`,
    )
    tables.add(table)
  }
  return { tables, isOurView: (name) => name.startsWith(prefix) }
}

/** With the hidden ones: full text search is asked through a column that has the table's name. */
function columnsOf(db: DatabaseSync, table: string): string[] {
  return db
    .prepare("SELECT name FROM pragma_table_xinfo(?, 'main')")
    .all(table)
    .map(({ name }) => String(name))
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
const identifier = (name: string) => `"${name.replaceAll('"', '""')}"`
