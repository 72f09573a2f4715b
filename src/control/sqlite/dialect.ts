/** SQLite as the query builder wants it, over the SQLite that Node brings along. */
import { SqliteDialect } from 'kysely'
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'

/** Statements that are prepared and kept; a batch of another size is another statement. */
const KEPT = 200

export function sqliteDialect(db: DatabaseSync): SqliteDialect {
  const kept = new Map<string, Prepared>()
  return new SqliteDialect({
    database: {
      close: () => db.close(),
      prepare(sql) {
        // A full disk has rolled back by itself; what is told of then is the disk.
        if (sql === 'rollback' && !db.isTransaction) return NOTHING
        const found = kept.get(sql)
        if (found !== undefined) return found
        // Another process may write too (`control token create`): who begins, waits, and does not fail halfway.
        const made = prepared(db.prepare(sql === 'begin' ? 'begin immediate' : sql))
        if (kept.size >= KEPT) kept.delete(kept.keys().next().value ?? '')
        kept.set(sql, made)
        return made
      },
    },
  })
}

const NOTHING: Prepared = {
  reader: false,
  all: () => [],
  run: () => ({ changes: 0, lastInsertRowid: 0 }),
  iterate: () => [][Symbol.iterator](),
}

type Prepared = ReturnType<typeof prepared>

const prepared = (statement: StatementSync) => ({
  reader: statement.columns().length > 0,
  all: (values: readonly unknown[]) => statement.all(...(values as SQLInputValue[])),
  run: (values: readonly unknown[]) => statement.run(...(values as SQLInputValue[])),
  iterate: (values: readonly unknown[]) => statement.iterate(...(values as SQLInputValue[])),
})
