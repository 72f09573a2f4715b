/**
 * Who may ask. Loopback is not authentication: any page in any browser on this machine reaches it. So every request
 * names exactly this host, comes from exactly this origin or from no page at all, and carries the token. Besides its
 * owner a server knows guests, who may watch one session.
 */
import { createHmac } from 'node:crypto'
import type { SessionId } from '../../format/ids.ts'
import type { AnyRequest } from '../../lib/listen-http2.ts'
import { WebFailure } from './failure.ts'
import { openGuest, sealGuest, type Guest, type GuestKey } from './guest.ts'
import { sameText } from './same-text.ts'

export type Guard = {
  /** Throws when the request is for another host or comes from another origin. Applies to every path. */
  checkPlace(request: Asked): void
  /** Says who asks; who is both is the owner. Throws when it carries neither a cookie nor the token. */
  checkToken(request: Asked): Promise<'owner' | Guest>
  /** The code of the owner's link, once, or of a guest's. Gives the cookie. */
  login(code: string): Promise<Login>
  /** A link that logs one browser in, once. Those made before it stay good: a phone may be on its way with one. */
  link(): string
  /** A link for as many people as have it, until it expires. */
  guestLink(sessionId: SessionId, hours: number): Promise<GuestLink>
  /** How long a guest may stay: 0 once the link has expired, or the owner has ended all of them. */
  leftMs(request: Asked): Promise<number>
}

type Login = { readonly cookie: string; readonly guest?: Guest }
export type GuestLink = { readonly link: string; readonly expiresAt: string }

/** What of a request is looked at. */
type Asked = {
  readonly method: string
  /** As it was sent: a path, or with a proxy in mind a whole URL. */
  readonly target: string
  /** Every Host header, in case there are two. */
  readonly hosts: readonly string[]
  readonly origin: string | undefined
  /** Sec-Fetch-Site. */
  readonly site: string | undefined
  readonly cookie: string | undefined
  readonly authorization: string | undefined
}

export function askedOf({ method, url, headers, rawHeaders }: AnyRequest): Asked {
  const isHost = (at: number) => at % 2 === 1 && HOST_NAME.test(rawHeaders[at - 1] ?? '')
  const hosts = rawHeaders.filter((_, at) => isHost(at))
  const site = headers['sec-fetch-site']
  return {
    method: method ?? '',
    target: url ?? '',
    // Over HTTP/2 it may be said under both names, but only once the same.
    hosts: ':authority' in headers ? [...new Set(hosts)] : hosts,
    origin: headers.origin,
    site: Array.isArray(site) ? site.join() : site,
    cookie: headers.cookie,
    authorization: headers.authorization,
  }
}

/** HTTP/2 has a name of its own for it. */
const HOST_NAME = /^(?:host|:authority)$/i

type GuardOptions = {
  /** 256 bits, as text. */
  readonly token: string
  readonly scheme: 'http' | 'https'
  /** Names that this server goes by, without a port; IPv6 in brackets. */
  readonly names: readonly string[]
  readonly port: number
  readonly newCode: () => string
  readonly guestKey: GuestKey
  readonly now: () => number
}

