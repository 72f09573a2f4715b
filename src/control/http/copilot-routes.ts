/** The remote wire of the Copilot CLI, as its program speaks it (`COPILOT_MC_BASE_URL` = this server with /copilot). */
import { parseJson } from '../../lib/limit-depth.ts'
import { randomUUID } from 'node:crypto'
import { z } from 'zod'
import { claimCommands, type Command } from '../commands/commands.ts'
import { KINDS } from '../commands/kinds.ts'
import { steer } from '../commands/steer.ts'
import { ControlError } from '../control-error.ts'
import type { Control } from '../control.ts'
import { isEphemeral, toldBy } from '../copilot/derive.ts'
import { upload } from '../copilot/upload.ts'
import { defined } from '../../lib/defined.ts'
import { fieldsOf, objectsOf } from '../../lib/fields.ts'
import type { Asker } from '../people/scopes.ts'
import { newId } from '../people/secret.ts'
import { beginSession } from '../sessions/begin.ts'
import { hear } from '../sessions/presence.ts'
import { listSessions } from '../sessions/list.ts'
import { own, pathOf, readable, type SessionRow } from '../sessions/stored-session.ts'
import { findStream } from '../streams/find.ts'
import { readPage } from '../streams/read.ts'
import { memberOf, splitJson } from '../streams/split-json.ts'
import { route } from './route.ts'
import { eventOf, MOST_BODY_BYTES } from './stream-request.ts'

/** Open: fields of other versions are kept out of the way, not refused. */
const NewSession = z.looseObject({ id: z.string().optional() })
const Steer = z.looseObject({ content: z.string().max(256 * 1024), type: z.enum(KINDS).optional() })

const UUID = /^[0-9a-f-]{36}$/i
const EXPORT = ['export'] as const

export const copilotRoutes = [
  route({
    method: 'POST',
    path: '/copilot/sessions',
    summary: 'Copilot CLI: begins the export of a session',
    scopes: EXPORT,
    status: 201,
    body: NewSession,
    async run({ db, now }, { asker, body }) {
      const wanted = body.id !== undefined && UUID.test(body.id) ? body.id : randomUUID()
      const { session } = await beginSession(db, asker, { id: wanted }, now()).catch(
        (error: unknown) => {
          // The id is another person's here: this one gets an id of its own.
          if (error instanceof ControlError && error.code === 'conflict')
            return beginSession(db, asker, { id: randomUUID() }, now())
          throw error
        },
      )
      return told(session)
    },
  }),
  route({
    method: 'GET',
    path: '/copilot/sessions/:id',
    summary: 'Copilot CLI: whether a session is still known',
    scopes: EXPORT,
    run: async ({ db }, { asker, params: { id = '' } }) => told(await own(db.query, asker, id)),
  }),
  route({
    method: 'POST',
    path: '/copilot/sessions/:id/events',
    summary: 'Copilot CLI: uploads events and acknowledges commands; without events, a heartbeat',
    scopes: EXPORT,
    mostBytes: MOST_BODY_BYTES,
    run: (control, { asker, params: { id = '' }, bytes }) => takeEvents(control, asker, id, bytes),
  }),
  route({
    method: 'GET',
    path: '/copilot/sessions/:id/commands',
    summary: 'Copilot CLI: what is to be done; a command is handed out once, however many poll',
    scopes: EXPORT,
    async run({ db, now }, { asker, params: { id = '' } }) {
      const session = await own(db.query, asker, id)
      if (session.steerable === 0) await hear(db.query, session, { steerable: true }, now())
      const machine = `${asker.machine} ${newId()}`
      const commands = await claimCommands(
        db,
        { tenant: asker.tenant, session: id, machine },
        now(),
      )
      return { commands: commands.map(toldCommand) }
    },
  }),
  route({
    method: 'DELETE',
    path: '/copilot/sessions/:id',
    summary: 'Copilot CLI: ends the export; what was exported stays',
    scopes: EXPORT,
    async run({ db, now }, { asker, params: { id = '' } }) {
      const session = await own(db.query, asker, id)
      await hear(db.query, session, { steerable: false, state: 'idle' }, now())
      return {}
    },
  }),
  route({
    method: 'GET',
    path: '/copilot/tasks',
    summary: 'Copilot CLI: the list of remote sessions',
    scopes: ['watch', 'export'],
    async run({ db }, { asker }) {
      const { sessions, total } = await listSessions(db.query, asker, { limit: 50 })
      return { tasks: sessions.map(told), total }
    },
  }),
  route({
    method: 'GET',
    path: '/copilot/tasks/:id',
    summary: 'Copilot CLI: one remote session',
    scopes: ['watch', 'export'],
    run: async ({ db }, { asker, params: { id = '' } }) =>
      told(await readable(db.query, asker, id)),
  }),
  route({
    method: 'GET',
    path: '/copilot/tasks/:id/events',
    summary: 'Copilot CLI: the events of a remote session',
    scopes: ['watch', 'export'],
    run: async (control, { asker, params: { id = '' } }) => ({
      events: await eventsOf(control, await readable(control.db.query, asker, id)),
    }),
  }),
  route({
    method: 'POST',
    path: '/copilot/tasks/:id/steer',
    summary: 'Copilot CLI: sends a prompt or a command to a remote session',
    scopes: ['steer'],
    status: 202,
    body: Steer,
    async run(
      control,
      { asker, params: { id: session = '' }, body: { content, type: kind = 'user_message' } },
    ) {
      const command = await steer(
        control,
        asker,
        session,
        { id: randomUUID(), kind, content },
        { isSteerable: true },
      )
      return toldCommand(command)
    },
  }),
]

