/** Where a repository may be cloned from: listed hosts, over https or ssh; folders of this machine only where they are listed. */
import { EngineError } from '../../engine/errors.ts'

export type Allowed = {
  readonly hosts: readonly string[]
  /** Absolute folders. */
  readonly local: readonly string[]
}

type Address = { readonly url: string; readonly isLocal: boolean }

const SCP = /^(?:[\w.-]+@)?([\w.-]+):(?!\/\/)([\w./~+-]+)$/

export function checkAddress(url: string, { hosts, local }: Allowed): Address {
  if (url.startsWith('/')) return checkLocal(url, local)
  const host = hostOf(url)
  if (host === undefined) throw refused(url, 'only https and ssh addresses are cloned')
  if (!hosts.some((each) => each.toLowerCase() === host))
    throw refused(url, `"${host}" is not among worker.hosts of this machine`)
  return { url, isLocal: false }
}

/** Undefined for what is neither https nor ssh, or has more in it than a host and a path. */
function hostOf(url: string): string | undefined {
  if (/[\s\0]/.test(url) || url.startsWith('-')) return undefined
  const [, scpHost] = url.includes('://') ? [] : (SCP.exec(url) ?? [])
  if (scpHost !== undefined) return scpHost.startsWith('-') ? undefined : scpHost.toLowerCase()
  if (!URL.canParse(url)) return undefined
  const { protocol, hostname, password } = new URL(url)
  if (protocol !== 'https:' && protocol !== 'ssh:') return undefined
  return password === '' && !hostname.startsWith('-') ? hostname.toLowerCase() : undefined
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

const refused = (url: string, why: string): EngineError =>
  new EngineError('invalid', `${url.slice(0, 200)} is not cloned: ${why}. Nothing was started.`)
