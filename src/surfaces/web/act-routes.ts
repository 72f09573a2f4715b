/** What can be done with sessions, each a POST. What has a verb of its own is in `address-routes.ts`. */
import type { SessionId } from '../../format/ids.ts'
import type { QueueChange } from '../../format/inbox.ts'
import type * as api from './api.ts'
import { deleteSession } from './address-routes.ts'
import { attachmentsOf } from './attachments.ts'
import type { SentFile } from './attachments.ts'
import { runCommand } from './commands.ts'
import { createSession } from './create-session.ts'
import { defined } from '../../lib/defined.ts'
import * as ask from './requests.ts'
import { post } from './route.ts'
import type { Web } from './route.ts'

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
    '/api/sessions/:id/cancel',
    { ...session, summary: 'Stops the turn that runs', answer: 'CancelledAnswer' },
    async ({ engine }, { params }): Promise<api.CancelledAnswer> => ({
      cancelled: await (await engine.open(params.id)).cancel(),
    }),
  ),
  post(
    '/api/sessions/:id/answer',
    {
      ...session,
      summary: 'Answers a request for permission; the first answer wins',
      answer: 'OkAnswer',
      body: ask.AnswerBody,
    },
    async ({ engine }, { params, body: { requestId, decision, feedback, option } }) => {
      const session = await engine.open(params.id)
      await session.answer(requestId, { kind: decision, ...defined({ feedback, option }) })
      return ok
    },
  ),
  post(
    '/api/sessions/:id/answer-question',
    {
      ...session,
      summary: 'Answers a question of the agent; the first answer wins',
      answer: 'OkAnswer',
      body: ask.AnswerQuestionBody,
    },
    async ({ engine }, { params, body }) => {
      await (await engine.open(params.id)).answerQuestion(body.requestId, body.answer)
      return ok
    },
  ),
  post(
    '/api/sessions/:id/queue',
    {
      ...session,
      summary: 'Changes what waits for the running turn to end',
      answer: 'OkAnswer',
      body: ask.QueueBody,
    },
    async ({ engine }, { params: { id }, body }) => {
      await (await engine.open(id)).changeQueue(queueChange(body))
      return ok
    },
  ),
  post(
    '/api/sessions/:id/rewind',
    {
      ...session,
      summary: 'Takes an event and all after it away',
      answer: 'RewoundAnswer',
      body: ask.RewindBody,
    },
    async ({ engine }, { params, body: { eventId, mode } }): Promise<api.RewoundAnswer> =>
      (await engine.open(params.id)).rewind(eventId, defined({ mode })),
  ),
  post(
    '/api/sessions/:id/undo',
    { ...session, summary: 'Rewinds the last turns', answer: 'RewoundAnswer', body: ask.UndoBody },
    async ({ engine }, { params, body }): Promise<api.RewoundAnswer> =>
      (await engine.open(params.id)).undo(defined(body)),
  ),
  post(
    '/api/sessions/:id/redo',
    { ...session, summary: 'Brings back what the last rewind took', answer: 'RedoneAnswer' },
    async ({ engine }, { params }): Promise<api.RedoneAnswer> =>
      (await engine.open(params.id)).redo(),
  ),
  post(
    '/api/sessions/:id/fork',
    {
      ...session,
      summary: 'Makes another session with the same beginning',
      answer: 'ForkedAnswer',
      body: ask.ForkBody,
      status: 201,
    },
    async ({ engine }, { params, body }): Promise<api.ForkedAnswer> =>
      (await engine.open(params.id)).fork(defined(body)),
  ),
  post(
    '/api/sessions/:id/compact',
    {
      ...session,
      summary: 'Puts a summary in the place of earlier messages, for the model',
      answer: 'CompactedAnswer',
      body: ask.CompactBody,
    },
    async ({ engine }, { params, body }): Promise<api.CompactedAnswer> =>
      (await engine.open(params.id)).compact(defined(body)),
  ),
  post(
    '/api/sessions/:id/rename',
    { ...session, summary: 'Names it', answer: 'RenamedAnswer', body: ask.RenameBody },
    async ({ engine }, { params, body }): Promise<api.RenamedAnswer> => ({
      name: await (await engine.open(params.id)).rename(body.name),
    }),
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
    '/api/sessions/:id/files',
    {
      ...session,
      summary: "Writes one of the session's own files",
      answer: 'OkAnswer',
      body: ask.FileBody,
      mostBytes: 16 * 1024 * 1024,
    },
    async ({ engine }, { params, body }) => {
      const bytes = new Uint8Array(Buffer.from(body.base64, 'base64'))
      await (await engine.open(params.id)).writeFile(body.path, bytes)
      return ok
    },
  ),
  post(
    '/api/sessions/:id/mode',
    { ...session, summary: 'How the agent works', answer: 'OkAnswer', body: ask.ModeBody },
    async ({ engine }, { params, body }) => {
      await (await engine.open(params.id)).setMode(body.mode)
      return ok
    },
  ),
  post(
    '/api/sessions/:id/model',
    { ...session, summary: 'Which model answers', answer: 'OkAnswer', body: ask.ModelBody },
    async ({ engine }, { params, body: { model, reasoningEffort } }) => {
      await (await engine.open(params.id)).setModel({ model, ...defined({ reasoningEffort }) })
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

function queueChange(body: ask.QueueRequest): QueueChange {
  if (body.action === 'move')
    return { kind: 'move', messageId: body.messageId, position: body.place }
  if (body.action === 'resume') return { kind: 'release' }
  const { action: kind, ...rest } = body
  return { kind, ...rest } as QueueChange
}
