/** What can be done with sessions. Every one is a POST; nothing is changed by anything else. */
import { setImmediate as nextRound } from 'node:timers/promises'
import type { SessionId } from '../../format/ids.ts'
import type * as api from './api.ts'
import { WebFailure } from './failure.ts'
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
    async ({ engine, cwd }, { body }): Promise<api.CreatedAnswer> => {
      const sessionId = await engine.create({ cwd, ...defined(body) })
      await engine.save(sessionId)
      return { sessionId }
    },
  ),
  post(
    '/api/sessions/:id/send',
    {
      ...session,
      summary: 'Sends a message',
      answer: 'SentAnswer',
      body: ask.SendBody,
      status: 202,
    },
    (web, { params, body }) => send(web, params.id, body),
  ),
  post(
    '/api/sessions/:id/cancel',
    { ...session, summary: 'Stops the turn that runs', answer: 'CancelledAnswer' },
    async ({ engine }, { params }): Promise<api.CancelledAnswer> => ({
      cancelled: await engine.cancelAnywhere(params.id),
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
    async ({ engine }, { params, body: { requestId, decision, feedback } }) => {
      const said = feedback === undefined ? {} : { feedback }
      await engine.answerAnywhere(params.id, requestId, { kind: decision, ...said })
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
      await engine.answerQuestionAnywhere(params.id, body.requestId, body.answer)
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
    ({ engine }, { params: { id }, body }) => {
      if (body.action === 'edit') engine.editQueued(id, body.messageId, body.prompt)
      else if (body.action === 'move') engine.moveQueued(id, body.messageId, body.place)
      else if (body.action === 'remove') engine.removeQueued(id, body.messageId)
      else if (body.action === 'clear') engine.clearQueue(id)
      else engine.resumeQueue(id)
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
    ({ engine }, { params, body: { eventId, mode } }): Promise<api.RewoundAnswer> =>
      engine.rewind(params.id, eventId, { mode }),
  ),
  post(
    '/api/sessions/:id/undo',
    { ...session, summary: 'Rewinds the last turns', answer: 'RewoundAnswer', body: ask.UndoBody },
    ({ engine }, { params, body }): Promise<api.RewoundAnswer> => engine.undo(params.id, body),
  ),
  post(
    '/api/sessions/:id/redo',
    { ...session, summary: 'Brings back what the last rewind took', answer: 'RedoneAnswer' },
    ({ engine }, { params }): Promise<api.RedoneAnswer> => engine.redo(params.id),
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
    ({ engine }, { params, body }): Promise<api.ForkedAnswer> =>
      engine.fork(params.id, defined(body)),
  ),
  post(
    '/api/sessions/:id/compact',
    {
      ...session,
      summary: 'Puts a summary in the place of earlier messages, for the model',
      answer: 'CompactedAnswer',
      body: ask.CompactBody,
    },
    ({ engine }, { params, body }): Promise<api.CompactedAnswer> =>
      engine.compact(params.id, defined(body)),
  ),
  post(
    '/api/sessions/:id/rename',
    { ...session, summary: 'Names it', answer: 'RenamedAnswer', body: ask.RenameBody },
    async ({ engine }, { params, body }): Promise<api.RenamedAnswer> => ({
      name: await engine.rename(params.id, body.name),
    }),
  ),
  post(
    '/api/sessions/:id/delete',
    { ...session, summary: 'Moves it to the trash', answer: 'DeletedAnswer', body: ask.DeleteBody },
    async ({ engine }, { params, body }): Promise<api.DeletedAnswer> => {
      const [removal] = await engine.remove([params.id], body)
      if (removal === undefined) throw new WebFailure('internal', 'Nothing was deleted.')
      if (removal.outcome === 'kept') throw removal.error
      return { outcome: removal.outcome, bytes: removal.bytes }
    },
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
      if (body.text === null) await engine.deletePlan(params.id)
      else await engine.writePlan(params.id, body.text)
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
      await engine.writeFile(
        params.id,
        body.path,
        new Uint8Array(Buffer.from(body.base64, 'base64')),
      )
      return ok
    },
  ),
  post(
    '/api/sessions/:id/mode',
    { ...session, summary: 'How the agent works', answer: 'OkAnswer', body: ask.ModeBody },
    async ({ engine }, { params, body }) => {
      await engine.setMode(params.id, body.mode)
      return ok
    },
  ),
  post(
    '/api/sessions/:id/model',
    { ...session, summary: 'Which model answers', answer: 'OkAnswer', body: ask.ModelBody },
    async ({ engine }, { params, body: { model, reasoningEffort } }) => {
      const effort = reasoningEffort === undefined ? {} : { reasoningEffort }
      await engine.setModel(params.id, { model, ...effort })
      return ok
    },
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
      const { id } = await engine.metadata(params.id)
      return guestLink(id, body.hours)
    },
  ),
]

const BUSY = { queue: 'enqueue', steer: 'steer', refuse: 'refuse' } as const

type Message = {
  readonly prompt: string
  readonly whenBusy: keyof typeof BUSY
  readonly wait: boolean
}

/** Answers as soon as the message is in the log or in a queue, here or elsewhere; what becomes of it is told by the stream. */
async function send(
  { engine, desk, hub }: Web,
  id: SessionId,
  { prompt, whenBusy, wait }: Message,
): Promise<api.SentAnswer> {
  // Opens the session, so that nothing but the message itself is waited for.
  using _held = await hub.hold(id)
  const before = new Set(engine.queue(id).map((entry) => entry.id))
  const { promise: written, resolve } = Promise.withResolvers<api.SentAnswer>()
  using _changes = engine.subscribe((change) => {
    if (change.id !== id || change.kind !== 'records') return
    const isIn = change.records.some(
      ({ event }) =>
        !('stranger' in event) && event.type === 'user.message' && event.data.content === prompt,
    )
    if (isIn) resolve({ status: 'accepted' })
  })
  const sent = desk.during(id, () =>
    engine.sendAnywhere(id, { prompt }, { whenBusy: BUSY[whenBusy] }),
  )
  if (wait) return await sent
  sent.catch(() => {}) // it is looked at below, a moment later
  await nextRound()
  const queued = engine.queue(id).find((entry) => !before.has(entry.id))
  if (queued !== undefined) resolve({ status: 'queued', messageId: queued.id })
  // What fails before the message is in the log is this answer; what fails later, the log tells.
  return await Promise.race([sent, written])
}