/** With the bytes of the body: each event is kept as it came. */
async function takeEvents(
  control: Control,
  asker: Asker,
  id: string,
  body: Uint8Array,
): Promise<object> {
  const session = await own(control.db.query, asker, id)
  const { events, completed_command_ids: ids } = parsed(body)
  const all = objectsOf(events)
  const lines = splitJson(memberOf(body, 'events') ?? Buffer.from('[]')) ?? []
  const kept = lines
    .filter((_, at) => !isEphemeral(fieldsOf((events as readonly unknown[])[at])))
    .flatMap((line) => eventOf(line) ?? [])
  const acknowledged = Array.isArray(ids) ? ids.filter((each) => typeof each === 'string') : []
  const notices = all.filter(isEphemeral)
  if (notices.length > 0) control.notices.tell(session, notices)
  const done = await upload(control, asker, { session: id, events: kept, acknowledged })
  const told = { ...defined(toldBy(all)), hasChanged: done.written > 0 }
  if (await hear(control.db.query, session, told, control.now())) control.moved(session)
  return done
}

function parsed(body: Uint8Array) {
  try {
    return fieldsOf(parseJson(Buffer.from(body).toString()))
  } catch (cause) {
    throw new ControlError('invalid', 'The body is not JSON. Nothing was changed.', { cause })
  }
}

const told = (session: SessionRow) => ({
  id: session.id,
  task_id: session.id,
  name: session.name ?? session.repository ?? session.id,
  state: session.state === 'error' ? 'failed' : 'in_progress',
  created_at: new Date(session.made).toISOString(),
  updated_at: new Date(session.changed).toISOString(),
})

/** A prompt has no type there. */
const toldCommand = ({ id, content, kind }: Command) => ({
  id,
  content,
  state: 'in_progress',
  ...(kind !== 'user_message' && { type: kind }),
})

async function eventsOf(
  { db, now }: Control,
  { tenant, id, generation }: SessionRow,
): Promise<unknown[]> {
  const stream = await findStream(db, db.query, { tenant, path: pathOf(id, generation) }, now())
  const events: unknown[] = []
  if (stream === undefined) return events
  for (let after = 0; after < stream.head;) {
    const { records, next } = await readPage(db.query, stream, after)
    if (records.length === 0) break
    for (const { bytes } of records) events.push(parseJson(Buffer.from(bytes).toString()))
    after = next
  }
  return events
}
