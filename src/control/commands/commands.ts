/**
 * What people want done in a session, from being asked to its end: queued, claimed by one machine for a while, then
 * applied with the event that shows it, or refused with the reason; or expired, when nobody took it in time. A claim
 * that ran out without its event is "unknown": it may have been done, so it is never given out again by itself.
 */
import type { Database, Query } from '../database/port.ts'
import type { Row } from '../database/tables.ts'
import { ControlError } from '../control-error.ts'
import { fieldsOf, textIn } from '../../lib/fields.ts'
import { findPerson } from '../people/people.ts'
import { noteMove } from '../sessions/moved.ts'
import { isAnswer, type Kind } from './kinds.ts'

export type Command = Row<'commands'>

export type CommandWish = {
  readonly tenant: string
  readonly session: string
  readonly id: string
  readonly kind: Kind
  readonly content: string
  readonly person: string
  /** The machine that they sent it from. */
  readonly origin?: string
  /** When it is of no use any more, if nobody has taken it. */
  readonly ends: number
}

/** The same id twice gives the first one, whatever the second says. Of two answers to a question the first one counts. */
export const queueCommand = (db: Database, wish: CommandWish, now: number): Promise<Command> =>
  db.transact(async (tx) => {
    const { tenant, session } = wish
    // Locked, so that of two who answer at once one is second.
    await noteMove(tx, { tenant, id: session }, now)
    const prompt = promptOf(wish)
    const before = await commandOf(tx, wish)
    if (before !== undefined) return before
    if (prompt !== undefined) await refuseSecondAnswer(tx, { tenant, session, prompt }, now)
    const command = {
      ...wish,
      origin: wish.origin ?? null,
      state: 'queued',
      machine: null,
      lease: null,
      reason: null,
      event: null,
      prompt: prompt ?? null,
      result: null,
      made: now,
      changed: now,
    }
    await tx.insertInto('commands').values(command).execute()
    return command
  })

function promptOf({ kind, content }: CommandWish): string | undefined {
  if (!isAnswer(kind)) return undefined
  let prompt: string | undefined
  try {
    prompt = textIn(fieldsOf(JSON.parse(content)), 'promptId')
  } catch {
    // What is no JSON names no question.
  }
  if (prompt !== undefined) return prompt
  throw new ControlError('invalid', 'An answer names its question: promptId. Nothing was queued.')
}

async function refuseSecondAnswer(
  query: Query,
  { tenant, session, prompt }: Pick<Command, 'tenant' | 'session'> & { readonly prompt: string },
  now: number,
): Promise<void> {
  await settleTimes(query, { tenant, session }, now)
  const first = await query
    .selectFrom('commands')
    .select(['person', 'origin'])
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .where('prompt', '=', prompt)
    .where('state', 'not in', ['refused', 'expired'])
    .executeTakeFirst()
  if (first === undefined) return
  throw new ControlError(
    'conflict',
    `${(await findPerson(query, tenant, first.person))?.name ?? 'Another person'} has answered this before, from ${first.origin ?? 'elsewhere'}. Nothing was queued.`,
  )
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
export async function claimCommands(
  db: Database,
  claimant: { readonly tenant: string; readonly session: string; readonly machine: string },
  now: number,
): Promise<readonly Command[]> {
  // Most polls find nothing: they lock and write nothing.
  const open = await openOf(db.query, claimant).limit(1).execute()
  if (open.length === 0) return []
  return db.transact(async (tx) => {
    const { tenant, session, machine } = claimant
    // Always the session before its commands: two transactions never wait for each other.
    await noteMove(tx, { tenant, id: session }, now)
    await settleTimes(tx, claimant, now)
    const rows = await db.locked(openOf(tx, claimant)).execute()
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
}

const openOf = (
  query: Query,
  { tenant, session }: { readonly tenant: string; readonly session: string },
) =>
  query
    .selectFrom('commands')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('session', '=', session)
    .where('state', 'in', ['queued', 'claimed'])
    .orderBy('made')
    .orderBy('id')
    .limit(AT_ONCE)

export type Outcome =
  | { readonly state: 'applied'; readonly event: string; readonly result?: string }
  | { readonly state: 'refused'; readonly reason: string; readonly result?: string }

/** Undefined when there is none; one that has ended stays as it is, but an unknown one may still become known. */
export async function settleCommand(
  { query }: Pick<Database, 'query'>,
  name: Name,
  outcome: Outcome,
  now: number,
): Promise<Command | undefined> {
  if (await settleIn(query, name, outcome, now))
    await noteMove(query, { tenant: name.tenant, id: name.session }, now)
  return commandOf(query, name)
}

/** Within the transaction that appends the event; the caller notes that the session has moved. */
export async function settleIn(
  query: Query,
  name: Name,
  outcome: Outcome,
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await query
    .updateTable('commands')
    .set({ ...outcome, lease: null, changed: now })
    .where('tenant', '=', name.tenant)
    .where('session', '=', name.session)
    .where('id', '=', name.id)
    .where((is) =>
      is.or([
        is('state', 'in', ['queued', 'claimed', 'unknown']),
        // The event that shows it may come before what the machine has to say of it.
        ...(outcome.result === undefined
          ? []
          : [is.and([is('state', '=', outcome.state), is('result', 'is', null)])]),
      ]),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
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

/** With its end brought up to the clock. */
export async function commandNow(
  query: Query,
  name: Name,
  now: number,
): Promise<Command | undefined> {
  await settleTimes(query, name, now)
  return commandOf(query, name)
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
