/** People, their tokens, and the record of who did what. */
import { defined } from '../../lib/defined.ts'
import { ControlError } from '../control-error.ts'
import { auditOf, record } from '../people/audit.ts'
import { makeGuestLink } from '../people/guests.ts'
import { inviteCode } from '../people/logins.ts'
import { addPerson, endPerson, peopleOf, renamePerson } from '../people/people.ts'
import { requireScope } from '../people/require-scope.ts'
import { SCOPES } from '../people/scopes.ts'
import { keepSettings, settingsOf, TenantSettings } from '../people/tenant-settings.ts'
import { createToken, revokeToken, tokensOf } from '../people/tokens.ts'
import { own } from '../sessions/stored-session.ts'
import { GuestLink, NewPerson, NewToken, Renamed } from './bodies.ts'
import { route } from './route.ts'

const DAY_MS = 24 * 3600 * 1000

export const peopleRoutes = [
  route({
    method: 'GET',
    path: '/api/people',
    summary: 'Lists the people of the tenant',
    scopes: SCOPES,
    run: async ({ db }, { asker }) => ({ people: await peopleOf(db.query, asker.tenant) }),
  }),
  route({
    method: 'POST',
    path: '/api/people',
    summary: 'Adds a person',
    scopes: ['admin'],
    status: 201,
    body: NewPerson,
    async run({ db, now }, { asker, body }) {
      const person = await addPerson(db.query, { tenant: asker.tenant, ...body }, now())
      await record(db.query, asker, { action: 'person.added', subject: person.id }, now())
      return { person }
    },
  }),
  route({
    method: 'POST',
    path: '/api/invitations',
    summary: 'Invites a person: the code of a link that is used once, within a week',
    scopes: ['admin'],
    status: 201,
    body: NewPerson,
    async run({ db, now }, { asker, body }) {
      const { code, ends } = await inviteCode(db, { tenant: asker.tenant, ...body }, now())
      await record(db.query, asker, { action: 'person.invited', subject: body.role }, now())
      return { code, fragment: `#code=${code}`, ends: new Date(ends).toISOString() }
    },
  }),
  route({
    method: 'POST',
    path: '/api/sessions/:id/guest-links',
    summary:
      'Makes a link by which a guest sees this session, redacted; revoking its token ends it',
    scopes: ['export', 'steer'],
    status: 201,
    body: GuestLink,
    async run({ db, now }, { asker, params: { id: session = '' }, body: { hours = 24 } }) {
      await own(db.query, asker, session)
      const wish = { session, ms: hours * 3600 * 1000 }
      const { id, code, ends } = await makeGuestLink(db, asker, wish, now())
      return { id, code, fragment: `#guest=${code}`, ends: new Date(ends).toISOString() }
    },
  }),
  route({
    method: 'PUT',
    path: '/api/people/:id',
    summary: 'Says what a person is called: oneself, or anybody for an administrator',
    scopes: SCOPES,
    body: Renamed,
    async run({ db, now }, { asker, params: { id = '' }, body: { name } }) {
      if (id !== asker.person) requireScope(asker, 'admin')
      if (!(await renamePerson(db.query, { tenant: asker.tenant, id, name })))
        throw new ControlError('not_found', 'There is no such person. Nothing was changed.')
      await record(db.query, asker, { action: 'person.renamed', subject: id }, now())
      return { id, name }
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/people/:id',
    summary: 'Ends a person’s access: their tokens are of no use from now on',
    scopes: ['admin'],
    async run({ db, now }, { asker, params: { id = '' } }) {
      if (!(await endPerson(db.query, { tenant: asker.tenant, id }, now())))
        throw new ControlError('not_found', 'There is no such person.')
      await record(db.query, asker, { action: 'person.ended', subject: id }, now())
      return { id }
    },
  }),
  route({
    method: 'GET',
    path: '/api/tokens',
    summary: 'Lists tokens, never their secrets: all for an administrator, else one’s own',
    scopes: SCOPES,
    async run({ db }, { asker }) {
      const all = await tokensOf(db.query, asker.tenant)
      const isAdmin = asker.scopes.includes('admin')
      return { tokens: all.filter(({ person }) => isAdmin || person === asker.person) }
    },
  }),
  route({
    method: 'POST',
    path: '/api/tokens',
    summary: 'Makes a token: for oneself with scopes one has, for others as an administrator',
    scopes: SCOPES,
    status: 201,
    body: NewToken,
    async run({ db, now }, { asker, body: { days, person = asker.person, machine, ...wish } }) {
      if (person !== asker.person) requireScope(asker, 'admin')
      if (!asker.scopes.includes('admin'))
        for (const scope of wish.scopes) requireScope(asker, scope)
      const { text, token } = await createToken(
        db.query,
        {
          tenant: asker.tenant,
          person,
          ...wish,
          ...defined({ machine }),
          ...(days !== undefined && { ends: now() + days * DAY_MS }),
        },
        now(),
      )
      await record(db.query, asker, { action: 'token.created', subject: token.id }, now())
      return { token: text, id: token.id }
    },
  }),
  route({
    method: 'DELETE',
    path: '/api/tokens/:id',
    summary: 'Revokes a token',
    scopes: SCOPES,
    async run({ db, now }, { asker, params: { id = '' } }) {
      const token = (await tokensOf(db.query, asker.tenant)).find((each) => each.id === id)
      if (token === undefined) throw new ControlError('not_found', 'There is no such token.')
      if (token.person !== asker.person) requireScope(asker, 'admin')
      await revokeToken(db.query, { tenant: asker.tenant, id }, now())
      await record(db.query, asker, { action: 'token.revoked', subject: id }, now())
      return { id }
    },
  }),
  route({
    method: 'GET',
    path: '/api/tenant',
    summary: 'Limits and retention of the tenant',
    scopes: SCOPES,
    run: async ({ db }, { asker }) => ({ settings: await settingsOf(db.query, asker.tenant) }),
  }),
  route({
    method: 'PUT',
    path: '/api/tenant',
    summary: 'Sets limits and retention of the tenant; what is not named is not limited',
    scopes: ['admin'],
    body: TenantSettings,
    async run({ db, now }, { asker, body }) {
      await keepSettings(db.query, asker.tenant, body)
      const subject = JSON.stringify(body)
      await record(db.query, asker, { action: 'tenant.changed', subject }, now())
      return { settings: body }
    },
  }),
  route({
    method: 'GET',
    path: '/api/audit',
    summary: 'Lists who did what, the newest first',
    scopes: ['admin'],
    run: async ({ db }, { asker }) => ({ audit: await auditOf(db.query, asker.tenant, 500) }),
  }),
]
