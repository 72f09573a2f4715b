/** What is to be done in a session, from those who want it and for the machine that does it. Only its own person steers. */
import { ControlError } from '../control-error.ts'
import {
  claimCommands,
  commandOf,
  commandsOf,
  queueCommand,
  settleCommand,
} from '../commands/commands.ts'
import type { Command } from '../commands/commands.ts'
import { record } from '../people/audit.ts'
import { own } from '../sessions/session.ts'
import { NewCommand, Settlement } from './bodies.ts'
import { route } from './route.ts'

const DEFAULT_SECONDS = 24 * 3600

export const commandRoutes = [
  route({
    method: 'POST',
    path: '/api/sessions/:id/commands',
    summary: 'Wants something done in a session; the same id twice does nothing',
    scopes: ['steer'],
    status: 202,
    body: NewCommand,
    async run(
      { db, now },
      { asker, params: { id: session = '' }, body: { seconds = DEFAULT_SECONDS, ...wish } },
    ) {
      const { tenant, person } = asker
      const { steerable } = await own(db.query, asker, session)
      if (steerable === 0)
        throw new ControlError(
          'conflict',
          'The machine of this session takes no commands. Nothing was queued.',
        )
      const ends = now() + seconds * 1000
      const command = await queueCommand(
        db.query,
        { tenant, session, person, ends, ...wish },
        now(),
      )
      await record(
        db.query,
        asker,
        { action: 'command.queued', subject: `${session} ${wish.id}` },
        now(),
      )
      return told(command)
    },
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/commands',
    summary: 'Lists the commands of a session and what became of each, the newest first',
    scopes: ['steer', 'export'],
    async run({ db, now }, { asker, params: { id: session = '' } }) {
      await own(db.query, asker, session)
      const rows = await commandsOf(db.query, { tenant: asker.tenant, session }, now())
      return { commands: rows.map(told) }
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/commands/claim',
    summary: 'Gives the machine what is to be done; each command goes to one machine',
    scopes: ['export'],
    async run({ db, now }, { asker, params: { id: session = '' } }) {
      await own(db.query, asker, session)
      const { tenant, machine } = asker
      const rows = await claimCommands(db, { tenant, session, machine }, now())
      return { commands: rows.map((row) => ({ ...told(row), content: row.content })) }
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/commands/:command/settle',
    summary:
      'Says what became of a command: applied, with the event that shows it, or refused, and why',
    scopes: ['export'],
    body: Settlement,
    async run({ db, now }, { asker, params: { id: session = '', command: id = '' }, body }) {
      await own(db.query, asker, session)
      const name = { tenant: asker.tenant, session, id }
      const before = await commandOf(db.query, name)
      if (before !== undefined && before.machine !== null && before.machine !== asker.machine)
        throw new ControlError(
          'conflict',
          'Another machine has claimed this command. Nothing was changed.',
        )
      const settled = await settleCommand(db.query, name, body, now())
      if (settled === undefined) throw new ControlError('not_found', 'There is no such command.')
      return told(settled)
    },
  }),
]

const told = ({
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
