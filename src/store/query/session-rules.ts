/**
 * What SQL may do in a session's own database: read it and, for its own session, make and change tables. It
 * never leaves the file: nothing is attached, loaded or written elsewhere, and no setting is changed.
 */
import { constants } from 'node:sqlite'
import { FUNCTIONS, SESSION_PRAGMAS } from './allowed.ts'
import { wordsOf, type Deed, type Rules } from './guard.ts'

const WRITES: ReadonlySet<number> = new Set([
  constants.SQLITE_INSERT,
  constants.SQLITE_UPDATE,
  constants.SQLITE_DELETE,
  constants.SQLITE_CREATE_TABLE,
  constants.SQLITE_CREATE_INDEX,
  constants.SQLITE_CREATE_VIEW,
  constants.SQLITE_DROP_TABLE,
  constants.SQLITE_DROP_INDEX,
  constants.SQLITE_DROP_VIEW,
  constants.SQLITE_DROP_VTABLE,
  constants.SQLITE_ALTER_TABLE,
  constants.SQLITE_REINDEX,
])

/** They only tell what the statement before them did. */
const WRITE_FUNCTIONS: ReadonlySet<string> = new Set([
  'changes',
  'last_insert_rowid',
  'total_changes',
])

/** What ALTER TABLE calls while it rewrites the schema; SQLite refuses them to all others. */
const ALTER_FUNCTIONS = /^sqlite_(?:rename_\w+|drop_\w+|add_\w+|fail|find_\w+)$/

export function sessionRules({ write }: { readonly write: boolean }): Rules {
  return (deed) => {
    switch (deed.action) {
      case constants.SQLITE_SELECT:
      case constants.SQLITE_RECURSIVE:
        return undefined
      case constants.SQLITE_READ:
        return mayRead(deed.name) ? undefined : `the table ${deed.name}`
      case constants.SQLITE_FUNCTION:
        if (FUNCTIONS.has(deed.detail)) return undefined
        if (write && WRITE_FUNCTIONS.has(deed.detail)) return undefined
        if (write && ALTER_FUNCTIONS.test(deed.detail)) return undefined
        return `the function ${deed.detail}()`
      case constants.SQLITE_PRAGMA:
        return SESSION_PRAGMAS.has(deed.name) ? undefined : wordsOf(deed)
      case constants.SQLITE_CREATE_VTABLE:
        if (write && deed.detail === 'fts5') return undefined
        return `${wordsOf(deed)} with ${deed.detail}`
      default:
        // What is temporary would be gone with the next statement.
        if (write && WRITES.has(deed.action) && deed.database !== 'temp') return undefined
        if (write && isRename(deed)) return undefined
        return wordsOf(deed)
    }
  }
}

/** ALTER TABLE also looks for the old name among what is temporary. */
const isRename = ({ action, name }: Deed) =>
  action === constants.SQLITE_UPDATE && name === 'sqlite_temp_master'

/** `dbstat` and the like show pages, not rows. */
const mayRead = (name: string) => !/^(?:dbstat|sqlite_dbpage|sqlite_stmt)$/.test(name)
