/**
 * Tenants spread over several databases. Each database has its own table of tenants, and a tenant is in one of them: a
 * token says whose it is, so that its request goes to that database and to no other. One that is away takes nobody
 * along but its own tenants.
 */
import type { HttpBindings } from '@hono/node-server'
import type { Hono } from 'hono'
import { ControlError } from '../control-error.ts'
import type { Control } from '../control.ts'
import { tenantsOf } from '../people/people.ts'
import { tenantIn } from '../people/tokens.ts'

export type Ask = (request: Request, from: HttpBindings) => Promise<Response>

/** Nobody knows yet whose code it is: each database is asked. */
const OF_ANY = new Set(['/api/login/code', '/api/login/device/token'])
/** How often a tenant that is not known is looked for. */
const LOOK_MS = 1000

type Cluster = { readonly control: Control; readonly ask: Ask }

export async function frontOf(
  controls: readonly [Control, ...Control[]],
  appOf: (control: Control) => Hono<{ Bindings: HttpBindings }>,
): Promise<Ask> {
  const clusterOf = (control: Control): Cluster => {
    const app = appOf(control)
    return { control, ask: async (request, from) => app.fetch(request, from) }
  }
  const [one, ...others] = controls
  const first = clusterOf(one)
  if (others.length === 0) return first.ask
  const clusters = [first, ...others.map(clusterOf)]
  const found = await openPlaces(clusters)
  return async (request, from) => {
    const { pathname } = new URL(request.url)
    if (pathname === '/ready') return worstOf(await askAll(clusters, request, from))
    if (OF_ANY.has(pathname)) return bestOf(await askAll(clusters, request, from))
    const bearer = request.headers.get('authorization')?.replace(/^Bearer /, '') ?? ''
    const tenant = tenantIn(bearer)
    const cluster = tenant === undefined ? undefined : await found(tenant)
    return (cluster ?? first).ask(request, from)
  }
}

/** Where each tenant is; a new one is found when it is first asked for. */
async function openPlaces(clusters: readonly Cluster[]) {
  const places = new Map<string, Cluster>()
  let lookedAt = 0
  async function look(): Promise<void> {
    lookedAt = performance.now()
    await Promise.allSettled(
      clusters.map(async (cluster) => {
        for (const { id } of await tenantsOf(cluster.control.db.query))
          if (!places.has(id)) places.set(id, cluster)
      }),
    )
  }
  const seen = new Set<string>()
  for (const { control } of clusters)
    for (const { id } of await tenantsOf(control.db.query)) {
      if (seen.has(id))
        throw new ControlError(
          'conflict',
          `The tenant ${id} is in two of these databases. Nothing was started. Leave one of the databases out, or take the tenant out of it.`,
        )
      seen.add(id)
    }
  await look()
  return async (tenant: string): Promise<Cluster | undefined> => {
    if (!places.has(tenant) && performance.now() - lookedAt > LOOK_MS) await look()
    return places.get(tenant)
  }
}

/** Each takes no more of the body than it would take alone. */
const askAll = (
  clusters: readonly Cluster[],
  request: Request,
  from: HttpBindings,
): Promise<readonly Response[]> =>
  Promise.all(clusters.map(({ ask }) => ask(request.clone(), from)))

const worstOf = (answers: readonly Response[]): Response =>
  answers.find(({ ok }) => !ok) ?? answers[0] ?? Response.error()

/** Given; else not yet; else as the first one refuses it. */
const bestOf = (answers: readonly Response[]): Response =>
  answers.find(({ ok }) => ok) ??
  answers.find(({ status }) => status === NOT_YET) ??
  answers[0] ??
  Response.error()

const NOT_YET = 428
