/**
 * Says which repository a git remote's URL names, whatever way it is spelled. Credentials, queries
 * and ports of ssh never become part of the answer, so it can be stored and shown.
 */
export type RemoteIdentity = {
  /** `owner/name` on github.com, `organisation/project/name` on Azure DevOps, else `host/path`. */
  readonly repository: string
  readonly repositoryHost: string
  readonly hostType?: 'github' | 'ado'
}

/** Undefined for a remote that is a path on this machine, or that names no host. */
export function identifyRemote(url: string): RemoteIdentity | undefined {
  const place = placeOf(url.trim())
  if (place === undefined) return undefined
  const { host, segments } = place
  return azure(host, segments) ?? github(host, segments) ?? elsewhere(place)
}

/** One string for one repository: the case of its letters does not make another one. */
export const remoteKey = (repository: string, hostType: string | undefined): string =>
  `${hostType ?? 'remote'}:${repository.toLowerCase()}`

/** Whether two texts, each an address or a name as above, mean the same repository. */
export const isSameRemote = (one: string, other: string): boolean => meant(one) === meant(other)

const meant = (text: string): string =>
  (identifyRemote(text)?.repository ?? text.replace(/\/+$/, '').replace(/\.git$/, '')).toLowerCase()

/** As it may be told to others: who uses it, and by which password, is nobody's business. */
export function publicAddress(url: string): string {
  if (!URL.canParse(url) || !/^https?:/i.test(url)) return url
  const plain = new URL(url)
  if (plain.username === '' && plain.password === '') return url
  plain.username = ''
  plain.password = ''
  return plain.href
}

type RemotePath = {
  readonly host: string
  readonly port: string
  readonly segments: readonly string[]
}

function placeOf(url: string): RemotePath | undefined {
  const place = url.includes('://') ? placeOfUrl(url) : placeOfShortForm(url)
  if (place === undefined || place.host === '' || place.segments.length === 0) return undefined
  // oxlint-disable-next-line no-control-regex -- a remote is foreign text; such a name is no name
  return place.segments.some((segment) => /[\u0000-\u001f\u007f]/.test(segment)) ? undefined : place
}

const OVER_SSH = new Set(['ssh:', 'git+ssh:', 'ssh+git:'])
const OVER_NETWORK = new Set([...OVER_SSH, 'https:', 'http:', 'git:', 'ftp:', 'ftps:'])

function placeOfUrl(text: string): RemotePath | undefined {
  if (!URL.canParse(text)) return undefined
  const url = new URL(text)
  if (!OVER_NETWORK.has(url.protocol)) return undefined
  return {
    host: url.hostname.toLowerCase(),
    // The same repository is served over ssh at another port than over https.
    port: OVER_SSH.has(url.protocol) ? '' : url.port,
    segments: segmentsOf(url.pathname),
  }
}

/** `user@host:path`, as ssh takes it. A single letter before the colon is a drive. */
function placeOfShortForm(text: string): RemotePath | undefined {
  const form = /^(?:[^@/\\]*@)?(\[[^\]]+\]|[^:/\\@[\]]{2,}):(?!:)(.+)$/s.exec(text)
  const [, host, path] = form ?? []
  if (host === undefined || path === undefined) return undefined
  return { host: host.toLowerCase(), port: '', segments: segmentsOf(path) }
}

function segmentsOf(path: string): string[] {
  const segments = path
    .split('/')
    .filter((segment) => segment !== '')
    .map(decoded)
  const last = segments.pop()?.replace(/\.git$/i, '')
  return last === undefined || last === '' ? segments : [...segments, last]
}

function decoded(segment: string): string {
  try {
    const plain = decodeURIComponent(segment)
    return plain.includes('/') ? segment : plain
  } catch {
    // A lone `%` is part of the name.
    return segment
  }
}

function github(host: string, segments: readonly string[]): RemoteIdentity | undefined {
  const [owner, name, ...more] = segments
  if (owner === undefined || name === undefined || more.length > 0) return undefined
  if (GITHUB_HOSTS.has(host)) {
    return { repository: `${owner}/${name}`, repositoryHost: 'github.com', hostType: 'github' }
  }
  if (!host.endsWith('.ghe.com')) return undefined
  return { repository: `${host}/${owner}/${name}`, repositoryHost: host, hostType: 'github' }
}

// ssh.github.com answers at port 443, for networks that let only https through.
const GITHUB_HOSTS = new Set(['github.com', 'www.github.com', 'ssh.github.com'])

function azure(host: string, segments: readonly string[]): RemoteIdentity | undefined {
  const path = azurePath(host, segments)
  if (path === undefined) return undefined
  return { repository: path.join('/'), repositoryHost: 'dev.azure.com', hostType: 'ado' }
}

/** Organisation, project, repository. A repository named like its project may leave the project out. */
function azurePath(host: string, segments: readonly string[]): string[] | undefined {
  if (host === 'ssh.dev.azure.com' || host === 'vs-ssh.visualstudio.com') {
    const [version, ...rest] = segments
    return version === 'v3' && rest.length === 3 ? rest : undefined
  }
  const account = /^([^.]+)\.visualstudio\.com$/.exec(host)?.[1]
  const whole = host === 'dev.azure.com' ? segments : account && [account, ...segments]
  if (whole === undefined || whole === '') return undefined
  const at = whole.findIndex((segment) => segment === '_git' || segment === '_ssh')
  if (at === -1) return undefined
  const name = whole
    .slice(at + 1)
    .filter((segment) => segment !== '_optimized' && segment !== '_full')
  const [organisation, ...between] = whole.slice(0, at)
  const project = between.filter((segment) => segment.toLowerCase() !== 'defaultcollection')
  const [repository, ...more] = name
  if (organisation === undefined || repository === undefined) return undefined
  if (more.length > 0 || project.length > 1) return undefined
  return [organisation, project[0] ?? repository, repository]
}

function elsewhere({ host, port, segments }: RemotePath): RemoteIdentity {
  const place = port === '' ? host : `${host}:${port}`
  return { repository: [place, ...segments].join('/'), repositoryHost: place }
}
