/** PostgreSQL as the query builder wants it, over the driver `postgres`. */
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import type { ReservedSql, Sql } from 'postgres'

export const postgresDialect = (sql: Sql): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driverOf(sql),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
})

class Connection implements DatabaseConnection {
  readonly reserved: ReservedSql

  constructor(reserved: ReservedSql) {
    this.reserved = reserved
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const rows = await this.reserved.unsafe(sql, parameters as never[], { prepare: true })
    return { rows: [...rows] as R[], numAffectedRows: BigInt(rows.count ?? 0) }
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are read in pages here, not as a stream.')
  }
}

function driverOf(sql: Sql): Driver {
  const say = async (connection: DatabaseConnection, words: string) => {
    await (connection as Connection).reserved.unsafe(words)
  }
  return {
    async init() {},
    acquireConnection: async () => new Connection(await sql.reserve()),
    beginTransaction: (connection) => say(connection, 'begin'),
    commitTransaction: (connection) => say(connection, 'commit'),
    rollbackTransaction: (connection) => say(connection, 'rollback'),
    releaseConnection: async (connection) => (connection as Connection).reserved.release(),
    async destroy() {},
  }
}
