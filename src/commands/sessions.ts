/** Which sessions there are, and which one is looked at: `/session`, `/resume`, `/new`, `/exit`. */
import { z } from 'zod'
import { ago } from '../lib/quantities.ts'
import { sessionTitle } from '../state/session-title.ts'
import { command } from './command.ts'
import { findSession } from './find-session.ts'
import { listSessions } from './list-sessions.ts'
import { code, plain } from './markdown.ts'

export const sessions = command({
  name: 'session',
  summary: 'choose a session, or look at this one',
  changes: 'nothing',
  on: 'home',
  args: z.object({}),
  run: (context) => listSessions(context, {}),
  say({ sessions: near, total }, { now }) {
    if (total === 0) return 'There are no sessions yet.'
    const rows = near.map(
      (session) =>
        `- ${code(session.id.slice(0, 8))} ${plain(sessionTitle(session))} · ${ago(session.modifiedAt, now())}`,
    )
    return [...rows, ...(total > near.length ? [`- … ${total - near.length} more`] : [])].join('\n')
  },
})

export const resume = command({
  name: 'resume',
  summary: 'go on with another session',
  changes: 'view',
  needs: 'view',
  on: 'home',
  args: z.object({ session: z.string().describe('its id, the beginning of it, or its name') }),
  words: ['session…'],
  async run(context, { session }) {
    const sessionId = await findSession(context, context.engine, session)
    await context.view?.open(sessionId)
    return { sessionId }
  },
  say: () => '',
})

export const fresh = command({
  name: 'new',
  summary: 'start a new session',
  changes: 'view',
  needs: 'view',
  on: 'home',
  args: z.object({}),
  run: async ({ view }) => view?.open(undefined),
  say: () => '',
})

export const exit = command({
  name: 'exit',
  aliases: ['quit'],
  summary: 'leave; everything is kept',
  changes: 'view',
  needs: 'view',
  on: 'home',
  args: z.object({}),
  run: async ({ view }) => view?.quit(),
  say: () => '',
})
