/** The statements of one connection, each prepared once and found again by its text. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'

export type Sql = (text: string) => StatementSync

const known = new WeakMap<DatabaseSync, Sql>()

export function sqlOf(db: DatabaseSync): Sql {
  let sql = known.get(db)
  if (sql === undefined) known.set(db, (sql = prepareOnce(db)))
  return sql
}

function prepareOnce(db: DatabaseSync): Sql {
  const statements = new Map<string, StatementSync>()
  return (text) => {
    let statement = statements.get(text)
    if (statement === undefined) statements.set(text, (statement = db.prepare(text)))
    return statement
  }
}
