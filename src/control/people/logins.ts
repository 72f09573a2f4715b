/**
 * Ways in that need no token yet. The link of the first owner carries a code that is used once. A machine without a
 * browser asks for two codes: it keeps the long one, a person types the short one where they are known.
 */
import type { Database, Query } from '../database/port.ts'
import type { Row } from '../database/tables.ts'
import { ControlError } from '../control-error.ts'
import { defined } from '../../lib/defined.ts'
import { addPerson, findPerson } from './people.ts'
import { allowed, isRole, scopesIn, type Asker, type Role, type Scope } from './scopes.ts'
import { openGuest } from './guests.ts'
import { hashOf, newSecret, newUserCode } from './secret.ts'
import { createToken } from './tokens.ts'

const OWNER_MS = 24 * 3600 * 1000
const INVITE_MS = 7 * OWNER_MS
const DEVICE_MS = 10 * 60 * 1000
const BROWSER_MS = 30 * OWNER_MS

/** Undefined when the tenant has an owner already. Each node prints a link: the first that is used ends the others. */
export async function ownerCode(
  db: Database,
  tenant: string,
  now: number,
): Promise<string | undefined> {
  const code = newSecret()
  return db.transact(async (tx) => {
    if (await hasOwner(tx, tenant)) return undefined
    await tx
      .insertInto('logins')
      .values({
        ...blank,
        hash: hashOf(code),
        kind: 'owner',
        tenant,
        role: 'owner',
        ends: now + OWNER_MS,
      })
      .execute()
    return code
  })
}

