/** Sessions as lists of machines and people ask for them: some at a time, the nearest first, or those that a word means. */
import { sql, type ExpressionBuilder } from 'kysely'
import type { Query } from '../database/port.ts'
import type { Tables } from '../database/tables.ts'
import type { Asker } from '../people/scopes.ts'
import type { SessionRow } from './stored-session.ts'

export type ListWish = {
  readonly limit: number
  readonly offset?: number | undefined
  /** Those of this repository come first. */
  readonly repository?: string | undefined
  /** Each stands in the name, the first prompt, the branch, the repository, the machine or the id. */
  readonly words?: readonly string[] | undefined
}

type ListedSessions = { readonly sessions: readonly SessionRow[]; readonly total: number }

/** What the asker may see, the last changed first. */
export async function listSessions(
  query: Query,
  asker: Asker,
  { limit, offset = 0, repository, words = [] }: ListWish,
): Promise<ListedSessions> {
  let seen = visible(query, asker)
  for (const word of words)
    seen = seen.where(
      sql<string>`lower(coalesce(name, '') || ' ' || coalesce(summary, '') || ' ' || coalesce(branch, '') || ' ' ||
        coalesce(repository, '') || ' ' || machine || ' ' || id)`,
      'like',
      `%${word.toLowerCase().replaceAll(/[%_]/g, ' ')}%`,
    )
  const { total } = await seen
    .select((of) => of.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const near = (repository ?? '').toLowerCase()
  const ordered =
    near === ''
      ? seen
      : seen.orderBy(sql`case when lower(coalesce(repository, '')) = ${near} then 0 else 1 end`)
  const sessions = await ordered
    .selectAll()
    .orderBy('changed', 'desc')
    .orderBy('id')
    .limit(limit)
    .offset(offset)
    .execute()
  return { sessions, total: Number(total) }
}

const MEANT_BY = ['id', 'task', 'prefix', 'name', 'summary'] as const
type MeantBy = (typeof MEANT_BY)[number]
type Meant = { readonly by: MeantBy; readonly session: SessionRow }

const SHORTEST_PREFIX = 4
const MOST_MEANT = 50

/** Those that a person can mean by a value. What is meant by its id is meant by nothing else. */
export async function sessionsMeantBy(
  query: Query,
  asker: Asker,
  value: string,
): Promise<readonly Meant[]> {
  const wanted = value.trim()
  if (wanted === '') return []
  const tasks = await sessionsOfTasks(query, asker, wanted)
  const rows = await visible(query, asker)
    .selectAll()
    .where((is) => is.or(meanings(is, wanted, tasks)))
    .orderBy('changed', 'desc')
    .limit(MOST_MEANT)
    .execute()
  const all = rows.map((session) => ({ by: howMeant(session, wanted, tasks), session }))
  const exact = all.filter(({ by }) => by === 'id' || by === 'task')
  return exact.length > 0 ? exact : all
}

/** Of one's own tasks whose id is this, or begins so. */
async function sessionsOfTasks(
  query: Query,
  { tenant, person }: Asker,
  wanted: string,
): Promise<readonly string[]> {
  const prefix = wanted.toLowerCase().replaceAll(/[%_]/g, '')
  if (prefix.length < SHORTEST_PREFIX) return []
  const found = await query
    .selectFrom('tasks')
    .select('session')
    .where('tenant', '=', tenant)
    .where('person', '=', person)
    .where((is) => is.or([is('id', '=', wanted), is('id', 'like', `${prefix}%`)]))
    .limit(MOST_MEANT)
    .execute()
  return found.flatMap(({ session }) => session ?? [])
}

type Is = ExpressionBuilder<Tables, 'sessions'>

function meanings(is: Is, wanted: string, tasks: readonly string[]) {
  const low = wanted.toLowerCase()
  const prefix = low.replaceAll(/[%_]/g, '')
  return [
    is('id', 'in', [wanted, low, ...tasks]),
    ...(prefix.length < SHORTEST_PREFIX ? [] : [is('id', 'like', `${prefix}%`)]),
    is(sql<string>`lower(name)`, '=', low),
    is(sql<string>`lower(summary)`, '=', low),
  ]
}

function howMeant({ id, name }: SessionRow, wanted: string, tasks: readonly string[]): MeantBy {
  const low = wanted.toLowerCase()
  if (id === wanted || id === low) return 'id'
  if (tasks.includes(id)) return 'task'
  if (low.length >= SHORTEST_PREFIX && id.startsWith(low)) return 'prefix'
  return name?.toLowerCase() === low ? 'name' : 'summary'
}

const visible = (query: Query, { tenant, person, guestOf }: Asker) =>
  query
    .selectFrom('sessions')
    .where('tenant', '=', tenant)
    .where('trashed', 'is', null)
    .where((is) =>
      guestOf === undefined
        ? is.or([is('person', '=', person), is('sharing', '=', 'team')])
        : is('id', '=', guestOf),
    )
