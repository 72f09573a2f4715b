/**
 * PostgreSQL, for a team: any number of nodes on one database, each with a few connections, since appends are
 * gathered before they are committed. `synchronous_commit` is set for every connection: what a server or a role has
 * turned off is turned on again here.
 */
import { Kysely, sql as words } from 'kysely'
import postgres from 'postgres'
import { ControlError, noDatabase } from '../control-error.ts'
import { defined } from '../../lib/defined.ts'
import { errorText } from '../../lib/error-text.ts'
import { migrate } from '../database/migrate.ts'
import type { Database, Opener } from '../database/port.ts'
import type { Tables } from '../database/tables.ts'
import { postgresDialect } from './dialect.ts'
import { openHosts } from './hosts.ts'
import { openLines, type Lines } from './advisory-lock.ts'
import { openWakes } from './listen-notify.ts'

export type PostgresOptions = {
  /** `postgres://…`; several hosts with commas. */
  readonly url: string
  readonly as: Opener
  /** Without it nodes find out by looking. */
  readonly notify: boolean
  readonly onTrouble: (message: string) => void
}

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const isNode = options.as === 'node'
  const connect = (more: Parameters<typeof postgres>[1]) =>
    postgres(options.url, {
      connect_timeout: CONNECT_SECONDS,
      onnotice() {},
      // Asked by the driver itself when it connects; when that fails nobody hears it, and the process ends.
      fetch_types: false,
      // It would end a connection between two statements of a transaction.
      max_lifetime: null,
      // Counts and times fit in a number: 2^53 of them are not reached.
      types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
      connection: {
        application_name: 'reprise-control',
        synchronous_commit: 'on',
        // A plan that was made while a table was small is not kept while it grows by thousands a second.
        plan_cache_mode: 'force_custom_plan',
        // A node that stands still does not keep the others from its rows.
        ...(isNode && { idle_in_transaction_session_timeout: ANSWER_MS }),
      },
      ...more,
    })
  const hosts = openHosts(options.url, (host, more) => connect({ ...more, ...defined({ host }) }))
  const kyselyOn = (lines: Lines) => new Kysely<Tables>({ dialect: postgresDialect(lines) })
  // One connection: the lock on the tables is of the connection that took it.
  const first = openLines({ hosts, answerMs: undefined }, 1)
  try {
    const query = kyselyOn(first)
    await refuseUnsafe(query)
    if (options.as === 'visitor' && !(await hasTables(query))) throw noDatabase('this database')
    await migrate(query, { bytes: 'bytea' })
  } catch (cause) {
    throw cause instanceof ControlError ? cause : away(cause)
  } finally {
    await first.end()
  }
  // What is written does not wait for those who read.
  const answerMs = isNode ? ANSWER_MS : undefined
  const reading = openLines({ hosts, answerMs }, READERS)
  const writing = openLines({ hosts, answerMs }, WRITERS)
  const query = kyselyOn(reading)
  const writer = kyselyOn(writing)
  // The driver listens again by itself, at the host that writes then. It takes a standby of PostgreSQL 14 and later
  // for one when asked for `read-write`.
  const listening = options.notify
    ? connect({ max: 1, target_session_attrs: 'primary' })
    : undefined
  const wakes = listening && openWakes(listening, query, options.onTrouble)
  return {
    kind: 'postgres',
    query,
    transact: (work) => writer.transaction().execute(work),
    snapshot: (work) =>
      writer.transaction().execute(async (tx) => {
        await words`set transaction isolation level repeatable read, read only`.execute(tx)
        return work(tx)
      }),
    locked: (rows) => rows.forUpdate(),
    wake: (keys) => wakes?.tell(keys),
    onWake: async (listener) => wakes?.listen(listener),
    pass: (text) => wakes?.pass(text) ?? false,
    onPassed: async (listener) => wakes?.hear(listener),
    async clock() {
      const { rows } = await words<{ ms: string }>`
        select extract(epoch from clock_timestamp()) * 1000 as ms`.execute(query)
      return Number(rows[0]?.ms)
    },
    describe: async () => ({
      engine: 'PostgreSQL',
      ...(await settingsOf(query)),
      notify: options.notify ? 'on' : 'off',
    }),
    async [Symbol.asyncDispose]() {
      await listening?.end({ timeout: 2 })
      await Promise.all([reading.end(), writing.end()])
    },
  }
}

const READERS = 4
const WRITERS = 4
/** So long a node waits for an answer: what takes longer has no answer. */
const ANSWER_MS = 60_000
const CONNECT_SECONDS = 10

const away = (cause: unknown) =>
  new ControlError(
    'unavailable',
    `The database cannot be used (${errorText(cause)}). Nothing was started.`,
    { cause },
  )

async function settingsOf(query: Kysely<Tables>): Promise<Record<string, string>> {
  const names = ['server_version', 'fsync', 'full_page_writes', 'synchronous_commit']
  const { rows } = await words<{ name: string; setting: string }>`
    select name, setting from pg_settings where name in (${words.join(names)})`.execute(query)
  return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]))
}

async function hasTables(query: Kysely<Tables>): Promise<boolean> {
  const { rows } = await words<{ is: boolean }>`
    select to_regclass('tenants') is not null and to_regclass('streams') is not null as is`.execute(
    query,
  )
  return rows[0]?.is === true
}

/** A database that does not sync cannot keep what we promise. */
async function refuseUnsafe(query: Kysely<Tables>): Promise<void> {
  const { fsync } = await settingsOf(query)
  if (fsync !== 'off') return
  throw new ControlError(
    'unavailable',
    'This PostgreSQL runs with fsync=off: what it acknowledges may be lost. Nothing was started. Turn fsync on.',
  )
}