async function hasOwner(query: Query, tenant: string): Promise<boolean> {
  const owner = await query
    .selectFrom('people')
    .select('id')
    .where('tenant', '=', tenant)
    .where('role', '=', 'owner')
    .where('ended', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return owner !== undefined
}

const blank = {
  user_code: null,
  tenant: null,
  person: null,
  role: null,
  name: '',
  machine: null,
  scopes: '',
  state: 'waiting',
}

/** For a person who is not known yet; the link is used once. */
export async function inviteCode(
  db: Database,
  { tenant, role, name }: { readonly tenant: string; readonly role: Role; readonly name: string },
  now: number,
): Promise<{ readonly code: string; readonly ends: number }> {
  const code = newSecret()
  const ends = now + INVITE_MS
  await db.query
    .insertInto('logins')
    .values({ ...blank, hash: hashOf(code), kind: 'invite', tenant, role, name, ends })
    .execute()
  return { code, ends }
}

/** For a browser of the person who asks: it may do what their token may, but export nothing. */
export async function browserCode(
  db: Database,
  { tenant, person, scopes }: Asker,
  now: number,
): Promise<{ readonly code: string; readonly ends: number }> {
  const code = newSecret()
  const ends = now + DEVICE_MS
  const kept = scopes.filter((scope) => scope !== 'export').join()
  await db.query
    .insertInto('logins')
    .values({ ...blank, hash: hashOf(code), kind: 'browser', tenant, person, scopes: kept, ends })
    .execute()
  return { code, ends }
}

/**
 * What the code of a link opens, once: the first owner and who was invited become people with a token; a
 * browser gets one of the person who made its link; a guest gets the token of theirs.
 */
export const loginCode = (
  db: Database,
  { code, name, machine, account }: CodeWish,
  now: number,
): Promise<CodeLogin> =>
  db.transact(async (tx) => {
    const login = await tx
      .deleteFrom('logins')
      .where('hash', '=', hashOf(code))
      .where('kind', 'in', ['owner', 'invite', 'guest', 'browser'])
      .where('ends', '>', now)
      .returningAll()
      .executeTakeFirst()
    const { tenant, role, token: guest } = login ?? { tenant: null, role: null, token: null }
    if (tenant === null || login === undefined) throw used()
    if (guest !== null) return openGuest(tx, { tenant, id: guest })
    if (login.kind === 'browser' && login.person !== null) {
      const { person, scopes } = login
      const wish = { tenant, person, name: 'browser', machine: 'a browser', ends: now + BROWSER_MS }
      const { text } = await createToken(tx, { ...wish, scopes: scopesIn(scopes) ?? [] }, now)
      return { token: text, person, tenant }
    }
    if (role === null || !isRole(role)) throw used()
    if (login.kind === 'owner') {
      // Of two links that are used at once, the second one finds an owner.
      await db.locked(tx.selectFrom('tenants').selectAll().where('id', '=', tenant)).execute()
      if (await hasOwner(tx, tenant)) throw used()
    }
    const person = await addPerson(
      tx,
      { tenant, name: name || login.name || account || role, role },
      now,
    )
    const { text } = await createToken(
      tx,
      {
        tenant,
        person: person.id,
        name: machine ?? 'first login',
        scopes: allowed[role],
        ...defined({ machine }),
      },
      now,
    )
    return { token: text, person: person.id, tenant }
  })

type CodeWish = {
  readonly code: string
  /** What a new person is called; without it as the invitation says. */
  readonly name?: string | undefined
  readonly machine?: string | undefined
  /** Of the person on that machine: what they are called when nothing else says it. */
  readonly account?: string | undefined
}

type CodeLogin = {
  readonly token: string
  readonly tenant: string
  readonly person?: string
  /** Of a guest. */
  readonly session?: string
}

const used = () =>
  new ControlError(
    'unauthorized',
    'This link was used before, has ended, or is not of this server.',
  )

type DeviceWish = {
  readonly name: string
  readonly machine: string
  readonly scopes: readonly Scope[]
}

/** In each database: who will say yes, and so whose tenant it joins, is not known yet. One of them has to answer. */
export async function beginDevice(databases: readonly Database[], wish: DeviceWish, now: number) {
  const deviceCode = newSecret()
  const userCode = newUserCode()
  const row = {
    ...blank,
    hash: hashOf(deviceCode),
    kind: 'device',
    user_code: userCode,
    name: wish.name,
    machine: wish.machine,
    scopes: wish.scopes.join(),
    ends: now + DEVICE_MS,
  }
  const begun = await Promise.allSettled(
    databases.map(async ({ query }) => {
      await query.deleteFrom('logins').where('ends', '<=', now).execute()
      await query.insertInto('logins').values(row).execute()
    }),
  )
  const [failed] = begun.filter(({ status }) => status === 'rejected')
  if (failed?.status === 'rejected' && begun.every(({ status }) => status === 'rejected'))
    throw failed.reason
  return { deviceCode, userCode, expiresIn: DEVICE_MS / 1000, interval: 2 }
}

/** What a machine asks for that waits with this code. */
export async function waitingDevice(
  query: Query,
  userCode: string,
  now: number,
): Promise<Pick<Row<'logins'>, 'name' | 'scopes'>> {
  const row = await query
    .selectFrom('logins')
    .select(['name', 'scopes'])
    .where('user_code', '=', userCode)
    .where('state', '=', 'waiting')
    .where('ends', '>', now)
    .executeTakeFirst()
  if (row === undefined) throw noMachine()
  return row
}

const noMachine = () =>
  new ControlError('not_found', 'No machine waits with that code. Codes end after ten minutes.')

/** A person who is known says that the machine with this code is theirs. Gives what it asked for. */
export const approveDevice = async (
  db: Database,
  asker: Asker,
  { userCode, approve }: { readonly userCode: string; readonly approve: boolean },
  now: number,
): Promise<Pick<Row<'logins'>, 'name' | 'machine' | 'scopes'>> => {
  const found = await db.transact(async (tx) => {
    const row = await db
      .locked(tx.selectFrom('logins').selectAll().where('user_code', '=', userCode.toUpperCase()))
      .executeTakeFirst()
    if (row === undefined || row.ends <= now || row.state !== 'waiting') return undefined
    await tx
      .updateTable('logins')
      .set({
        state: approve ? 'approved' : 'refused',
        tenant: asker.tenant,
        person: asker.person,
        // Nobody gives what the token they hold cannot do.
        scopes: (scopesIn(row.scopes) ?? [])
          .filter((scope) => asker.scopes.includes('admin') || asker.scopes.includes(scope))
          .join(),
      })
      .where('hash', '=', row.hash)
      .execute()
    return row
  })
  if (found === undefined) throw noMachine()
  return { name: found.name, machine: found.machine, scopes: found.scopes }
}

/** Asked by the machine until its person has decided. The token is handed out once. */
export const finishDevice = (db: Database, deviceCode: string, now: number) =>
  db.transact(async (tx) => {
    const hash = hashOf(deviceCode)
    const row = await db
      .locked(
        tx.selectFrom('logins').selectAll().where('hash', '=', hash).where('kind', '=', 'device'),
      )
      .executeTakeFirst()
    if (row === undefined || row.ends <= now)
      throw new ControlError('expired', 'This login has ended. Begin again.')
    if (row.state === 'waiting') throw new ControlError('pending', 'Nobody has typed the code yet.')
    await tx.deleteFrom('logins').where('hash', '=', hash).execute()
    const { tenant, person, machine } = row
    if (row.state === 'refused' || tenant === null || person === null)
      throw new ControlError('forbidden', 'The login was refused.')
    const known = await findPerson(tx, tenant, person)
    const most = known !== undefined && isRole(known.role) ? allowed[known.role] : []
    const scopes = (scopesIn(row.scopes) ?? []).filter((scope) => most.includes(scope))
    const wish = { tenant, person, name: row.name, scopes, ...(machine !== null && { machine }) }
    const { text } = await createToken(tx, wish, now)
    return { token: text, tenant, person, scopes }
  })
