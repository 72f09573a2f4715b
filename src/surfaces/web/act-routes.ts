/** What can be done with sessions, each a POST. What has a verb of its own is in `address-routes.ts`. */
import type { SessionId } from '../../format/ids.ts'
import type * as api from './api.ts'
import { deleteSession } from './address-routes.ts'
import { attachmentsOf, type SentFile } from './attachments.ts'
import { runCommand } from './commands.ts'
import { createSession } from './create-session.ts'
import * as ask from './requests.ts'
import { post, type Web } from './route.ts'

const session = { params: ask.SessionParams }
const ok: api.OkAnswer = { ok: true }

export const actRoutes = [
  post(
    '/api/sessions',
    { summary: 'Makes a session', answer: 'CreatedAnswer', body: ask.CreateBody, status: 201 },
    (web, { body }) => createSession(web, body),
  ),
  post(
    '/api/sessions/:id/send',
    {
      ...session,
      summary: 'Sends a message',
      answer: 'SentAnswer',
      body: ask.SendBody,
      status: 202,
      mostBytes: 32 * 1024 * 1024,
    },
    (web, { params, body }) => send(web, params.id, body),
  ),
  post(
    '/api/sessions/:id/command',
    {
      ...session,
      summary: 'Runs a command, as it is typed behind a slash',
      answer: 'CommandAnswer',
      body: ask.CommandBody,
    },
    (web, { params, body }) => runCommand(web, params.id, body.text),
  ),
  post(
    '/api/sessions/:id/delete',
    { ...session, summary: 'Moves it to the trash', answer: 'DeletedAnswer', body: ask.DeleteBody },
    (web, { params, body }) => deleteSession(web, params.id, body),
  ),
  post(
    '/api/sessions/:id/restore',
    { ...session, summary: 'Brings it back from the trash', answer: 'RestoredAnswer' },
    async ({ engine }, { params }): Promise<api.RestoredAnswer> => ({
      sessionId: await engine.restore(params.id),
    }),
  ),
  post(
    '/api/sessions/:id/plan',
    { ...session, summary: 'Writes or removes the plan', answer: 'OkAnswer', body: ask.PlanBody },
    async ({ engine }, { params, body }) => {
      const session = await engine.open(params.id)
      await (body.text === null ? session.deletePlan() : session.writePlan(body.text))
      return ok
    },
  ),
  post(
    '/api/link',
    { summary: 'Makes a link that logs another browser in', answer: 'LinkAnswer', status: 201 },
    ({ link }): api.LinkAnswer => ({ link: link() }),
  ),
  post(
    '/api/sessions/:id/guest-link',
    {
      ...session,
      summary: 'Makes a link with which others watch it, read-only and without secrets',
      answer: 'GuestLinkAnswer',
      body: ask.GuestLinkBody,
      status: 201,
    },
    async ({ engine, guestLink }, { params, body }): Promise<api.GuestLinkAnswer> => {
      const { id } = await (await engine.open(params.id)).metadata()
      return guestLink(id, body.hours)
    },
  ),
]

const BUSY = { queue: 'enqueue', steer: 'steer', refuse: 'refuse' } as const

type Message = {
  readonly prompt: string
  readonly attachments: readonly SentFile[]
  readonly whenBusy: keyof typeof BUSY
  readonly wait: boolean
}

/** Answers as soon as the message is in the log or in a queue, here or elsewhere; what becomes of it is told by the stream. */
async function send(
  { engine }: Web,
  id: SessionId,
  { prompt, attachments: files, whenBusy, wait }: Message,
): Promise<api.SentAnswer> {
  const session = await engine.open(id)
  const attachments = attachmentsOf(files)
  const message = { prompt, ...(attachments.length > 0 && { attachments }) }
  const options = { whenBusy: BUSY[whenBusy], detached: !wait }
  const { how, messageId, ended } = await session.send(message, options)
  if (wait || how === 'steered') return ended
  return how === 'queued' ? { status: 'queued', messageId } : { status: 'accepted' }
}
