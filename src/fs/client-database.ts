/**
 * A session's own database with a connected client: statements go to it one by one, and what comes back is looked at
 * before it is believed. Each session of a client has a place for its files alone, so the database needs no name.
 */
import { defined } from '../lib/defined.ts'
import { DATABASE, type CheckedCalls } from './client-calls.ts'
import { FsError } from './fs-error.ts'
import type { DatabaseAnswer, OwnedDatabase, SqlScalar } from './session-fs.ts'

export function openClientDatabase(calls: CheckedCalls): OwnedDatabase {
  return {
    async exists() {
      const { exists } = fieldsOf(await calls.askDatabase('sqliteExists', {}))
      if (typeof exists === 'boolean') return exists
      throw wrong('no answer to whether it exists')
    },
    async run(kind, sql, params) {
      const answer = await calls.askDatabase('sqliteQuery', {
        queryType: kind,
        query: sql,
        ...defined({ params }),
      })
      return answerOf(fieldsOf(answer))
    },
  }
}

type Fields = Readonly<Record<string, unknown>>

function fieldsOf(answer: unknown): Fields {
  if (typeof answer === 'object' && answer !== null) return answer as Fields
  throw wrong('nothing')
}

function answerOf({ columns, rows, rowsAffected }: Fields): DatabaseAnswer {
  if (!Array.isArray(columns) || !columns.every((name) => typeof name === 'string'))
    throw wrong('columns that are none')
  if (!Array.isArray(rows)) throw wrong('rows that are none')
  const changes = typeof rowsAffected === 'number' && rowsAffected > 0 ? rowsAffected : 0
  return {
    columns,
    rows: rows.map((row: unknown) => {
      const fields = fieldsOf(row)
      return columns.map((name) => valueOf(fields[name]))
    }),
    changes,
  }
}

/** JSON knows more than a database does. */
function valueOf(value: unknown): SqlScalar {
  if (value === undefined || value === null) return null
  if (typeof value === 'string' || typeof value === 'number') return value
  return typeof value === 'boolean' ? Number(value) : JSON.stringify(value)
}

const wrong = (what: string): FsError =>
  new FsError('EPROTO', DATABASE, `the client that owns the files answered with ${what}`)
