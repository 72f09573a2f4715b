/** Brings a database to the tables of this version: all steps or none. A database of a later version is not touched. */
import { sql, type Kysely } from 'kysely'
import { Migrator } from 'kysely/migration'
import { errorText } from '../../lib/error-text.ts'
import { ControlError } from '../control-error.ts'
import { steps, type Words } from './schema.ts'
import type { Tables } from './tables.ts'

/** On PostgreSQL the library holds an advisory lock meanwhile: of several nodes that start, one does it. */
export async function migrate(db: Kysely<Tables>, words: Words): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: {
      getMigrations: async () =>
        Object.fromEntries(
          Object.entries(steps).map(([name, statements]) => [
            name,
            {
              async up(to: Kysely<Tables>) {
                for (const each of statements(words)) await sql.raw(each).execute(to)
              },
            },
          ]),
        ),
    },
  })
  const { error } = await migrator.migrateToLatest()
  if (error === undefined) return
  const isLater = error instanceof Error && /previously executed migration/.test(error.message)
  throw new ControlError(
    isLater ? 'conflict' : 'unavailable',
    isLater
      ? 'This database was written by a later version. It was left untouched; start that version.'
      : `The tables could not be made (${errorText(error)}). Nothing was changed.`,
    { cause: error },
  )
}
