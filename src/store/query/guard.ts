/**
 * The authorizer. SQLite asks it about everything that a statement would touch, while it prepares the
 * statement and again when full text search works for it; what no rule allows is refused, and the first
 * refusal is remembered because SQLite itself only says "not authorized".
 */
import { constants, type DatabaseSync } from 'node:sqlite'

/** One question of SQLite's. Empty strings where SQLite has nothing to say; names in lower case. */
export type Deed = {
  readonly action: number
  readonly name: string
  readonly detail: string
  readonly database: string
  /** The innermost view, trigger or common table expression that asks. A query can choose such a name. */
  readonly via: string
  /** False while the query's own text is prepared, true while it runs. */
  readonly isRunning: boolean
}

/** What is refused, in words; undefined allows. */
export type Rules = (deed: Deed) => string | undefined

export interface Guard {
  /** From here on the query's text is known to be allowed. */
  run(): void
  readonly refusal: string | undefined
  lift(): void
}

export function guard(db: DatabaseSync, rules: Rules): Guard {
  let refusal: string | undefined
  let isRunning = false
  db.setAuthorizer((action, name, detail, database, via) => {
    const what = rules({
      action,
      name: lower(name),
      detail: lower(detail),
      database: lower(database),
      via: lower(via),
      isRunning,
    })
    if (what === undefined) return constants.SQLITE_OK
    refusal ??= what
    return constants.SQLITE_DENY
  })
  return {
    run: () => {
      isRunning = true
    },
    get refusal() {
      return refusal
    },
    lift: () => db.setAuthorizer(null),
  }
}

const lower = (text: string | null) => text?.toLowerCase() ?? ''

/** The words of a statement that is not allowed at all. */
export function wordsOf({ action, name }: Deed): string {
  switch (action) {
    case constants.SQLITE_ATTACH:
      // VACUUM works by attaching, and is told apart by nothing else.
      return 'ATTACH or VACUUM'
    case constants.SQLITE_PRAGMA:
      return `PRAGMA ${name}`
    case constants.SQLITE_FUNCTION:
      return `the function ${name}()`
    case constants.SQLITE_TRANSACTION:
      return name === '' ? 'a transaction' : name.toUpperCase()
    case constants.SQLITE_INSERT:
    case constants.SQLITE_UPDATE:
    case constants.SQLITE_DELETE:
      if (/^sqlite_(?:temp_)?(?:master|schema)$/.test(name)) return 'a change of the schema'
      return `${ACTIONS.get(action)} on ${name}`
    default:
      return ACTIONS.get(action) ?? `action ${action}`
  }
}

const ACTIONS: ReadonlyMap<number, string> = new Map([
  [constants.SQLITE_ALTER_TABLE, 'ALTER TABLE'],
  [constants.SQLITE_ANALYZE, 'ANALYZE'],
  [constants.SQLITE_CREATE_INDEX, 'CREATE INDEX'],
  [constants.SQLITE_CREATE_TABLE, 'CREATE TABLE'],
  [constants.SQLITE_CREATE_TEMP_INDEX, 'CREATE TEMP INDEX'],
  [constants.SQLITE_CREATE_TEMP_TABLE, 'CREATE TEMP TABLE'],
  [constants.SQLITE_CREATE_TEMP_TRIGGER, 'CREATE TEMP TRIGGER'],
  [constants.SQLITE_CREATE_TEMP_VIEW, 'CREATE TEMP VIEW'],
  [constants.SQLITE_CREATE_TRIGGER, 'CREATE TRIGGER'],
  [constants.SQLITE_CREATE_VIEW, 'CREATE VIEW'],
  [constants.SQLITE_CREATE_VTABLE, 'CREATE VIRTUAL TABLE'],
  [constants.SQLITE_DELETE, 'DELETE'],
  [constants.SQLITE_DETACH, 'DETACH'],
  [constants.SQLITE_DROP_INDEX, 'DROP INDEX'],
  [constants.SQLITE_DROP_TABLE, 'DROP TABLE'],
  [constants.SQLITE_DROP_TEMP_INDEX, 'DROP INDEX'],
  [constants.SQLITE_DROP_TEMP_TABLE, 'DROP TABLE'],
  [constants.SQLITE_DROP_TEMP_TRIGGER, 'DROP TRIGGER'],
  [constants.SQLITE_DROP_TEMP_VIEW, 'DROP VIEW'],
  [constants.SQLITE_DROP_TRIGGER, 'DROP TRIGGER'],
  [constants.SQLITE_DROP_VIEW, 'DROP VIEW'],
  [constants.SQLITE_DROP_VTABLE, 'DROP TABLE'],
  [constants.SQLITE_INSERT, 'INSERT'],
  [constants.SQLITE_REINDEX, 'REINDEX'],
  [constants.SQLITE_SAVEPOINT, 'SAVEPOINT'],
  [constants.SQLITE_UPDATE, 'UPDATE'],
])
