/** Which sessions an open stream follows: its client adds and leaves out as people open and close tabs. */
import type * as api from './api.ts'
import * as ask from './requests.ts'
import { post } from './route.ts'

const ok: api.OkAnswer = { ok: true }

export const streamRoutes = [
  post(
    '/api/stream/follow',
    {
      summary: 'Adds a session to an open stream: what follows `after`, then what happens',
      answer: 'OkAnswer',
      body: ask.FollowBody,
    },
    async ({ engine, streams }, { body: { streamId, key, sessionId, after } }) => {
      // A session that does not exist or cannot be read is told so here.
      await (await engine.open(sessionId)).state()
      streams.follow(streamId, { key, sessionId, after })
      return ok
    },
  ),
  post(
    '/api/stream/unfollow',
    {
      summary: 'Leaves a session out of an open stream',
      answer: 'OkAnswer',
      body: ask.UnfollowBody,
    },
    ({ streams }, { body: { streamId, key } }) => {
      streams.unfollow(streamId, key)
      return ok
    },
  ),
]
