/**
 * What people want done in a session, from being asked to its end: queued, claimed by one machine for a while, then
 * applied with the event that shows it, or refused with the reason; or expired, when nobody took it in time. A claim
 * that ran out without its event is "unknown": it may have been done, so it is never given out again by itself.
 */
import type { Database, Query } from '../database/port.ts'
import type { Row } from '../database/tables.ts'
import { ControlError } from '../control-error.ts'

export type Command = Row<'commands'>

export const KINDS = [
  'user_message',
  'steer',
  'queue',
  'abort',
  'permission_response',
  'ask_user_response',
  'plan_approval_response',
  'elicitation_response',
  'mode_switch',
  'start_session',
  'operation',
] as const
export type Kind = (typeof KINDS)[number]

export type CommandWish = {
  readonly tenant: string
  readonly session: string
  readonly id: string
  readonly kind: Kind
  readonly content: string
  readonly person: string
  /** When it is of no use any more, if nobody has taken it. */
  readonly ends: number
}

/** The same id twice gives the first one, whatever the second says. */
export async function queueCommand(query: Query, wish: CommandWish, now: number): Promise<Command> {
  await query
    .insertInto('commands')
    .values({
      ...wish,
      state: 'queued',
      machine: null,
      lease: null,
      reason: null,
      event: null,
      made: now,
      changed: now,
    })
    .onConflict((on) => on.doNothing())
    .execute()
  const there = await commandOf(query, wish)
  if (there !== undefined) return there
  throw new ControlError('unavailable', 'The command was not kept. Nothing was done.')
}

type Name = Pick<Command, 'tenant' | 'session' | 'id'>

export const commandOf = (
  query: Query,
  { tenant, session, id }: Name,
): Promise<Command | undefined> =>
  query
    .selectFrom('commands')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .where('id', '=', id)
    .executeTakeFirst()

export const LEASE_MS = 60_000
const AT_ONCE = 50

/**
 * The oldest first. Of two machines that ask, each command goes to one. What a machine has claimed and not settled it
 * is told again while its claim holds, since it may have missed the answer.
 */
export const claimCommands = (
  db: Database,
  {
    tenant,
    session,
    machine,
  }: { readonly tenant: string; readonly session: string; readonly machine: string },
  now: number,
): Promise<readonly Command[]> =>
  db.transact(async (tx) => {
    await settleTimes(tx, { tenant, session }, now)
    const open = tx
      .selectFrom('commands')
      .selectAll()
      .where('tenant', '=', tenant)
      .where('session', '=', session)
      .where('state', 'in', ['queued', 'claimed'])
      .orderBy('made')
      .orderBy('id')
      .limit(AT_ONCE)
    const rows = await db.locked(open).execute()
    const mine = rows.filter((row) => row.state === 'queued' || row.machine === machine)
    const fresh = mine.filter(({ state }) => state === 'queued').map(({ id }) => id)
    if (fresh.length === 0) return mine
    const claim = { state: 'claimed', machine, lease: now + LEASE_MS, changed: now }
    await tx
      .updateTable('commands')
      .set(claim)
      .where('tenant', '=', tenant)
      .where('session', '=', session)
      .where('id', 'in', fresh)
      .execute()
    return mine.map((row) => (row.state === 'queued' ? { ...row, ...claim } : row))
  })

export type Outcome =
  | { readonly state: 'applied'; readonly event: string }
  | { readonly state: 'refused'; readonly reason: string }

/** Undefined when there is none; one that has ended stays as it is, but an unknown one may still become known. */
export async function settleCommand(
  query: Query,
  name: Name,
  outcome: Outcome,
  now: number,
): Promise<Command | undefined> {
  await query
    .updateTable('commands')
    .set({ ...outcome, lease: null, changed: now })
    .where('tenant', '=', name.tenant)
    .where('session', '=', name.session)
    .where('id', '=', name.id)
    .where('state', 'in', ['queued', 'claimed', 'unknown'])
    .execute()
  return commandOf(query, name)
}

async function settleTimes(
  query: Query,
  { tenant, session }: { readonly tenant: string; readonly session: string },
  now: number,
): Promise<void> {
  for (const { from, to, time } of [
    { from: 'queued', to: 'expired', time: 'ends' },
    { from: 'claimed', to: 'unknown', time: 'lease' },
  ] as const)
    await query
      .updateTable('commands')
      .set({ state: to, changed: now })
      .where('tenant', '=', tenant)
      .where('session', '=', session)
      .where('state', '=', from)
      .where(time, '<=', now)
      .execute()
}

/** The newest first, with their ends brought up to the clock. */
export async function commandsOf(
  query: Query,
  name: { readonly tenant: string; readonly session: string },
  now: number,
): Promise<readonly Command[]> {
  await settleTimes(query, name, now)
  return query
    .selectFrom('commands')
    .selectAll()
    .where('tenant', '=', name.tenant)
    .where('session', '=', name.session)
    .orderBy('made', 'desc')
    .orderBy('id')
    .limit(200)
    .execute()
}
