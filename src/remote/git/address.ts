/** Where a repository may be cloned from: listed hosts, over https or ssh; folders of this machine only where they are listed. */
import { EngineError } from '../../engine/errors.ts'

export type Allowed = {
  readonly hosts: readonly string[]
  /** Absolute folders. */
  readonly local: readonly string[]
}

type Address = { readonly url: string; readonly isLocal: boolean }

const SCP = /^(?:\w[\w.-]*@)?([\w.-]+):(?!\/\/|-)[\w./~+-]+$/

export function checkAddress(url: string, { hosts, local }: Allowed): Address {
  if (url.startsWith('/')) return checkLocal(url, local)
  const host = hostOf(url)
  if (host === undefined) throw refused(url, 'only https and ssh addresses are cloned')
  if (!hosts.some((each) => each.toLowerCase() === host))
    throw refused(url, `"${host}" is not among worker.hosts of this machine`)
  return { url, isLocal: false }
}

/** One spelling, so that no two programs read another host in it. */
const WHOLE =
  /^(?:https|ssh):\/\/(?:\w[\w.-]*@)?([\w.-]+|\[[\da-fA-F:]+\])(?::\d+)?(?:\/[\w./~+%@,=-]*)?$/

/** Undefined for what is neither https nor ssh, or has more in it than a name, a host and a path. */
function hostOf(url: string): string | undefined {
  const host = (url.includes('://') ? WHOLE : SCP).exec(url)?.[1]
  return host === undefined || host.startsWith('-') ? undefined : host.toLowerCase()
}

function checkLocal(path: string, local: readonly string[]): Address {
  const isPlain = path.split('/').every((part) => part !== '..' && part !== '.')
  const isListed = local.some((folder) => `${path}/`.startsWith(`${folder.replace(/\/+$/, '')}/`))
  if (isPlain && isListed) return { url: path, isLocal: true }
  throw refused(
    path,
    'a folder of this machine is cloned only if worker.localRepositories lists it',
  )
}

const MOST_HOPS = 3

/** Where a listed host says that a repository is now: at a listed one, or nowhere. Git itself follows nobody. */
export async function whereItIs(
  { url, isLocal }: Address,
  allowed: Allowed,
  { signal, ask = fetch }: { readonly signal: AbortSignal; readonly ask?: typeof fetch },
): Promise<Address> {
  let at = url
  for (let hop = 0; at.startsWith('https:') && hop < MOST_HOPS; hop += 1) {
    const place = `${at.replace(/\/+$/, '')}${REFS}`
    const within = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)])
    // What cannot be asked so is told by git, which tries it next.
    const said = await ask(place, { redirect: 'manual', signal: within }).catch(() => undefined)
    await said?.body?.cancel()
    const to = said?.headers.get('location')
    if (said === undefined || said.status < 300 || said.status > 399 || to == null) break
    const next = URL.canParse(to, place) ? new URL(to, place).href : ''
    if (!next.endsWith(REFS)) throw refused(url, `its host sends on to ${to.slice(0, 200)}`)
    at = checkAddress(next.slice(0, -REFS.length), allowed).url
  }
  return { url: at, isLocal }
}

const REFS = '/info/refs?service=git-upload-pack'
const PATIENCE_MS = 10_000

const refused = (url: string, why: string): EngineError =>
  new EngineError('invalid', `${url.slice(0, 200)} is not cloned: ${why}. Nothing was started.`)
