/** What is to be done in a session, from those who want it and for the machine that does it. Its own person steers, and who was granted to. */
import { ControlError } from '../control-error.ts'
import {
  claimCommands,
  commandNow,
  commandOf,
  commandsOf,
  settleCommand,
  type Command,
  type Outcome,
} from '../commands/commands.ts'
import { steer } from '../commands/steer.ts'
import type { Query } from '../database/port.ts'
import { peopleOf } from '../people/people.ts'
import { steerable } from '../sessions/grants.ts'
import { defined } from '../../lib/defined.ts'
import { own } from '../sessions/stored-session.ts'
import { Claim, NewCommand, Settlement } from './bodies.ts'
import { route } from './route.ts'

export const commandRoutes = [
  route({
    method: 'POST',
    path: '/api/sessions/:id/commands',
    summary: 'Wants something done in a session; the same id twice does nothing',
    scopes: ['steer'],
    status: 202,
    body: NewCommand,
    run: async (control, { asker, params: { id = '' }, body }) =>
      told(await steer(control, asker, id, body)),
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/commands',
    summary: 'Lists the commands of a session and what became of each, the newest first',
    scopes: ['steer', 'export'],
    async run({ db, now }, { asker, params: { id: session = '' } }) {
      const { kinds } = await steerable(db.query, asker, session)
      if (kinds.length === 0)
        throw new ControlError('forbidden', 'This session is another person’s.')
      const rows = await commandsOf(db.query, { tenant: asker.tenant, session }, now())
      return { commands: rows.map(told) }
    },
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/commands/:command',
    summary:
      'One command, what became of it and what the machine answered; with wait=1…60, once it has ended',
    scopes: ['steer', 'export'],
    async run(control, { asker, params: { id: session = '', command: id = '' }, query, signal }) {
      const { db, now, tail } = control
      const seconds = Math.min(Math.max(Number(query['wait'] ?? 0) || 0, 0), 60)
      const over = AbortSignal.any([signal, AbortSignal.timeout(seconds * 1000)])
      for (;;) {
        const { session: seen, kinds } = await steerable(db.query, asker, session)
        const command = await commandNow(db.query, { tenant: asker.tenant, session, id }, now())
        if (command === undefined || (kinds !== 'all' && command.person !== asker.person))
          throw new ControlError('not_found', 'There is no such command.')
        const isOpen = command.state === 'queued' || command.state === 'claimed'
        if (!isOpen || seconds === 0 || over.aborted)
          return { ...told(command), result: command.result }
        const ends = command.lease ?? command.ends
        const clock = AbortSignal.timeout(Math.max(1, Math.min(ends - now() + 1, 60_000)))
        await tail.moved(seen, AbortSignal.any([over, clock]))
      }
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/commands/claim',
    summary:
      'Gives the machine what is to be done, now or as soon as it comes; each command goes to one machine',
    scopes: ['export'],
    body: Claim,
    async run(control, { asker, params: { id: session = '' }, body: { wait = 0 }, signal }) {
      const { db, now, tail } = control
      const { tenant, machine } = asker
      const over = AbortSignal.any([signal, AbortSignal.timeout(wait * 1000)])
      for (;;) {
        // Looked at before the commands are: what is queued meanwhile has moved it.
        const seen = await own(db.query, asker, session)
        const rows = await claimCommands(db, { tenant, session, machine }, now())
        if (rows.length > 0 || wait === 0 || over.aborted) {
          const names = await namesOf(db.query, tenant, rows)
          const commands = rows.map((row) => ({
            ...told(row),
            name: names.get(row.person) ?? null,
            origin: row.origin,
            content: row.content,
          }))
          return { commands }
        }
        await tail.moved(seen, over)
        // Nobody is there any more who could do it: it stays for the next one who asks.
        if (signal.aborted) return { commands: [] }
      }
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/commands/:command/settle',
    summary:
      'Says what became of a command: applied, with the event that shows it, or refused, and why',
    scopes: ['export'],
    body: Settlement,
    async run(control, { asker, params: { id: session = '', command: id = '' }, body }) {
      const { db, now } = control
      const row = await own(db.query, asker, session)
      const name = { tenant: asker.tenant, session, id }
      const before = await commandOf(db.query, name)
      if (before !== undefined && before.machine !== null && before.machine !== asker.machine)
        throw new ControlError(
          'conflict',
          'Another machine has claimed this command. Nothing was changed.',
        )
      const settled = await settleCommand(db, name, defined(body) as Outcome, now())
      if (settled === undefined) throw new ControlError('not_found', 'There is no such command.')
      control.moved(row)
      return told(settled)
    },
  }),
]

/** What those who ask are called. */
async function namesOf(
  query: Query,
  tenant: string,
  rows: readonly Command[],
): Promise<ReadonlyMap<string, string>> {
  if (rows.length === 0) return new Map()
  return new Map((await peopleOf(query, tenant)).map(({ id, name }) => [id, name]))
}

export const told = ({
  id,
  kind,
  state,
  person,
  machine,
  reason,
  event,
  made,
  ends,
  changed,
}: Command) => ({
  id,
  kind,
  state,
  person,
  machine,
  reason,
  event,
  made: new Date(made).toISOString(),
  ends: new Date(ends).toISOString(),
  changed: new Date(changed).toISOString(),
})
