/** What is done to Mission Control at its own shell, beside a server that runs or without one. */
import { resolve } from 'node:path'
import { restore } from '../control/database/backup.ts'
import { keepSettings, settingsOf, TenantSettings } from '../control/people/tenant-settings.ts'
import { tasksOf } from '../control/tasks/tasks.ts'
import { workersOf } from '../control/tasks/workers.ts'
import { sweep } from '../control/sessions/sweep.ts'
import { ownerCode } from '../control/people/logins.ts'
import {
  addPerson,
  addTenant,
  findPerson,
  peopleOf,
  renamePerson,
  tenantsOf,
} from '../control/people/people.ts'
import { ControlError } from '../control/control-error.ts'
import type { Database } from '../control/database/port.ts'
import { NewPerson, Renamed } from '../control/http/bodies.ts'
import { record } from '../control/people/audit.ts'
import { ROLES, SCOPES, scopesIn } from '../control/people/scopes.ts'
import { createToken, revokeToken, tokensOf } from '../control/people/tokens.ts'
import type { ControlPlace, ControlVisit, TokenWish } from '../surfaces/cli/control.ts'
import { defined } from '../lib/defined.ts'
import { checkBackup, linesOfBackup, writeBackup } from './backup-file.ts'
import { asEngineErrors, FIRST_TENANT, openControlDatabase } from './open-control.ts'

const DAY_MS = 24 * 3600 * 1000

export const visitControl = <T>(
  place: ControlPlace,
  work: (visit: ControlVisit) => Promise<T>,
): Promise<T> =>
  asEngineErrors(async () => {
    const onTrouble = (message: string) => void process.stderr.write(`${message}\n`)
    const { isFounder = false, backup, cwd } = place
    if (backup !== undefined) await checkBackup(resolve(cwd, backup))
    const as = isFounder ? 'founder' : 'visitor'
    await using db = await openControlDatabase(place, as, onTrouble)
    const tenant = () => tenantThere(db, place.tenant ?? FIRST_TENANT)
    return await work(visitOf(db, tenant, cwd))
  })

async function tenantThere(db: Database, tenant: string): Promise<string> {
  if ((await tenantsOf(db.query)).some(({ id }) => id === tenant)) return tenant
  throw new ControlError(
    'not_found',
    `There is no tenant ${tenant} here. Nothing was done; "reprise control tenants" lists them.`,
  )
}

/** What is about one tenant asks for it first. */
const visitOf = (db: Database, own: () => Promise<string>, cwd: string): ControlVisit => ({
  createToken: async (wish) => makeToken(db, await own(), wish),
  tokens: async () => tokensOf(db.query, await own()),
  revokeToken: async (id) => {
    if (!(await revokeToken(db.query, { tenant: await own(), id }, Date.now())))
      throw new ControlError('not_found', 'There is no such token that still holds.')
  },
  people: async () => peopleOf(db.query, await own()),
  async addPerson({ name, role }) {
    const person = NewPerson.safeParse({ name, role })
    if (person.success)
      return addPerson(db.query, { tenant: await own(), ...person.data }, Date.now())
    throw new ControlError(
      'invalid',
      `A person has a name of at most 200 letters and a role, one of ${ROLES.join(', ')}. Nobody was added.`,
    )
  },
  async renamePerson({ id, name }) {
    const called = Renamed.safeParse({ name })
    if (!called.success)
      throw new ControlError(
        'invalid',
        'A person has a name of at most 200 letters. Nothing was changed.',
      )
    const wish = { tenant: await own(), id, ...called.data }
    if (!(await renamePerson(db.query, wish)))
      throw new ControlError('not_found', 'There is no such person. Nothing was changed.')
    const shell = { tenant: wish.tenant, person: id, token: 'shell' }
    await record(db.query, shell, { action: 'person.renamed', subject: id }, Date.now())
  },
  tenants: async () => tenantsOf(db.query),
  addTenant: (wish) => makeTenant(db, wish),
  sessions: async () =>
    db.query
      .selectFrom('sessions')
      .select([
        'id',
        'person',
        'machine',
        'sharing',
        'generation',
        'name',
        'repository',
        'state',
        'heard',
        'changed',
      ])
      .where('tenant', '=', await own())
      .orderBy('changed', 'desc')
      .execute(),
  tasks: async () =>
    (await tasksOf(db.query, { tenant: await own() }, 1000)).map(
      ({ id, session, person, pool, state, worker, attempts, made, changed }) => ({
        id,
        session,
        person,
        pool,
        state,
        worker,
        attempts,
        made,
        changed,
      }),
    ),
  workers: async () =>
    (await workersOf(db.query, await own(), Date.now())).map(
      ({ tenant: _tenant, ...told }) => told,
    ),
  async retention(wish, { isAnew, run }) {
    const tenant = await own()
    const before = isAnew ? {} : await settingsOf(db.query, tenant)
    const set = TenantSettings.parse({ ...before, ...wish })
    if (isAnew || Object.keys(wish).length > 0) await keepSettings(db.query, tenant, set)
    return { ...defined(set), ...(run && (await sweep(db, Date.now()))) }
  },
  backup: async (file) => ({ rows: await writeBackup(db, resolve(cwd, file)) }),
  restore: (file, { replace }) =>
    restore(db, linesOfBackup(resolve(cwd, file)), { replace, now: Date.now() }),
  async doctor() {
    const count = async (table: 'sessions' | 'streams' | 'events' | 'commands' | 'blobs') =>
      Number(
        (
          await db.query
            .selectFrom(table)
            .select((of) => of.fn.countAll<number>().as('n'))
            .executeTakeFirst()
        )?.n ?? 0,
      )
    return {
      ...(await db.describe()),
      sessions: await count('sessions'),
      streams: await count('streams'),
      events: await count('events'),
      commands: await count('commands'),
      blobs: await count('blobs'),
      holes: await holesOf(db),
    }
  },
})

