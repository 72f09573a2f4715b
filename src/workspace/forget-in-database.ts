/** Takes a text out of every table of a session's own database, and out of the pages that held it. */
import type { SessionFs } from '../fs/session-fs.ts'
import { SESSION_DB, openSessionDb } from './session-db.ts'

/** Gives what is to stand in the place of a text or some bytes; undefined when it stays. */
type Rewrite = (value: Buffer) => { readonly cleaned: Buffer; readonly count: number } | undefined

type DatabaseChange = { readonly count: number }

export async function forgetInDatabase(
  fs: SessionFs,
  dir: string,
  rewrite: Rewrite,
  { isTried }: { readonly isTried: boolean },
): Promise<DatabaseChange> {
  if ((await fs.stat(`${dir}/${SESSION_DB}`)) === undefined) return { count: 0 }
  const db = await openSessionDb(fs, dir)
  try {
    let count = 0
    db.function('reprise_forget', { deterministic: true }, (value) => {
      const bytes = typeof value === 'string' ? Buffer.from(value) : value
      const found = bytes instanceof Uint8Array ? rewrite(Buffer.from(bytes)) : undefined
      if (found === undefined) return value
      count += found.count
      return typeof value === 'string' ? found.cleaned.toString() : new Uint8Array(found.cleaned)
    })
    db.exec('BEGIN IMMEDIATE')
    try {
      for (const { table, column } of columnsOf(db)) {
        const changed = `reprise_forget(${column})`
        db.exec(
          `UPDATE OR REPLACE ${table} SET ${column} = ${changed} WHERE ${changed} IS NOT ${column}`,
        )
      }
    } finally {
      db.exec(isTried || count === 0 ? 'ROLLBACK' : 'COMMIT')
    }
    // Asked for each row once more, by the condition.
    const times = Math.ceil(count / 2)
    if (!isTried && count > 0) db.exec('VACUUM')
    db.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()
    return { count: times }
  } finally {
    db.close()
  }
}

function columnsOf(db: Awaited<ReturnType<typeof openSessionDb>>) {
  const rows = db
    .prepare(
      `SELECT m.name AS "table", c.name AS "column" FROM sqlite_schema m, pragma_table_info(m.name) c
       WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite\\_%' ESCAPE '\\'`,
    )
    .all() as { table: string; column: string }[]
  return rows.map(({ table, column }) => ({ table: quoted(table), column: quoted(column) }))
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
