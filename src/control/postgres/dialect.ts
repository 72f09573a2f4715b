/**
 * PostgreSQL as the query builder wants it, over the driver `postgres`. A transaction is one of the driver's own: when
 * its connection breaks it fails as a whole, and no statement of it ever runs on another connection.
 */
import { PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import type { CompiledQuery, DatabaseConnection, Dialect, Driver, QueryResult } from 'kysely'
import postgres from 'postgres'
import type { Sql, TransactionSql } from 'postgres'
import { deferred } from '../../lib/deferred.ts'

export const postgresDialect = (sql: Sql): Dialect => ({
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => driverOf(sql),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresQueryCompiler(),
})

/**
 * `end` says how the transaction ends; `ended` resolves when it has, and rejects at once when its connection breaks.
 * From then on the driver is asked for nothing more in it: it would write to a socket that is gone, and take the whole
 * process along.
 */
type Open = {
  readonly tx: TransactionSql
  readonly end: (rollback?: Error) => void
  readonly ended: Promise<unknown>
  isBroken: boolean
}

class Connection implements DatabaseConnection {
  readonly #sql: Sql
  #open: Open | undefined

  constructor(sql: Sql) {
    this.#sql = sql
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const rows = await this.#ask((on) => on.unsafe(sql, parameters as never[], { prepare: true }))
    return { rows: [...rows] as R[], numAffectedRows: BigInt(rows.count ?? 0) }
  }

  async #ask<T>(statement: (on: Sql | TransactionSql) => Promise<T>): Promise<T> {
    const open = this.#open
    if (open === undefined) return statement(this.#sql)
    if (open.isBroken) throw lost()
    try {
      return await Promise.race([statement(open.tx), brokenBy(open.ended)])
    } catch (cause) {
      // What the database itself refuses leaves the connection whole.
      if (!(cause instanceof postgres.PostgresError)) open.isBroken = true
      throw cause
    }
  }

  // oxlint-disable-next-line require-yield
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Rows are read in pages here, not as a stream.')
  }

  async begin(): Promise<void> {
    const begun = deferred<TransactionSql>()
    const over = deferred<void>()
    const ended = this.#sql.begin((tx) => {
      begun.resolve(tx)
      return over.promise
    })
    ended.catch((cause: unknown) => {
      begun.reject(cause)
      if (this.#open?.ended === ended) this.#open.isBroken = true
    })
    const tx = await begun.promise
    const end = (rollback?: Error) =>
      rollback === undefined ? over.resolve() : over.reject(rollback)
    this.#open = { tx, end, ended, isBroken: false }
  }

  async commit(): Promise<void> {
    const open = this.#open
    if (open?.isBroken === true) throw lost()
    this.#open = undefined
    open?.end()
    await open?.ended
  }

  async rollback(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    // A broken connection has rolled back by itself.
    if (open === undefined || open.isBroken) return
    open.end(new Error('rolled back'))
    // It ends with this very error, or with that of a broken connection: either way nothing was written.
    await open.ended.catch(() => undefined)
  }
}

const lost = () =>
  new Error('The connection to the database was lost. The transaction changed nothing.')

/** Only a failure ends a transaction while a statement of it is under way. */
const brokenBy = (ended: Promise<unknown>): Promise<never> =>
  ended.then(() => {
    throw lost()
  })

const driverOf = (sql: Sql): Driver => ({
  async init() {},
  acquireConnection: async () => new Connection(sql),
  beginTransaction: (connection) => (connection as Connection).begin(),
  commitTransaction: (connection) => (connection as Connection).commit(),
  rollbackTransaction: (connection) => (connection as Connection).rollback(),
  async releaseConnection() {},
  async destroy() {},
})
