/** What is kept open: a session as it happens, and a list of sessions. */
import { defined } from '../../lib/defined.ts'
import { activity } from './activity.ts'
import { liveSession } from './live.ts'
import { route } from './route.ts'

export const liveRoutes = [
  route({
    method: 'GET',
    path: '/api/stream',
    summary: 'Tells which sessions change, for a list that is kept open',
    scopes: ['watch', 'export'],
    answers: 'text/event-stream',
    run: async (control, { asker, signal }) => activity(control, asker, signal),
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/live',
    summary:
      'A session as it happens: events after the one that `after` or Last-Event-ID names, what is told and not stored, presence and commands',
    scopes: ['watch', 'export'],
    answers: 'text/event-stream',
    isForGuests: true,
    run: (control, { asker, params: { id = '' }, query, headers, signal }) => {
      const after = headers.get('last-event-id') ?? query['after']
      return liveSession(control, { asker, id, ...defined({ after }) }, signal)
    },
  }),
]
