/** `reprise control serve`: one node of Mission Control on its database. */
import { createHash } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import type { Blobs } from '../control/blobs/blobs.ts'
import { sweepObjects, type Objects } from '../control/blobs/objects.ts'
import { checkClock } from '../control/clock.ts'
import { openControl, type Control } from '../control/control.ts'
import type { Database } from '../control/database/port.ts'
import { ControlError, isFull, unavailable } from '../control/control-error.ts'
import { refuseOpenDoor, serveControl, type ControlServer } from '../control/http/listen.ts'
import { ownerCode } from '../control/people/logins.ts'
import type { Oidc } from '../control/people/oidc.ts'
import { layout } from '../format/layout.ts'
import { pathFrom } from '../format/paths.ts'
import { cacheFolder } from '../lib/cache-folder.ts'
import { sweep } from '../control/sessions/sweep.ts'
import { defined } from '../lib/defined.ts'
import { errorText } from '../lib/error-text.ts'
import { sparing } from '../lib/throttled-log.ts'
import { stopped } from '../lib/aborted.ts'
import type { ControlPlace, ControlServing } from '../surfaces/cli/control.ts'
import { openControlPage } from './control-page.ts'
import { asEngineErrors, FIRST_TENANT, openControlDatabase } from './open-control.ts'
import { readTls } from './tls-files.ts'

/** Machines that know the address find the server again after a restart. */
const USUAL_PORT = 7374
const SWEEP_MS = 3600 * 1000

export const serveMissionControl = (options: ControlServing, version: string): Promise<void> =>
  asEngineErrors(async () => {
    const onTrouble = sparing((message) => process.stderr.write(`${message}\n`))
    const onFault = (error: unknown) => onTrouble(faultText(error))
    // A server that is refused leaves no database behind.
    const door = defined({ host: options.host, url: options.url, tls: await readTls(options) })
    refuseOpenDoor(door)
    const oidc = await oidcOf(options)
    await using held = new AsyncDisposableStack()
    const databases: Database[] = []
    for (const place of placesOf(options))
      databases.push(held.use(await openControlDatabase(place, 'node', onTrouble)))
    for (const db of databases) await checkClock(db, Date.now)
    using objects = options.blobs === undefined ? undefined : await openObjects(options.blobs)
    const controls: Control[] = []
    for (const [at, db] of databases.entries())
      controls.push(
        held.use(
          await openControl({
            db,
            elsewhere: databases.filter((other) => other !== db),
            objects,
            version,
            onTrouble,
            derived: derivedFolder(options, at),
            // Without a call from other nodes heads are looked at more often.
            settings: defined({ lookMs: options.noNotify === true ? 200 : undefined }),
          }),
        ),
      )
    const [first, ...others] = controls
    if (first === undefined) return
    await using server = await serveControl({
      controls: [first, ...others],
      port: options.port ?? USUAL_PORT,
      oidc,
      onFault,
      page: (inside) => openControlPage(inside, { version, onFault }),
      ...door,
    })
    const sweeping = () =>
      databases.forEach((db) =>
        sweepAll({ db, objects }).catch((cause: unknown) =>
          onTrouble(
            `What is too old could not be taken away; it is tried again. (${errorText(cause)})`,
          ),
        ),
      )
    const timer = setInterval(sweeping, SWEEP_MS)
    sweeping()
    await greet(options, server, await ownerCode(first.db, FIRST_TENANT, Date.now()))
    await stopped(options.signal)
    clearInterval(timer)
  })

/** For who runs it: what is outside of the server in words, a fault of its own with where it was. */
function faultText(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const isOutside = isFull(error) || ('code' in error && typeof error.code === 'string')
  if (!isOutside) return error.stack ?? error.message
  const { message } = error instanceof ControlError ? error : unavailable(error)
  return `${message} (${errorText(error.cause ?? error)})`
}

/** The first has the team that is there without a word; the others have tenants that were added to them. */
const placesOf = ({ database = [], ...place }: ControlServing): readonly ControlPlace[] =>
  database.length === 0
    ? [place]
    : database.map((url, at) => ({ ...place, database: url, ...(at > 0 && { tenant: '' }) }))

/** Read by nobody else: the environment is not in a list of processes. */
const SECRET = 'REPRISE_OIDC_SECRET'

async function oidcOf({ oidc, oidcClient, oidcJoin }: ControlServing): Promise<Oidc | undefined> {
  if (oidc === undefined && oidcClient === undefined && oidcJoin === undefined) return undefined
  const [, claim, value] = /^([^=]+)=(.+)$/.exec(oidcJoin ?? '') ?? []
  const isJoinRight = oidcJoin === undefined || claim !== undefined
  if (oidc === undefined || !URL.canParse(oidc) || oidcClient === undefined || !isJoinRight)
    throw new ControlError(
      'invalid',
      'Signing in elsewhere needs --oidc https://issuer and --oidc-client id; --oidc-join wants claim=value. Nothing was started.',
    )
  const { openOidc } = await import('../control/people/oidc.ts')
  return openOidc({
    issuer: oidc,
    clientId: oidcClient,
    clientSecret: process.env[SECRET],
    tenant: FIRST_TENANT,
    join: claim === undefined || value === undefined ? undefined : { claim, value },
  })
}

const openObjects = async (url: string): Promise<Objects> =>
  (await import('../control/blobs/s3.ts')).openS3(url, process.env)

async function sweepAll({ db, objects }: Blobs): Promise<void> {
  await sweep(db, Date.now())
  if (objects !== undefined) await sweepObjects({ db, objects }, Date.now())
}

async function greet(
  { json, print }: ControlServing,
  { url }: ControlServer,
  code: string | undefined,
): Promise<void> {
  // Behind the #: it is in no log, and no page that is linked to learns it.
  const owner = code === undefined ? undefined : `${url}/#code=${code}`
  if (json) return print(JSON.stringify({ url, ...defined({ owner }) }))
  print(`Mission Control serves ${url}`)
  if (owner !== undefined)
    print(`The first owner comes in by this link, once: reprise remote login '${owner}'`)
  print(`On another machine: reprise remote login ${url}`)
}

/** In the cache of the user who serves: it can be made again. One folder for each database. */
function derivedFolder({ cwd, home, data, database }: ControlServing, at: number): string {
  const place = database?.[at] ?? resolve(cwd, data ?? home.path)
  const name = createHash('sha256').update(place).digest('hex').slice(0, 16)
  const file = pathFrom(layout.cache.teamStore, { home: name, hex: '0' })
  return join(cacheFolder(), dirname(file))
}
