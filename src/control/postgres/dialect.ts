/**
 * PostgreSQL as the query builder wants it. Who has a connection has it alone until it is given back, so that no
 * statement of a transaction ever runs on another one: when it breaks the transaction fails as a whole.
 */
import {
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import type { Line, Lines } from './advisory-lock.ts'

export const postgresDialect = (lines: Lines): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driverOf(lines),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
})

class Connection implements DatabaseConnection {
  readonly line: Line

  constructor(line: Line) {
    this.line = line
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const rows = await this.line.ask(sql, parameters.map(withoutNul))
    return { rows: [...rows] as R[], numAffectedRows: BigInt(rows.count ?? 0) }
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are read in pages here, not as a stream.')
  }
}

/** Its text has no NUL; lines of events that have one are bytes. A name that has one is seen to have had it. */
const withoutNul = (value: unknown): unknown =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value

const lineOf = (connection: DatabaseConnection): Line => (connection as Connection).line

const driverOf = (lines: Lines): Driver => ({
  async init() {},
  acquireConnection: async () => new Connection(await lines.take()),
  beginTransaction: async (connection) => void (await lineOf(connection).ask('begin', [])),
  commitTransaction: async (connection) => void (await lineOf(connection).ask('commit', [])),
  async rollbackTransaction(connection) {
    // A broken connection has rolled back by itself.
    if (!lineOf(connection).isBroken()) await lineOf(connection).ask('rollback', [])
  },
  releaseConnection: async (connection) => lines.give(lineOf(connection)),
  async destroy() {},
})
