/** `reprise control serve`: one node of Mission Control on its database. */
import { createHash } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import { openControl } from '../control/control.ts'
import { ControlError } from '../control/control-error.ts'
import { serveControl } from '../control/http/server.ts'
import type { ControlServer } from '../control/http/server.ts'
import { ownerCode } from '../control/people/logins.ts'
import { layout } from '../format/layout.ts'
import { pathFrom } from '../format/paths.ts'
import { cacheFolder } from '../lib/cache-folder.ts'
import { sweep } from '../control/sessions/sweep.ts'
import { defined } from '../lib/defined.ts'
import { errorText } from '../lib/error-text.ts'
import { readSmallText } from '../lib/small-text.ts'
import { stopped } from '../lib/stopped.ts'
import type { ControlServing } from '../surfaces/cli/control.ts'
import { asEngineErrors, FIRST_TENANT, openControlDatabase } from './open-control.ts'

/** Machines that know the address find the server again after a restart. */
const USUAL_PORT = 7374
const SWEEP_MS = 3600 * 1000

export const serveMissionControl = (options: ControlServing, version: string): Promise<void> =>
  asEngineErrors(async () => {
    const onTrouble = (message: string) => void process.stderr.write(`${message}\n`)
    await using db = await openControlDatabase(options, 'node', onTrouble)
    await using control = await openControl({
      db,
      version,
      onTrouble,
      derived: derivedFolder(options),
      // Without a call from other nodes heads are looked at more often.
      settings: defined({ lookMs: options.noNotify === true ? 200 : undefined }),
    })
    await using server = await serveControl({
      control,
      port: options.port ?? USUAL_PORT,
      onFault: (error) => onTrouble(error instanceof Error ? (error.stack ?? '') : String(error)),
      ...defined({ host: options.host, url: options.url }),
      ...(await tlsOf(options)),
    })
    const sweeping = () =>
      void sweep(db, Date.now()).catch((cause: unknown) =>
        onTrouble(
          `What is too old could not be taken away; it is tried again. (${errorText(cause)})`,
        ),
      )
    const timer = setInterval(sweeping, SWEEP_MS)
    sweeping()
    await greet(options, server, await ownerCode(db, FIRST_TENANT, Date.now()))
    await stopped(options.signal)
    clearInterval(timer)
  })

async function greet(
  { json, print }: ControlServing,
  { url }: ControlServer,
  code: string | undefined,
): Promise<void> {
  // Behind the #: it is in no log, and no page that is linked to learns it.
  const owner = code === undefined ? undefined : `${url}/#code=${code}`
  if (json) return print(JSON.stringify({ url, ...defined({ owner }) }))
  print(`Mission Control serves ${url}`)
  if (owner !== undefined) print(`The first owner comes in by this link, once: ${owner}`)
  print(`On another machine: reprise remote login ${url}`)
}

/** In the cache of the user who serves: it can be made again. One folder for each database. */
function derivedFolder({ cwd, home, data, database }: ControlServing): string {
  const place = database ?? resolve(cwd, data ?? home.path)
  const name = createHash('sha256').update(place).digest('hex').slice(0, 16)
  const file = pathFrom(layout.cache.teamStore, { home: name, hex: '0' })
  return join(cacheFolder(), dirname(file))
}

async function tlsOf({ cwd, tlsCert, tlsKey }: ControlServing) {
  if (tlsCert === undefined && tlsKey === undefined) return {}
  const [cert, key] = await Promise.all(
    [tlsCert, tlsKey].map((path) => readSmallText(path === undefined ? '' : resolve(cwd, path))),
  )
  if (cert !== undefined && key !== undefined) return { tls: { cert, key } }
  throw new ControlError(
    'invalid',
    'TLS needs --tls-cert and --tls-key, two files that can be read. Nothing was started.',
  )
}
