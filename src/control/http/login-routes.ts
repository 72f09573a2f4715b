/** How people and machines come in. */
import { record } from '../people/audit.ts'
import {
  approveDevice,
  beginDevice,
  browserCode,
  finishDevice,
  loginCode,
} from '../people/logins.ts'
import { findPerson } from '../people/people.ts'
import { SCOPES } from '../people/scopes.ts'
import { endOf } from '../people/tokens.ts'
import { Approval, CodeLogin, DeviceLogin, DeviceToken } from './bodies.ts'
import { openRoute, route } from './route.ts'

export const loginRoutes = [
  openRoute({
    method: 'POST',
    path: '/api/login/code',
    summary:
      'Gives a token for the code of a link, once: of the first owner, an invitation or a guest',
    body: CodeLogin,
    isProof: true,
    run: ({ db, now }, { body }) => loginCode(db, body, now()),
  }),
  openRoute({
    method: 'POST',
    path: '/api/login/device',
    summary: 'Begins the login of a machine: a code for itself, and one for its person to type',
    body: DeviceLogin,
    run: ({ db, elsewhere, now }, { body }) => beginDevice([db, ...elsewhere], body, now()),
  }),
  openRoute({
    method: 'POST',
    path: '/api/login/device/token',
    summary: 'Gives the machine its token, once, when its person has said yes; 428 until then',
    body: DeviceToken,
    isProof: true,
    run: ({ db, now }, { body }) => finishDevice(db, body.deviceCode, now()),
  }),
  route({
    method: 'POST',
    path: '/api/login/approve',
    summary: 'Says yes or no to the machine that shows this code',
    scopes: SCOPES,
    body: Approval,
    async run({ db, now }, { asker, body }) {
      const login = await approveDevice(db, asker, body, now())
      const action = body.approve ? 'login.approved' : 'login.refused'
      await record(db.query, asker, { action, subject: login.machine ?? login.name }, now())
      return login
    },
  }),
  route({
    method: 'POST',
    path: '/api/login/link',
    summary:
      'Makes the code of a link that signs a browser in as who asks, once, within ten minutes',
    scopes: SCOPES,
    run: ({ db, now }, { asker }) => browserCode(db, asker, now()),
  }),
  route({
    method: 'GET',
    path: '/api/me',
    summary: 'Says who asks',
    scopes: SCOPES,
    isForGuests: true,
    async run({ db }, { asker }) {
      const { tenant, person, role, machine, scopes, token, guestOf } = asker
      if (guestOf !== undefined) {
        const ends = await endOf(db.query, { tenant, id: token })
        const endsAt = ends === null ? undefined : new Date(ends).toISOString()
        return { tenant, person, name: 'Guest', role, machine, scopes, guestOf, endsAt }
      }
      const found = await findPerson(db.query, tenant, person)
      return { tenant, person, name: found?.name ?? '', role, machine, scopes }
    },
  }),
]