export function createGuard(options: GuardOptions): Guard {
  const { token, scheme, names, port, newCode, guestKey, now } = options
  const isUsual = port === (scheme === 'https' ? 443 : 80)
  const hosts = new Set(names.flatMap((name) => [`${name}:${port}`, ...(isUsual ? [name] : [])]))
  const origins = new Set([...hosts].map((host) => `${scheme}://${host}`))
  // Another port of the same name is another server to us, but not to a browser's cookies.
  const cookieName = `reprise_${port}`
  const guestCookieName = `reprise_guest_${port}`
  // Survives a restart, as the token does, without being the token.
  const cookieValue = createHmac('sha256', token).update('reprise web cookie').digest('base64url')
  // Behind the #: it is in no log, and no page that is linked to learns it.
  const linkWith = (what: string) => `${scheme}://${names[0]}:${port}/#${what}`
  const codes: string[] = []

  const cookieOf = (name: string, value: string, seconds: number): string => {
    const secure = scheme === 'https' ? '; Secure' : ''
    return `${name}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`
  }

  async function guestOf({ cookie }: Asked): Promise<Guest | undefined> {
    const given = only(cookie, guestCookieName)
    const key = given === undefined ? undefined : await guestKey.read()
    return key && openGuest(key, 'cookie', given ?? '', now())
  }

  async function loginGuest(given: string): Promise<Login | undefined> {
    const key = await guestKey.read()
    const guest = key && openGuest(key, 'link', given, now())
    if (key === undefined || guest === undefined) return undefined
    const seconds = Math.ceil((guest.expiresAtMs - now()) / 1000)
    return { cookie: cookieOf(guestCookieName, sealGuest(key, 'cookie', guest), seconds), guest }
  }

  return {
    checkPlace({ method, target, hosts: given, origin, site }) {
      const [host] = given
      if (!target.startsWith('/') || given.length !== 1 || host === undefined || !hosts.has(host))
        throw new WebFailure('forbidden', 'This server does not go by that name.')
      if (origin !== undefined && !origins.has(origin))
        throw new WebFailure('forbidden', 'Pages of other origins may not ask here.')
      // A URL has its dots worked out on the way: what was checked must be what is found.
      if (ODD_PATH.test(target.split('?')[0] ?? ''))
        throw new WebFailure('invalid', 'This is no path of this server.')
      const isApi = target === '/api' || target.startsWith('/api/')
      const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none'
      if (isForeign && (isApi || method !== 'GET'))
        throw new WebFailure('forbidden', 'Pages of other sites may not ask here.')
    },
    async checkToken(request) {
      const { method, cookie, authorization, origin } = request
      const bearer = /^Bearer ([\w.~+/=-]+)$/.exec(authorization ?? '')?.[1]
      if (bearer !== undefined && sameText(bearer, token)) return 'owner'
      const isOurs = sameText(only(cookie, cookieName) ?? '', cookieValue)
      // Every browser says where a POST comes from.
      if (isOurs && (method === 'GET' || origin !== undefined)) return 'owner'
      const guest = await guestOf(request)
      if (guest !== undefined) return guest
      throw new WebFailure(
        'unauthorized',
        'This needs the token of the server. "reprise web --link" prints a link that logs a browser in.',
      )
    },
    async login(given) {
      const at = codes.findIndex((code) => sameText(given, code))
      if (at !== -1) {
        codes.splice(at, 1)
        return { cookie: cookieOf(cookieName, cookieValue, 2_592_000) }
      }
      const login = await loginGuest(given)
      if (login !== undefined) return login
      throw new WebFailure(
        'unauthorized',
        'This link was used before, or the server was started anew since. "reprise web --link" prints a fresh one.',
      )
    },
    link() {
      const code = newCode()
      codes.push(code)
      codes.splice(0, codes.length - MOST_LINKS)
      return linkWith(`code=${code}`)
    },
    async guestLink(sessionId, hours) {
      const guest = { sessionId, expiresAtMs: Math.ceil(now() / 1000 + hours * 3600) * 1000 }
      const sealed = sealGuest(await guestKey.make(), 'link', guest)
      return {
        link: linkWith(`guest=${sealed}`),
        expiresAt: new Date(guest.expiresAtMs).toISOString(),
      }
    },
    async leftMs(request) {
      const guest = await guestOf(request)
      return guest === undefined ? 0 : guest.expiresAtMs - now()
    },
  }
}

/** Links that nobody used: the oldest is void when there are more. */
const MOST_LINKS = 20

const ODD_PATH = /\/(?:\.|%2e){1,2}(?:\/|$)|\\|\/\//i

/** Two of one name would leave open which of them was meant. */
function only(header: string | undefined, name: string): string | undefined {
  const own = cookiesOf(header).filter(([each]) => each === name)
  return own.length === 1 ? own[0]?.[1] : undefined
}

const cookiesOf = (header: string | undefined): (readonly [string, string])[] =>
  (header ?? '').split(';').map((pair) => {
    const at = pair.indexOf('=')
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
  })
