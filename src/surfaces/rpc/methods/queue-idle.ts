/**
 * A host that has work of its own in the background puts off that a session is idle, and asks what is to be done when
 * that work is over.
 */
import { z } from 'zod'
import type { HostedSession } from '../hosted-session.ts'
import { passOn, sessionMethod, type Methods } from '../method.ts'

type PutOff = { readonly aborted: boolean }

const putOff = new WeakMap<HostedSession, PutOff>()
const work = { activeBackgroundWork: z.boolean().default(false) }

export const queueIdleMethods: Methods = {
  'session.queue.deferSessionIdle': sessionMethod(
    'Puts off that the session is idle, until the host has ended its own work.',
    { aborted: z.boolean().default(false) },
    (session, { aborted }) => {
      putOff.set(session, { aborted })
    },
  ),
  'session.queue.beginDeferredIdleDrain': sessionMethod(
    'Whether what was put off can be decided now.',
    work,
    (session, { activeBackgroundWork }) => ({
      shouldDrain: putOff.has(session) && !activeBackgroundWork,
    }),
  ),
  'session.queue.finishDeferredIdleDrain': sessionMethod(
    'What the host is to do now: nothing, let the queue go on, or say that the session is idle.',
    { ...work, hasPending: z.boolean().default(false) },
    (session, { activeBackgroundWork, hasPending }) => {
      const waiting = putOff.get(session)
      if (waiting === undefined || activeBackgroundWork) return { action: 'none', aborted: false }
      putOff.delete(session)
      return { action: hasPending ? 'processQueue' : 'emitSessionIdle', aborted: waiting.aborted }
    },
  ),
  'session.queue.process': passOn('changeQueue', {
    summary: 'Lets the queue go on, when it is held.',
    to: () => [{ kind: 'release' }],
  }),
  'session.queue.enqueueResumePending': passOn('continueWork', {
    summary: 'Goes on with a turn that was left waiting for an answer when its process ended.',
    from: (queued) => ({ queued }),
  }),
}