async function makeTenant(
  db: Database,
  { id, name }: { readonly id: string; readonly name: string },
) {
  if (!/^[\w-]{1,60}$/.test(id))
    throw new ControlError(
      'invalid',
      'A tenant is called by letters, digits, _ and -. None was added.',
    )
  const now = Date.now()
  if ((await tenantsOf(db.query)).some((tenant) => tenant.id === id))
    throw new ControlError('conflict', `There is a tenant ${id} already. Nothing was changed.`)
  await addTenant(db.query, { id, name }, now)
  const code = await ownerCode(db, id, now)
  if (code === undefined)
    throw new ControlError('conflict', `The tenant ${id} has an owner already. No link was made.`)
  return { code }
}

/** Streams whose own records do not fill their numbers: there are none, unless the database was tampered with. */
async function holesOf(db: Database): Promise<number> {
  const rows = await db.query
    .selectFrom('streams')
    .leftJoin('events', (join) =>
      join.onRef('events.tenant', '=', 'streams.tenant').onRef('events.stream', '=', 'streams.id'),
    )
    .select(['streams.id', 'streams.head', 'streams.source_head'])
    .select((of) => of.fn.count<number>('events.seq').as('records'))
    .groupBy(['streams.tenant', 'streams.id', 'streams.head', 'streams.source_head'])
    .execute()
  return rows.filter((row) => row.head - (row.source_head ?? 0) !== Number(row.records)).length
}

/** For the person that is named, else for the first owner; without one, for a new owner: a lost one comes in again so. */
async function makeToken(
  db: Database,
  tenant: string,
  { name, scope, person, machine, days }: TokenWish,
) {
  const scopes = scopesIn(scope)
  if (scopes === undefined)
    throw new ControlError(
      'invalid',
      `--scope wants some of ${SCOPES.join(', ')}, with commas. No token was made.`,
    )
  const now = Date.now()
  const owner =
    person === undefined
      ? (await peopleOf(db.query, tenant)).find(
          ({ role, ended }) => role === 'owner' && ended === null,
        )
      : await findPerson(db.query, tenant, person)
  if (person !== undefined && owner === undefined)
    throw new ControlError('not_found', 'There is no such person. No token was made.')
  const whose = owner ?? (await addPerson(db.query, { tenant, name, role: 'owner' }, now))
  const wish = { tenant, person: whose.id, name, scopes }
  const ends = days === undefined ? undefined : now + days * DAY_MS
  const { text, token } = await createToken(
    db.query,
    { ...wish, ...defined({ machine, ends }) },
    now,
  )
  await record(
    db.query,
    { tenant, person: whose.id, token: 'shell' },
    { action: 'token.created', subject: token.id },
    now,
  )
  return { token: text, id: token.id, tenant, person: whose.id, scopes: [...scopes] }
}
