/**
 * What an engine gives to Mission Control. The statements are written once, in `streams/`, `people/`, `sessions/`,
 * `commands/` and `blobs/`, against the tables; an engine brings a connection, durable commits, locks on rows, and a
 * call that wakes other nodes.
 */
import type { Kysely, SelectQueryBuilder, Transaction } from 'kysely'
import type { Tables } from './tables.ts'

export type Tx = Transaction<Tables>
export type Query = Kysely<Tables> | Tx

/** `node` serves; `visitor` does one thing in a database that is there; `founder` makes one where there is none. */
export type Opener = 'node' | 'founder' | 'visitor'

export interface Database extends AsyncDisposable {
  readonly kind: 'sqlite' | 'postgres'
  /** For reading; each statement sees all that was committed before it. */
  readonly query: Kysely<Tables>
  /** All or nothing. When it resolves, what was written survives a kill and a power cut. */
  transact<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  /** Reads one moment of the database, however long it takes, and keeps nobody from writing. */
  snapshot<T>(work: (query: Query) => Promise<T>): Promise<T>
  /** Keeps other transactions from these rows until this one ends. */
  locked<O>(
    rows: SelectQueryBuilder<Tables, keyof Tables, O>,
  ): SelectQueryBuilder<Tables, keyof Tables, O>
  /** Tells other nodes that these streams have grown, or sessions moved. A wake-up without meaning: it may be lost. */
  wake(keys: readonly string[]): void
  /** Calls back with what other nodes have told of, from when it resolves. */
  onWake(listener: (keys: readonly string[]) => void): Promise<void>
  /** Tells all nodes a short text, this one too, which may be lost. False: it is too long, or there is no way. */
  pass(text: string): boolean
  onPassed(listener: (text: string) => void): Promise<void>
  /** What time it is where the database is, in milliseconds. */
  clock(): Promise<number>
  /** In a few words for `control doctor` and the start: engine, version, what makes its commits durable. */
  describe(): Promise<Readonly<Record<string, string>>>
}
