/**
 * PostgreSQL, for a team: any number of nodes on one database, each with a few connections, since appends are
 * gathered before they are committed. `synchronous_commit` is set for every connection: what a server or a role has
 * turned off is turned on again here.
 */
import { Kysely, sql as words } from 'kysely'
import postgres from 'postgres'
import { ControlError, noDatabase } from '../control-error.ts'
import { migrate } from '../database/migrate.ts'
import type { Database, Opener } from '../database/port.ts'
import type { Tables } from '../database/tables.ts'
import { postgresDialect } from './dialect.ts'
import { openWakes } from './wakes.ts'

export type PostgresOptions = {
  /** `postgres://…`; several hosts with commas. */
  readonly url: string
  readonly as: Opener
  /** Without it nodes find out by looking. */
  readonly notify: boolean
  readonly onTrouble: (message: string) => void
}

export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const connect = (max: number) =>
    postgres(options.url, {
      max,
      connect_timeout: CONNECT_SECONDS,
      onnotice() {},
      // Of several hosts, the one that writes: standbys are passed by, and found when one of them is promoted. The
      // driver takes a standby of PostgreSQL 14 and later for one when asked for `read-write`.
      target_session_attrs: 'primary',
      // Counts and times fit in a number: 2^53 of them are not reached.
      types: { bigint: { to: 20, from: [20], parse: Number, serialize: String } },
      connection: {
        application_name: 'reprise-control',
        synchronous_commit: 'on',
        // A plan that was made while a table was small is not kept while it grows by thousands a second.
        plan_cache_mode: 'force_custom_plan',
      },
    })
  // One connection: the lock on the tables is of the connection that took it.
  const first = connect(1)
  try {
    const query = new Kysely<Tables>({ dialect: postgresDialect(first) })
    await refuseUnsafe(query)
    if (options.as === 'visitor' && !(await hasTables(query))) throw noDatabase('this database')
    await migrate(query, { bytes: 'bytea' })
  } catch (cause) {
    throw cause instanceof ControlError ? cause : away(cause)
  } finally {
    await first.end({ timeout: 2 })
  }
  const sql = connect(CONNECTIONS)
  const query = new Kysely<Tables>({ dialect: postgresDialect(sql) })
  const wakes = options.notify ? openWakes(sql, options.onTrouble) : undefined
  return {
    kind: 'postgres',
    query,
    transact: (work) => query.transaction().execute(work),
    snapshot: (work) =>
      query.transaction().execute(async (tx) => {
        await words`set transaction isolation level repeatable read, read only`.execute(tx)
        return work(tx)
      }),
    locked: (rows) => rows.forUpdate(),
    wake: (keys) => wakes?.tell(keys),
    onWake: async (listener) => wakes?.listen(listener),
    pass: (text) => wakes?.pass(text) ?? false,
    onPassed: async (listener) => wakes?.hear(listener),
    describe: async () => ({
      engine: 'PostgreSQL',
      ...(await settingsOf(query)),
      notify: options.notify ? 'on' : 'off',
    }),
    async [Symbol.asyncDispose]() {
      await query.destroy()
      await sql.end({ timeout: 2 })
    },
  }
}

const CONNECTIONS = 6
const CONNECT_SECONDS = 10

const away = (cause: unknown) =>
  new ControlError(
    'unavailable',
    'The database cannot be reached, or refuses the name it was given. Nothing was started.',
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
