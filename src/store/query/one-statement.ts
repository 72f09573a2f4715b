/** SQLite prepares the first statement and says nothing of the rest, so the rest is looked at here. */

const BLANK = /[ \t\n\f\r]+|--[^\n]*|\/\*[^]*?(?:\*\/|$)/y

/** What stands behind the prepared statement and is neither blank nor a comment. */
export function textBehind(sql: string, prepared: string): string {
  let at = prepared.length
  for (;;) {
    BLANK.lastIndex = at
    if (!BLANK.test(sql)) return sql.slice(at)
    at = BLANK.lastIndex
  }
}
