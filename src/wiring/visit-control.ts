/** What is done to Mission Control at its own shell, beside a server that runs or without one. */
import { once } from 'node:events'
import { createReadStream, createWriteStream } from 'node:fs'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { pipeline } from 'node:stream/promises'
import { createGunzip, createGzip } from 'node:zlib'
import { backUp, restore } from '../control/database/backup.ts'
import { keepSettings, settingsOf, TenantSettings } from '../control/people/tenant-settings.ts'
import { tasksOf } from '../control/tasks/tasks.ts'
import { workersOf } from '../control/tasks/workers.ts'
import { sweep } from '../control/sessions/sweep.ts'
import { ownerCode } from '../control/people/logins.ts'
import { addPerson, addTenant, findPerson, peopleOf, tenantsOf } from '../control/people/people.ts'
import { ControlError } from '../control/control-error.ts'
import type { Database } from '../control/database/port.ts'
import { record } from '../control/people/audit.ts'
import { ROLES, SCOPES, scopesIn } from '../control/people/scopes.ts'
import { createToken, revokeToken, tokensOf } from '../control/people/tokens.ts'
import type { ControlPlace, ControlVisit, TokenWish } from '../surfaces/cli/control.ts'
import { defined } from '../lib/defined.ts'
import { asEngineErrors, FIRST_TENANT, openControlDatabase } from './open-control.ts'

const DAY_MS = 24 * 3600 * 1000

export const visitControl = <T>(
  place: ControlPlace,
  work: (visit: ControlVisit) => Promise<T>,
): Promise<T> =>
  asEngineErrors(async () => {
    const onTrouble = (message: string) => void process.stderr.write(`${message}\n`)
    await using db = await openControlDatabase(place, 'visitor', onTrouble)
    return await work(visitOf(db, place.tenant ?? FIRST_TENANT, place.cwd))
  })

const visitOf = (db: Database, tenant: string, cwd: string): ControlVisit => ({
  createToken: (wish) => makeToken(db, tenant, wish),
  tokens: async () => tokensOf(db.query, tenant),
  revokeToken: async (id) => {
    if (!(await revokeToken(db.query, { tenant, id }, Date.now())))
      throw new ControlError('not_found', 'There is no such token that still holds.')
  },
  people: async () => peopleOf(db.query, tenant),
  async addPerson({ name, role: wanted }) {
    const role = ROLES.find((each) => each === wanted)
    if (role === undefined)
      throw new ControlError('invalid', `A role is one of ${ROLES.join(', ')}. Nobody was added.`)
    return addPerson(db.query, { tenant, name, role }, Date.now())
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
      .where('tenant', '=', tenant)
      .orderBy('changed', 'desc')
      .execute(),
  tasks: async () =>
    (await tasksOf(db.query, { tenant }, 1000)).map(
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
    (await workersOf(db.query, tenant, Date.now())).map(({ tenant: _tenant, ...told }) => told),
  async retention(wish, { isAnew, run }) {
    const before = isAnew ? {} : await settingsOf(db.query, tenant)
    const set = TenantSettings.parse({ ...before, ...wish })
    if (isAnew || Object.keys(wish).length > 0) await keepSettings(db.query, tenant, set)
    return { ...defined(set), ...(run && (await sweep(db, Date.now()))) }
  },
  backup: async (file) => ({ rows: await writeBackup(db, resolve(cwd, file)) }),
  restore: (file, { replace }) =>
    restore(db, linesIn(resolve(cwd, file)), { replace, now: Date.now() }),
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

/** A file that is there is never overwritten, and one that is not whole does not stay. */
async function writeBackup(db: Database, file: string): Promise<number> {
  const out = createWriteStream(file, { flags: 'wx', mode: 0o600 })
  const zip = createGzip()
  const written = pipeline(zip, out)
  try {
    const rows = await backUp(db, async (line) => {
      if (!zip.write(`${line}\n`)) await once(zip, 'drain')
    })
    zip.end()
    await written
    return rows
  } catch (cause) {
    zip.destroy()
    // It ends with the failure that is told below.
    await written.catch(() => undefined)
    if (cause instanceof Error && 'code' in cause && cause.code === 'EEXIST')
      throw new ControlError('conflict', `${file} is there already. Nothing was written.`, {
        cause,
      })
    await rm(file, { force: true })
    throw cause
  }
}

const linesIn = (file: string): AsyncIterable<string> =>
  createInterface({ input: createReadStream(file).pipe(createGunzip()), crlfDelay: Infinity })

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
