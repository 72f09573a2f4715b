/** For a machine that brings many sessions at once: what is there, and that it be read. */
import { z } from 'zod'
import { headsOf } from '../sessions/heads.ts'
import { checked } from './checked-query.ts'
import { route } from './route.ts'

const MOST = 1000
const Wanted = z.object({ sessions: z.array(z.string().min(1).max(100)).min(1).max(MOST) })
const HeadsQuery = z.object({ of: z.string().max(30_000).optional() })

export const syncRoutes = [
  route({
    method: 'GET',
    path: '/api/heads',
    summary:
      'How far the log of each of one’s own sessions goes, those in the trash too, and the hash of its last record; with of=id,id… only of these',
    scopes: ['export', 'watch'],
    run: async ({ db }, { asker, query }) => ({
      sessions: await headsOf(db.query, asker, checked(HeadsQuery, query).of?.split(',')),
    }),
  }),
  route({
    method: 'POST',
    path: '/api/analytics/backfill',
    summary:
      'Has these sessions of one’s own read for search, SQL and reports; others are left out',
    scopes: ['export'],
    status: 202,
    body: Wanted,
    async run({ db, backfill }, { asker, body }) {
      const own = new Set((await headsOf(db.query, asker, body.sessions)).map(({ id }) => id))
      const sessions = [...new Set(body.sessions)].filter((id) => own.has(id))
      if (sessions.length > 0) backfill.queue(asker, sessions)
      return { queued: sessions.length }
    },
  }),
  route({
    method: 'GET',
    path: '/api/analytics/backfill',
    summary: 'How many of one’s own sessions wait to be read on this node',
    scopes: ['export', 'watch'],
    run: async ({ backfill }, { asker }) => ({ waiting: backfill.waiting(asker) }),
  }),
]
