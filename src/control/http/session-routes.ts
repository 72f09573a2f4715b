/** Sessions of a tenant: listed, claimed, heard of, shared, deleted. Their logs are streams. */
import type { Control } from '../control.ts'
import { pinSession, shareSession } from '../sessions/change.ts'
import { deleteSession, restoreSession, trashSession } from '../sessions/trash.ts'
import { claimForMachine } from '../sessions/claim.ts'
import { grantsOf, grantSteering } from '../sessions/grants.ts'
import { hear, presenceOf } from '../sessions/presence.ts'
import { listSessions, sessionsMeantBy } from '../sessions/list.ts'
import { own, pathOf, readable, type SessionRow } from '../sessions/stored-session.ts'
import { policiesOf } from '../streams/policies.ts'
import { findStream } from '../streams/find.ts'
import { lastRecord } from '../streams/last-record.ts'
import { offsetOf } from '../../format/stream-offset.ts'
import { Grant, Heartbeat, LiveNotices, Pin, SessionsQuery, Sharing } from './bodies.ts'
import { checked } from './checked-query.ts'
import { route } from './route.ts'
import { PREFIX } from './stream-access.ts'
import { defined } from '../../lib/defined.ts'

const WATCH = ['watch', 'export'] as const

export const sessionRoutes = [
  route({
    method: 'GET',
    path: '/api/sessions',
    summary:
      'Lists the sessions that the asker may see, the last changed first; those of a repository before others, those with all words of q, or those that a word means by id, task, name or first prompt',
    scopes: WATCH,
    async run({ db, now }, { asker, query }) {
      const { meant, q, limit = 1000, offset, repository } = checked(SessionsQuery, query)
      if (meant !== undefined) {
        const found = await sessionsMeantBy(db.query, asker, meant)
        const sessions = found.map(({ by, session }) => ({ ...told(session, now()), by }))
        return { sessions, total: sessions.length }
      }
      const words = q?.split(/\s+/).filter(Boolean)
      const wish = { limit, offset, repository, words }
      const { sessions, total } = await listSessions(db.query, asker, wish)
      return { sessions: sessions.map((row) => told(row, now())), total }
    },
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id',
    summary: 'One session: where its log is, how far it goes, and when it was last heard of',
    scopes: WATCH,
    isForGuests: true,
    async run(control, { asker, params: { id = '' } }) {
      const session = await readable(control.db.query, asker, id)
      const log = await logOf(control, session)
      if (asker.guestOf !== undefined)
        return control.forGuest({ ...toldToGuest(session, control.now()), events: log.events })
      return { ...told(session, control.now()), ...log }
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/claim',
    summary:
      'Claims the right to append for this token’s machine; who had it is refused from now on. With begin=true a session that is not there is begun',
    scopes: ['export'],
    async run({ db, now }, { asker, params: { id = '' }, query }) {
      const wish = { id, begin: query['begin'] === 'true' }
      const { path, head, ...claim } = await claimForMachine(db, asker, wish, now())
      return { ...claim, stream: `${PREFIX}${path}`, offset: offsetOf(head), events: head }
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/heartbeat',
    summary: 'Says that the machine is there, and what the session does',
    scopes: ['export'],
    body: Heartbeat,
    async run(control, { asker, params: { id = '' }, body }) {
      const { db, now } = control
      const { state, activity } = body
      const session = await own(db.query, asker, id)
      if (await hear(db.query, session, defined(body), now())) control.moved(session)
      return presenceOf({ ...session, ...defined({ state, activity }), heard: now() }, now())
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/notices',
    summary:
      'Tells those who watch now what happens, without storing it; answers whether there are any',
    scopes: ['export'],
    body: LiveNotices,
    async run({ db, notices }, { asker, params: { id = '' }, body }) {
      const session = await own(db.query, asker, id)
      notices.tell(session, body.notices)
      return { isWatched: notices.isWatched(session) }
    },
  }),
  route({
    method: 'GET',
    path: '/api/sessions/:id/grants',
    summary:
      'Tells who sees a session, whether it is kept, and who besides its person may steer it',
    scopes: WATCH,
    async run({ db }, { asker, params: { id = '' } }) {
      const session = await readable(db.query, asker, id)
      return {
        person: session.person,
        sharing: session.sharing,
        isPinned: session.pinned === 1,
        grants: await grantsOf(db.query, session),
      }
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/grants',
    summary: 'Lets a person steer with these kinds of command; without kinds, no more',
    scopes: ['steer'],
    body: Grant,
    async run(control, { asker, params: { id = '' }, body }) {
      const grants = await grantSteering(control.db, asker, { id, ...body }, control.now())
      control.moved({ tenant: asker.tenant, id })
      return { grants }
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/sharing',
    summary: 'Makes a session private, or shares it with the team',
    scopes: ['export', 'steer', 'admin'],
    body: Sharing,
    async run(control, { asker, params: { id = '' }, body }) {
      const session = await shareSession(control.db, asker, { id, ...body }, control.now())
      control.moved(session)
      return told(session, control.now())
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/pin',
    summary: 'Keeps a session whatever its age, or no more',
    scopes: ['export', 'steer'],
    body: Pin,
    run: async ({ db, now }, { asker, params: { id = '' }, body }) =>
      told(await pinSession(db, asker, { id, ...body }, now()), now()),
  }),
  route({
    method: 'GET',
    path: '/api/trash',
    summary: 'Lists one’s own sessions that are in the trash',
    scopes: WATCH,
    async run({ db }, { asker }) {
      const rows = await db.query
        .selectFrom('sessions')
        .selectAll()
        .where('tenant', '=', asker.tenant)
        .where('person', '=', asker.person)
        .where('trashed', 'is not', null)
        .orderBy('trashed', 'desc')
        .limit(1000)
        .execute()
      return {
        sessions: rows.map(({ id, name, repository, trashed }) => ({
          id,
          title: name ?? repository ?? id,
          deletedAt: new Date(trashed ?? 0).toISOString(),
        })),
      }
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/restore',
    summary: 'Takes a session out of the trash; one that was deleted may be exported again',
    scopes: ['export', 'steer'],
    async run(control, { asker, params: { id = '' } }) {
      const { isThere } = await restoreSession(control.db, asker, id, control.now())
      control.moved({ tenant: asker.tenant, id })
      return { id, isThere }
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/sessions/:id',
    summary:
      'Puts a session into the trash; with now=true deletes it for good: every generation, its commands, contents that only it names',
    scopes: ['export', 'steer', 'admin'],
    async run(control, { asker, params: { id = '' }, query }) {
      const at = control.now()
      const remove = query['now'] === 'true' ? deleteSession : trashSession
      const rev = await remove(control.db, asker, id, at)
      control.moved({ tenant: asker.tenant, id })
      return { id, at, ...defined({ rev }) }
    },
  }),
]

/** Neither who nor where, and nothing that a guest could do. */
export const toldToGuest = (session: SessionRow, now: number) => ({
  id: session.id,
  person: '',
  machine: null,
  name: session.name,
  repository: session.repository,
  generation: session.generation,
  isSteerable: false,
  startTime: new Date(session.made).toISOString(),
  modifiedTime: new Date(session.changed).toISOString(),
  presence: presenceOf(session, now),
})

export const told = (session: SessionRow, now: number) => ({
  id: session.id,
  person: session.person,
  machine: session.machine,
  sharing: session.sharing,
  name: session.name,
  repository: session.repository,
  branch: session.branch,
  summary: session.summary,
  generation: session.generation,
  isSteerable: session.steerable === 1,
  isPinned: session.pinned === 1,
  startTime: new Date(session.made).toISOString(),
  modifiedTime: new Date(session.changed).toISOString(),
  presence: presenceOf(session, now),
})

async function logOf({ db, now }: Control, { tenant, id, generation }: SessionRow) {
  const path = pathOf(id, generation)
  const stream = await findStream(db, db.query, { tenant, path }, now())
  return {
    stream: `${PREFIX}${path}`,
    events: stream?.head ?? 0,
    offset: offsetOf(stream?.head ?? 0),
    bytes: stream?.bytes ?? 0,
    ...(stream !== undefined && (await lastRecord(db.query, stream))),
    redaction: stream === undefined ? [] : await policiesOf(db.query, stream),
  }
}
