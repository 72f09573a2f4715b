/** The steps of longer work that an agent keeps in its session's own database. */
import { sessionDir } from '../../format/paths.ts'
import { QueryError } from '../../store/query/query.ts'
import { readSessionSql } from '../../store/query/session-sql.ts'
import type { HostedSession } from './hosted-session.ts'

const TODOS = 'SELECT id, title, description, status, created_at FROM todos ORDER BY created_at, id'
const DEPENDENCIES = 'SELECT todo_id, depends_on FROM todo_deps ORDER BY todo_id, depends_on'

type Of = Pick<HostedSession, 'engine' | 'id'>

export async function readTodos(session: Of) {
  const rows = await read(session, TODOS)
  return rows.map(([id, title, description, status, createdAt]) => ({
    id: textOf(id),
    title: textOf(title),
    ...(description !== null && { description: textOf(description) }),
    status: textOf(status),
    ...(createdAt !== null && { createdAt: textOf(createdAt) }),
  }))
}

export async function readDependencies(session: Of) {
  const rows = await read(session, DEPENDENCIES)
  return rows.map(([todoId, dependsOn]) => ({
    todoId: textOf(todoId),
    dependsOn: textOf(dependsOn),
  }))
}

/** Nothing where there is no database, or an agent made tables of its own in their place. */
async function read({ engine, id }: Of, sql: string) {
  try {
    return (await readSessionSql(engine.fs, sessionDir(id), { sql, maxRows: 500 })).rows
  } catch (error) {
    if (error instanceof QueryError && ['unavailable', 'syntax'].includes(error.code)) return []
    throw error
  }
}

const textOf = (value: unknown): string => String(value ?? '')
