/** What a query of the session store may do: read listed tables and compute. Everything else is refused. */
import { constants } from 'node:sqlite'
import { FUNCTIONS, JSON_TABLES, SCHEMA_TABLES, SEARCH_INTERNALS, STORE_TABLES } from './allowed.ts'
import { wordsOf, type Deed, type Rules } from './guard.ts'
import type { Scope } from './scope.ts'

type StoreFacts = {
  /** Every table, view and virtual table module that a name could mean, in lower case. */
  readonly names: ReadonlySet<string>
  readonly scope: Scope | undefined
}

export function storeRules({ names, scope }: StoreFacts): Rules {
  const mayRead = (deed: Deed): boolean => {
    const { name, database, via, isRunning } = deed
    if (isRunning && database === 'main' && SEARCH_INTERNALS.includes(name)) return true
    const isUnqualified = database === '' || database === 'main'
    if (SCHEMA_TABLES.includes(name)) return isUnqualified
    if (JSON_TABLES.includes(name)) return isUnqualified
    // A common table expression is told by its name alone, and only when no column of it is used.
    if (deed.detail === '' && database === '' && isFree(name)) return true
    if (scope === undefined) return isUnqualified && STORE_TABLES.includes(name)
    if (database === 'main') return scope.isOurView(via)
    return scope.isOurView(name) || scope.tables.has(name)
  }

  const isFree = (name: string) => !names.has(name) && !/^(?:sqlite_|pragma_)/.test(name)

  return (deed) => {
    switch (deed.action) {
      case constants.SQLITE_SELECT:
      case constants.SQLITE_RECURSIVE:
        return undefined
      case constants.SQLITE_READ:
        return mayRead(deed) ? undefined : tableWords(deed, scope)
      case constants.SQLITE_FUNCTION:
        return FUNCTIONS.has(deed.detail) ? undefined : `the function ${deed.detail}()`
      case constants.SQLITE_PRAGMA:
        // FTS5 looks whether its cache is still good. It tells nothing but that something changed.
        return deed.name === 'data_version' && deed.detail === '' ? undefined : wordsOf(deed)
      default:
        return wordsOf(deed)
    }
  }
}

function tableWords({ name, database }: Deed, scope: Scope | undefined): string {
  const isQualified = database !== '' && database !== 'temp'
  if (scope !== undefined && isQualified && scope.tables.has(name)) {
    return `the whole table ${database}.${name} (this query is limited to one repository: write ${name})`
  }
  if (scope !== undefined && STORE_TABLES.includes(name)) {
    return `the table ${name}, which belongs to no repository (this query is limited to one)`
  }
  return `the table ${name}`
}
