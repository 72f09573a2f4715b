/** Notes that a session is other than it was, in whatever but its events: its row's counter moves in the same statement. */
import type { ExpressionBuilder } from 'kysely'
import type { Query } from '../database/port.ts'
import type { Tables } from '../database/tables.ts'
import type { SessionRow } from './stored-session.ts'

export const moved = (row: ExpressionBuilder<Tables, 'sessions'>, now: number) => ({
  rev: row('rev', '+', 1),
  moved: now,
})

/** When what changed stands in another table: a command, a grant. */
export async function noteMove(
  query: Query,
  { tenant, id }: Pick<SessionRow, 'tenant' | 'id'>,
  now: number,
): Promise<void> {
  await query
    .updateTable('sessions')
    .set((row) => moved(row, now))
    .where('tenant', '=', tenant)
    .where('id', '=', id)
    .execute()
}
