/** The board as the store has it: a copy to be queried, which takes the file's place when that cannot be read. */
import type { BoardEntry } from './board-file.ts'
import { StoreUnavailable, type Connection } from './connection.ts'
import { sqlOf, type Sql } from './sql.ts'
import { inTransaction } from './transaction.ts'

/** `otherwise` when there is no store to ask. */
export const copyIn = (connection: Connection, at: string, otherwise: readonly BoardEntry[]) =>
  connection
    .use((db): readonly BoardEntry[] => readTable(sqlOf(db), at))
    .catch(unlessUnavailable(otherwise))

/** Without a store the file is enough: the next change, or doctor, brings the copy up to it. */
export const copyTo = (connection: Connection, entries: readonly BoardEntry[]): Promise<void> =>
  connection
    .use((db) => inTransaction(db, () => writeTable(sqlOf(db), entries)))
    .catch(unlessUnavailable(undefined))

const unlessUnavailable =
  <T>(otherwise: T) =>
  (cause: unknown): T => {
    if (cause instanceof StoreUnavailable) return otherwise
    throw cause
  }

const COLUMNS = 'repository, branch, src, name, description, content, read_count, count'

/** The table has no times: what is taken from it counts as put there now. */
export function readTable(sql: Sql, at: string): BoardEntry[] {
  const rows = sql(
    `SELECT repository, branch, src, name, coalesce(description, '') AS description,
       coalesce(content, '') AS content, read_count AS readCount, count
     FROM dynamic_context_items ORDER BY rowid`,
  ).all() as Omit<BoardEntry, 'addedAt' | 'changedAt' | 'sessions'>[]
  return rows.map((row) => ({ ...row, addedAt: at, changedAt: at }))
}

function writeTable(sql: Sql, entries: readonly BoardEntry[]): void {
  sql('DELETE FROM dynamic_context_items').run()
  const insert = sql(
    `INSERT INTO dynamic_context_items (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
  )
  for (const { repository, branch, src, name, ...rest } of entries) {
    const { description, content, readCount, count } = rest
    insert.run(repository, branch, src, name, description, content, readCount, count)
  }
}
